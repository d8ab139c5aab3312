'use strict';
// Tools that keep running, in a host. The core runs them, and says here that there are requests, which are taken one
// by one.

const native = require('./native.cjs');
const { call, refuse } = require('./error.cjs');
const { toldOf } = require('./exchange.cjs');
const { given, kindOf, pick } = require('./input.cjs');
const names = require('./options.generated.cjs');
const { parse } = require('./read.cjs');
const { isObject, read, write } = require('./value.cjs');
const { setImmediate } = require('node:timers');

// The class is exported by name, so this file is loaded with the package; what it takes is loaded when it is used.
const later = {
  get functions() { return require('./functions.cjs'); },
  get manifest() { return require('./manifest.cjs'); },
  get tool() { return require('./author-tool.cjs'); },
  get result() { return require('./result.cjs'); },
  get run() { return require('./run.cjs'); },
  get spec() { return require('./spec.cjs'); },
  get task() { return require('./task.cjs'); },
};

const REPLY = ['by', 'after', 'wait', 'until', 'signal'];

/** The core's object of a `Sessions`. */
let innerOf;

/** Tools that keep running, each under an id. */
class Sessions {
  #inner;
  #callbacks;
  #asking = new Map();
  #functions = [];
  #telling;
  /** Whether a callback is told something, which may be what closes these sessions. */
  #calling = false;

  static {
    innerOf = (sessions) => sessions.#inner;
  }

  constructor(options) {
    this.#callbacks = pick(options, names.sessions);
    const told = later.spec.optionsOf(this.#callbacks);
    const wake = () => this.#take();
    this.#inner = call((...args) => new native.HostSessions(...args), later.run.callsOf(), told, later.spec.here(), wake);
    Object.freeze(this);
  }

  async add(tools, options) {
    const told = later.spec.optionsOf(pick(options, names.add));
    const functions = functionsOf(tools);
    if (functions !== undefined) return read(await this.#addFunctions(functions, told));
    const added = later.manifest.readOf(tools) ?? later.spec.wordsOf(tools);
    return read(await later.task.ended((over) => this.#inner.add(added, told, later.spec.here(), over)));
  }

  #addFunctions(tools, told) {
    const functions = new later.functions.Functions(tools);
    let calls;
    return later.task.ended((over) => {
      const added = this.#inner.addFunctions(told, later.spec.here(), () => functions.take(calls), over);
      calls = added.functions();
      this.#functions.push(calls);
      return added.task();
    });
  }

  async handle(tool, args) {
    return parse(read(await this.#do({ do: 'handle', tool }, args)));
  }

  async spawn(id, tool, args, options) {
    const { signal, ...reply } = pick(options, ['label', ...REPLY]);
    return fetched(await this.#do({ do: 'spawn', id, tool, ...reply }, args, signal));
  }

  async fetch(id, options) {
    const { signal, ...reply } = pick(options, ['view', ...REPLY]);
    return fetched(await this.#do({ do: 'fetch', id, ...reply }, undefined, signal));
  }

  async apply(id, what, options) {
    const { signal, ...reply } = pick(options, ['question', ...REPLY]);
    const { input, answer } = pick(what, ['input', 'answer']);
    return fetched(await this.#do({ do: 'apply', id, input, answer, ...reply }, undefined, signal));
  }

  async abort(id, options) {
    const { by, signal } = pick(options, ['by', 'signal']);
    return fetched(await this.#do({ do: 'abort', id, by }, undefined, signal));
  }

  async wait(ids, options) {
    const { any, time, signal } = pick(options, ['any', 'time', 'signal']);
    const states = read(await this.#do({ do: 'wait', ids, any, time }, undefined, signal));
    return Object.fromEntries(states.map(({ id, state }) => [id, state]));
  }

  async list() {
    const handles = read(await this.#do({ do: 'list' }));
    return handles.map((handle) => ({ ...handle, since: new Date(handle.since * 1000) }));
  }

  async tools() {
    return read(await this.#do({ do: 'tools' }));
  }

  async endOfTurn() {
    await this.#do({ do: 'end_of_turn' });
  }

  async announcements() {
    return read(await this.#do({ do: 'announcements' }));
  }

  async close() {
    await this.#do({ do: 'close' });
    // The last that has happened is told too.
    this.#take();
    if (!this.#calling) await this.#telling;
    for (const calls of this.#functions) calls.release();
    this.#inner.release();
  }

  // Older versions of Node have no such symbol, and no syntax for it.
  [Symbol.asyncDispose ?? Symbol.for('nodejs.asyncDispose')]() {
    return this.close();
  }

  #do(command, args, signal) {
    let told = text(command);
    if (args !== undefined) told = `${told.slice(0, -1)},"arguments":${argumentsOf(args)}}`;
    return later.task.ended((over) => this.#inner.command(told, over), signal);
  }

  #take() {
    for (let request = this.#inner.next(); request !== null; request = this.#inner.next()) this.#reply(request);
    this.#telling ??= this.#tell().finally(() => (this.#telling = undefined));
  }

  /** Tells of what happens, one thing after the other. */
  async #tell() {
    for (let notice = this.#inner.nextNotice(); notice !== null; notice = this.#inner.nextNotice()) {
      const { callback, id, told } = notice;
      this.#calling = true;
      try {
        await this.#callbacks[callback](id, callback === 'onProgress' || callback === 'onLog' ? eventOf(told) : told);
      } catch (error) {
        raise(error);
      }
      this.#calling = false;
      // A tool may say things without end, and others have their turn.
      await new Promise(setImmediate);
    }
  }

  async #reply({ number, question, approval }) {
    try {
      if (approval !== undefined && approval !== null) {
        const said = await this.#callbacks.approve(read(approval));
        this.#inner.approve(number, said === true, typeof said === 'string' ? said : undefined);
      } else if (question !== undefined && question !== null) {
        const asked = read(question);
        const aborting = new AbortController();
        this.#asking.set(number, aborting);
        const answer = await this.#callbacks.answerer(later.result.pendingOf(asked.question, asked.context), { signal: aborting.signal });
        call((...args) => this.#inner.answer(...args), number, ...(answer === undefined ? ['unavailable', 'policy'] : toldOf(answer)));
      } else {
        this.#asking.get(number)?.abort();
      }
    } catch (error) {
      // What was asked has no answer, and is not approved.
      if (approval) this.#inner.approve(number, false);
      else this.#inner.answer(number, 'unavailable', 'policy');
      raise(error);
    } finally {
      if (question) this.#asking.delete(number);
    }
  }
}

/** That a callback failed, its author is to see. */
function raise(error) {
  queueMicrotask(() => {
    throw error;
  });
}

/** The functions that are meant, if it is one or an array of them. */
function functionsOf(tools) {
  const { Tool } = later.tool;
  if (tools instanceof Tool) return [tools];
  if (!Array.isArray(tools) || !(tools[0] instanceof Tool)) return undefined;
  const wrong = tools.findIndex((tool) => !(tool instanceof Tool));
  if (wrong >= 0) refuse('bad_argument', `/tools/${wrong}`, `the functions are what \`tool(…)\` makes, not ${kindOf(tools[wrong])}`);
  return tools;
}

/** Progress or a log message, as `run` gives it. */
function eventOf(json) {
  const { type, ...event } = read(json);
  return event;
}

/** The answer to a command. */
function fetched(told) {
  const { id, state, envelope, refusal } = read(told);
  return Object.freeze({ id, state, parsed: parse(envelope), ...(refusal && { refusal }) });
}

/** The arguments of a tool, as an object or as JSON text, which has to be one object and nothing more. */
function argumentsOf(args) {
  if (typeof args === 'string') {
    try {
      JSON.parse(args);
    } catch {
      refuse('bad_argument', '/arguments', '`arguments` is an object, or its JSON text');
    }
    return args;
  }
  if (!isObject(args)) refuse('bad_argument', '/arguments', `\`arguments\` is an object, or its JSON text, not ${kindOf(args)}`);
  return write(args, 'bad_argument', ['arguments']);
}

function text(told) {
  return write(given(told), 'bad_argument');
}

module.exports = { Sessions, functionsOf, innerOf: (sessions) => innerOf(sessions) };
