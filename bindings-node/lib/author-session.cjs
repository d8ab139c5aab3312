'use strict';
// What the function of a tool that keeps running gets beside its arguments: it says things as it goes, asks and waits,
// and takes what is applied.

const native = require('./native.cjs');
const { call, refuse } = require('./error.cjs');
const { pick, pointerTo, kindOf } = require('./input.cjs');
const { Called, answersTo, asksOf, blockText, fitting, take, textOfId, valueOf } = require('./author-context.cjs');
const { textOfAsk } = require('./author-ask.cjs');
const { SessionEnded, ToolError } = require('./author-error.cjs');
const { answerOf } = require('./answer.cjs');
const { read, write } = require('./value.cjs');

/** A session, as the tool sees it. */
class Session extends Called {
  #way;

  constructor(told, trace, way) {
    super(told, trace);
    this.#way = way;
  }

  get isLive() {
    return this.#way instanceof Live;
  }

  get ending() {
    return this.#way.ending;
  }

  get inputs() {
    const way = this.#way;
    return {
      async next() {
        try {
          return { done: false, value: await way.input() };
        } catch (error) {
          if (error instanceof SessionEnded) return { done: true, value: undefined };
          throw error;
        }
      },
      // Whoever leaves the loop can go on with another.
      async return() {
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }

  async receive(options) {
    const { timeout } = pick(options, ['timeout']);
    return this.#way.input(timeout === undefined ? undefined : duration(timeout, '/timeout'));
  }

  async sleep(time) {
    await this.#way.sleep(duration(time, '/time'));
  }

  async emit(...blocks) {
    await this.#way.emit(blocks.map(blockText));
  }

  async ask(id, ask, options) {
    const { person = false } = pick(options, ['person']);
    if (typeof person !== 'boolean') refuse('bad_argument', '/person', `\`person\` is true or false, not ${kindOf(person)}`);
    textOfId(id);
    return (await this.#way.ask([[id, textOfAsk(ask, '/ask')]], false, person))[0];
  }

  async answer(id, ask, options) {
    const { otherwise } = pick(options, ['otherwise']);
    textOfId(id);
    const asks = [[id, textOfAsk(ask, '/ask')]];
    const [answer] = await this.#way.ask(asks, otherwise === undefined, false);
    return valueOf(answer, otherwise);
  }

  async answers(asks, options) {
    const { otherwise } = pick(options, ['otherwise']);
    const pairs = asksOf(asks).map(([id, ask]) => [id, textOfAsk(ask, pointerTo(['asks', id]))]);
    const found = await this.#way.ask(pairs, otherwise === undefined, false);
    return Object.fromEntries(found.map((answer, index) => [pairs[index][0], valueOf(answer, otherwise)]));
  }
}

/** A time in milliseconds. */
function duration(time, pointer) {
  if (typeof time === 'number' && time >= 0) return time;
  return refuse('bad_argument', pointer, `\`${pointer.slice(1)}\` is a number of milliseconds from 0 on, not ${kindOf(time)}`);
}

/** Waits for a time, or until a signal says that it makes no sense any more. */
function sleep(time, signal) {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    // What a timer can't wait for is as good as for ever.
    const timer = setTimeout(over, Math.min(time, 2 ** 31 - 1), resolve);
    const aborted = () => over(() => reject(signal.reason));
    signal.addEventListener('abort', aborted, { once: true });
    function over(then) {
      clearTimeout(timer);
      signal.removeEventListener('abort', aborted);
      then();
    }
  });
}

/** The way of a session that keeps running: everything that is said gets out at once. */
class Live {
  #line;
  #ending = new AbortController();
  #inputs = [];
  /** Whoever waits for input, in order, and for answers, by the ids of the questions. */
  #takers = new Set();
  #asked = new Map();

  constructor(line) {
    this.#line = line;
  }

  get ending() {
    return this.#ending.signal;
  }

  // What the host says.

  give(json) {
    const [taker] = this.#takers;
    if (taker === undefined) this.#inputs.push(json);
    else taker(this.#read(json));
  }

  /** An input that the function takes. */
  #read(json) {
    this.#line.lineTook(Buffer.byteLength(json));
    return read(json);
  }

  answered(id, json) {
    this.#asked.get(id)?.(json);
  }

  end(reason) {
    if (!this.ending.aborted) this.#ending.abort(new SessionEnded(reason));
  }

  // What the function does.

  async emit(blocks) {
    for (const block of blocks) this.#sent(call(output, this.#line, block));
    // A function that does nothing else would never hear that it is to end.
    await new Promise(setImmediate);
  }

  async ask(asks, required, person) {
    const found = [];
    const waiting = asks.map(([id]) => this.#expect(id));
    try {
      for (const [id, ask] of asks) this.#sent(call(askOf, this.#line, id, ask, person));
      for (const answer of waiting) found.push(await answer.promise);
    } finally {
      for (const answer of waiting) answer.forget();
    }
    const pairs = asks.map(([id, ask]) => `[${write(id)},${ask}]`);
    fitting(() => call(native.checkAsked, `[${pairs.join(',')}]`, `[${found.join(',')}]`));
    return found.map((answer, index) => settled(asks[index][0], answerOf(read(answer)), required));
  }

  /** The answer to a question that is about to be asked. */
  #expect(id) {
    if (this.#asked.has(id)) refuse('bad_argument', '/id', `another question has the id \`${id}\`: give each its own`);
    const { signal } = this.#ending;
    let forget;
    const promise = new Promise((resolve, reject) => {
      const aborted = () => reject(signal.reason);
      signal.addEventListener('abort', aborted, { once: true });
      this.#asked.set(id, resolve);
      forget = () => {
        signal.removeEventListener('abort', aborted);
        this.#asked.delete(id);
      };
      if (signal.aborted) aborted();
    });
    // If another one was refused, nobody waits for this one.
    promise.catch(() => {});
    return { promise, forget };
  }

  async input(timeout) {
    this.ending.throwIfAborted();
    if (this.#inputs.length > 0) return this.#read(this.#inputs.shift());
    return new Promise((resolve, reject) => {
      const over = (then, value) => {
        this.#takers.delete(taker);
        this.ending.removeEventListener('abort', aborted);
        clearTimeout(timer);
        then(value);
      };
      const taker = (value) => over(resolve, value);
      const aborted = () => over(reject, this.ending.reason);
      const timer = timeout < 2 ** 31 ? setTimeout(over, timeout, resolve) : undefined;
      this.#takers.add(taker);
      this.ending.addEventListener('abort', aborted, { once: true });
    });
  }

  sleep(time) {
    return sleep(time, this.ending);
  }

  /** Without a host there is nobody to go on for. */
  #sent(written) {
    if (written) return;
    this.end('host_ended');
    throw this.ending.reason;
  }
}

/** The way of a session tool that is called once: everything comes together, and no input but that of a test. */
class Once {
  #turn;
  #inputs;
  #ending = new AbortController();

  constructor(turn, inputs = [], signal = undefined) {
    this.#turn = turn;
    this.#inputs = [...inputs];
    const aborted = () => this.#end('aborted');
    if (signal?.aborted) aborted();
    else signal?.addEventListener('abort', aborted, { once: true });
  }

  get ending() {
    return this.#ending.signal;
  }

  #end(reason) {
    if (!this.ending.aborted) this.#ending.abort(new SessionEnded(reason));
  }

  async emit(blocks) {
    take(this.#turn, blocks);
  }

  async ask(asks, required) {
    return answersTo(this.#turn, asks, required);
  }

  async input(timeout) {
    this.ending.throwIfAborted();
    if (this.#inputs.length > 0) return this.#inputs.shift();
    if (timeout !== undefined) return sleep(timeout, this.ending);
    this.#end('turn_ended');
    throw this.ending.reason;
  }

  sleep(time) {
    return sleep(time, this.ending);
  }
}

/** An answer with which the function can go on. */
function settled(id, answer, required) {
  const { state, source } = answer;
  if (!required || state === 'accepted' || state === 'opened') return answer;
  // That is how a question ends where its session does (SES-11).
  if (state === 'cancelled' && source === 'policy') throw new SessionEnded('aborted');
  throw new ToolError(`the tool needs an answer to \`${id}\`, and there is none: it was ${state}`);
}

// The core's methods as functions, since `call` knows no receiver.
const output = (line, block) => line.lineOutput(block);
const askOf = (line, id, ask, person) => line.lineAsk(id, ask, person);

module.exports = { Session, Live, Once };
