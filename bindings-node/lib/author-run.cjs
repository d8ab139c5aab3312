'use strict';
// One call, from its document to the answer's text. No I/O but for the stack of an error, on stderr.

const { ToolwireError, call } = require('./error.cjs');
const { isDetached, pointerTo } = require('./input.cjs');
const { write, read, JSON_TEXT } = require('./value.cjs');
const { Block, Envelope, Parsed } = require('./views.cjs');
const { text } = require('./build.cjs');
const { Context } = require('./author-context.cjs');
const { Misfit, SessionEnded, ToolError } = require('./author-error.cjs');
const { messageOf, causesOf } = require('./thrown.cjs');

/** What a tool's program does with one call. */
class Run {
  #turn;
  #tools;
  #origin;
  /** What was thrown because an answer does not fit its question. */
  misfit;

  /**
   * `signal` says that nobody waits for the answer any more; a program that answers one call is ended instead.
   * `trace` is where the call belongs, if the environment does not know it, `live` the way of a session that keeps
   * running, and `inputs` what a test gives one. `told` is what is called, where that has been read from the turn.
   */
  constructor(turn, tools, origin = {}) {
    this.#turn = turn;
    this.#tools = tools;
    this.#origin = origin;
  }

  /**
   * Does what the call says, and gives the answer's text; whatever goes wrong is in it. It waits only for what is a
   * promise: a turn of the loop takes as long as a short call.
   */
  async settle() {
    let { told } = this.#origin;
    if (told === undefined) {
      const refused = this.#turn.refused();
      if (refused !== null) return refused;
      told = read(this.#turn.call());
    }
    try {
      if (told.action === 'describe') return this.#describe(told.name);
      const tool = this.#tools.find(({ name }) => name === told.name);
      let given = tool.read(told.arguments, (schema) => call(mismatchesOf, this.#turn, schema));
      if (isPromise(given)) given = await given;
      const { value, mismatches } = given;
      if (mismatches !== undefined) return this.failed({ tool: tool.name, mismatches: mismatches.map(placed) });
      const context = this.#context(tool, told);
      let returned = tool.act(told.action, value, context);
      if (isPromise(returned)) returned = await returned;
      if (isGenerator(returned)) returned = await drained(returned, context);
      return this.#finish(returned, told.action === 'run' ? tool.returns : undefined);
    } catch (thrown) {
      return this.broken(thrown);
    }
  }

  /** The tools; one that can't be described keeps no other from that. */
  #describe(name) {
    const problems = {};
    const tools = this.#tools.filter((tool) => {
      if (name !== undefined && tool.name !== name) return false;
      try {
        return tool[JSON_TEXT]() !== undefined;
      } catch (error) {
        if (name !== undefined) throw error;
        problems[tool.name] = messageOf(error);
        console.error(`toolwire: the tool \`${tool.name}\` can't be described: ${problems[tool.name]}`);
        return false;
      }
    });
    return call(describe, this.#turn, write(tools), problems);
  }

  #context(tool, told) {
    if (!tool.isSession || told.action !== 'run') return new Context(this.#turn, told, this.#origin);
    const { Session, Once } = require('./author-session.cjs');
    const { trace, live } = this.#origin;
    return new Session(told, trace, live ?? new Once(this.#turn, this.#origin.inputs, this.#origin.signal));
  }

  /** The answer where something was thrown: the questions, if it has asked, and otherwise the error. */
  broken(thrown) {
    if (this.#turn.isPending() || isEnding(thrown)) return this.nothing();
    if (thrown instanceof Misfit) this.misfit = thrown;
    // What the author expects to go wrong needs no stack (AUTH-36).
    if (!(thrown instanceof ToolError)) show(thrown);
    return this.failed(failureOf(thrown));
  }

  /** The answer with what was emitted, or asked, and nothing more. */
  nothing() {
    return call(finish, this.#turn, 'nothing', 'null');
  }

  /** The answer of a tool that failed, in one of the forms that the core has for it. */
  failed(failure) {
    return call(fail, this.#turn, write(failure));
  }

  /** The answer with what the function returned, or with why that is none. */
  #finish(value, output) {
    try {
      return call(finish, this.#turn, ...returnedAs(value, output));
    } catch (error) {
      if (!(error instanceof ToolwireError)) throw error;
      const { message, pointer } = error;
      const answer = this.failed({ returned: { message, pointer } });
      console.error(Envelope.fromJson(answer).blocks.at(-1).text);
      return answer;
    }
  }
}

// The core's methods as functions, since `call` knows no receiver.
const describe = (turn, tools, problems) => turn.describe(tools, problems);
const finish = (turn, kind, json) => turn.finish(kind, json);
const fail = (turn, failure) => turn.fail(failure);
const mismatchesOf = (turn, schema) => turn.mismatches(schema);

/** Whether something was thrown only because a session is to end. */
function isEnding(thrown) {
  return [thrown, ...causesOf(thrown)].some((error) => error instanceof SessionEnded);
}

/** A mismatch with a pointer; a library tells a path. */
function placed({ pointer, path, message }) {
  return { pointer: pointer ?? pointerTo(path), message };
}

/** Whether a value is to be waited for. */
function isPromise(value) {
  return typeof value?.then === 'function';
}

/** Whether a function gave a generator, or something like one. */
function isGenerator(value) {
  return typeof value?.next === 'function' && (Symbol.asyncIterator in value || Symbol.iterator in value);
}

/** What a function gives in the end: what a generator yields is emitted, and what it returns comes after that. */
async function drained(generator, context) {
  try {
    for (;;) {
      const { done, value } = await generator.next();
      if (done) return await value;
      await context.emit(await value);
    }
  } finally {
    // One that is over does nothing.
    await generator.return?.();
  }
}

/** What a function returned, as the core's kind of it and JSON text. */
function returnedAs(value, output) {
  if (value instanceof Envelope) return ['envelope', value.document];
  if (value instanceof Parsed) return ['envelope', value.envelope.document];
  if (value === undefined) return ['nothing', 'null'];
  if (value instanceof Block) return ['blocks', `[${value.json}]`];
  // Without an output schema a list that is empty would have been one of blocks.
  const blocks = Array.isArray(value) && (value.some((item) => item instanceof Block) || (value.length === 0 && output === undefined));
  if (blocks) {
    return ['blocks', `[${value.map(blockText).join(',')}]`];
  }
  if (output !== undefined) return [output, write(value)];
  if (value instanceof Uint8Array) return ['text', write(textOf(value))];
  return [typeof value === 'string' ? 'text' : 'value', write(value)];
}

/** The text in bytes, such as a child process or a file gives. */
function textOf(bytes) {
  if (isDetached(bytes)) throw new TypeError('the tool returned bytes whose buffer was handed to another thread; return a copy, `bytes.slice()`');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new TypeError('the tool returned bytes that are no text; return `resourceFromBytes(path, bytes)` or `image(bytes, mimeType)`', { cause: error });
  }
}

/** An element of a list of blocks; a string stands for a block of text. */
function blockText(item) {
  if (item instanceof Block) return item.json;
  return typeof item === 'string' ? text(item).json : write(item);
}

/** An error with its stack on stderr, from the author's own code on. */
function show(thrown) {
  for (const error of [thrown, ...causesOf(thrown)]) {
    if (typeof error?.stack !== 'string') continue;
    const frames = error.stack.split('\n').filter((line) => !line.includes(__filename));
    // An error that is frozen is shown as it is.
    Reflect.set(error, 'stack', frames.join('\n'));
  }
  console.error(thrown);
}

/** What was thrown and its causes, for the core: messages, and the names and codes of their kinds. */
function failureOf(thrown) {
  const chain = [thrown, ...causesOf(thrown)].map((error) => ({ message: saying(error), names: namesOf(error) }));
  // An author who knows better says so.
  return typeof thrown?.transient === 'boolean' ? { chain, transient: thrown.transient } : { chain };
}

/** What an error says itself; where that is nothing, the core has words for it. */
function saying(error) {
  if (error == null) return '';
  const message = messageOf(error);
  return message === error.name ? '' : message;
}

/** The names of an error's class and of those above it, then its codes. */
function namesOf(error) {
  if (typeof error !== 'object' || error === null) return [];
  const names = [];
  for (let kind = error; kind !== null; kind = Object.getPrototypeOf(kind)) {
    if (Object.hasOwn(kind, 'constructor')) names.push(kind.constructor?.name);
  }
  // A name that was set says more than the class, and `Error` less than any.
  if (error.name !== 'Error') names.unshift(error.name);
  const status = error.status ?? error.statusCode ?? error.response?.status;
  names.push(error.code, Number.isInteger(status) ? `http:${status}` : undefined);
  return [...new Set(names)].filter((name) => typeof name === 'string' && name !== '' && name !== 'Object').map((name) => name.toWellFormed());
}

module.exports = { Run };
