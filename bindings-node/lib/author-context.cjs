'use strict';
// What a tool's function gets beside its arguments: where it stands, and how it asks and emits.

const { call, refuse } = require('./error.cjs');
const { given, pick, pointerTo, kindOf } = require('./input.cjs');
const { Block } = require('./views.cjs');
const { answerOf } = require('./answer.cjs');
const { Stop } = require('./author-stop.cjs');
const { Misfit } = require('./author-error.cjs');
const { textOfAsk } = require('./author-ask.cjs');
const { text } = require('./build.cjs');
const { read, write } = require('./value.cjs');

/** What every function knows of its call. */
class Called {
  constructor({ action, root, arguments: given, options }, trace) {
    this.action = action;
    this.root = root ?? undefined;
    this.arguments = given;
    this.options = options;
    this.trace = Object.freeze(trace ?? traceOfProcess());
  }
}

/** The trace of a process that was started for one call. */
function traceOfProcess() {
  const { TRACEPARENT, TRACESTATE, BAGGAGE } = process.env;
  return given({ traceparent: TRACEPARENT || undefined, tracestate: TRACESTATE || undefined, baggage: BAGGAGE || undefined });
}

/** One call, as the tool sees it. */
class Context extends Called {
  #turn;

  #origin;

  #signal;

  constructor(turn, told, origin) {
    super(told, origin.trace);
    this.#turn = turn;
    this.#origin = origin;
  }

  get signal() {
    return (this.#signal ??= this.#origin.signal ?? new AbortController().signal);
  }

  ask(id, ask, options) {
    const { again = false } = pick(options, ['again']);
    textOfId(id);
    const asked = textOfAsk(ask, '/ask');
    if (again === true && call(askAgain, this.#turn, id, asked) === null) throw new Stop();
    return answersTo(this.#turn, [[id, asked]], false)[0];
  }

  answer(id, ask, options) {
    const { otherwise } = pick(options, ['otherwise']);
    textOfId(id);
    const [answer] = answersTo(this.#turn, [[id, textOfAsk(ask, '/ask')]], otherwise === undefined);
    return valueOf(answer, otherwise);
  }

  answers(asks, options) {
    const { otherwise } = pick(options, ['otherwise']);
    const pairs = asksOf(asks).map(([id, ask]) => [id, textOfAsk(ask, pointerTo(['asks', id]))]);
    const found = answersTo(this.#turn, pairs, otherwise === undefined);
    return Object.fromEntries(found.map((answer, index) => [pairs[index][0], valueOf(answer, otherwise)]));
  }

  emit(...blocks) {
    take(this.#turn, blocks.map(blockText));
  }
}

/** Takes blocks, as JSON texts, into the answer. */
function take(turn, blocks) {
  for (const block of blocks) call(emit, turn, block);
}

/** What became of questions that are asked together, ids and JSON texts; where the run has to end, it ends here. */
function answersTo(turn, asks, required) {
  const pairs = asks.map(([id, ask]) => `[${write(id)},${ask}]`);
  const found = fitting(() => call(answers, turn, `[${pairs.join(',')}]`, required));
  if (found === null) throw new Stop();
  return read(found).map(answerOf);
}

/** The JSON text of what is emitted. */
function blockText(block) {
  if (typeof block === 'string') return text(block).json;
  if (block instanceof Block) return block.json;
  return refuse('bad_argument', '/block', `a tool emits blocks, such as \`text(…)\` makes, or strings, not ${kindOf(block)}`);
}

/** Several asks by their ids. */
function asksOf(asks) {
  if (typeof asks !== 'object' || asks === null || Array.isArray(asks)) {
    refuse('bad_argument', '/asks', `\`asks\` is an object of asks by their ids, not ${kindOf(asks)}`);
  }
  return Object.entries(asks);
}

function textOfId(id) {
  if (typeof id !== 'string') refuse('bad_argument', '/id', `the id of a question is a string, not ${kindOf(id)}`);
}

/** The value of an answer; of a page, that it was opened (AUTH-27). */
function valueOf({ accepted, state, value }, otherwise) {
  if (state === 'opened') return true;
  return accepted ? value : otherwise;
}

/** What `ask` gives; an answer that does not fit is no mistake of the tool (AUTH-26). */
function fitting(ask) {
  try {
    return ask();
  } catch (error) {
    if (error.code !== 'answer_mismatch') throw error;
    throw new Misfit(error.message);
  }
}

// The core's methods as functions, since `call` knows no receiver.
const emit = (turn, block) => turn.emit(block);
const askAgain = (turn, id, ask) => turn.askAgain(id, ask);
const answers = (turn, asks, required) => turn.answers(asks, required);

module.exports = { Called, Context, answersTo, asksOf, blockText, fitting, take, textOfId, valueOf };
