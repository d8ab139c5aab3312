'use strict';
// The tools of a host under one object, whatever names them.

const native = require('./native.cjs');
const { call } = require('./error.cjs');
const { wordOf } = require('./connect.cjs');
const { textOf } = require('./how.cjs');
const { pick, stringOf } = require('./input.cjs');
const manifest = require('./manifest.cjs');
const { parse } = require('./read.cjs');
const names = require('./options.generated.cjs');
const { Sessions, functionsOf, innerOf } = require('./sessions.cjs');
const { here, optionsOf, wordsOf } = require('./spec.cjs');
const { ended } = require('./task.cjs');
const { read } = require('./value.cjs');

const DEFINE = ['family', 'strict', 'cache', 'outputSchemas'];
const MESSAGE = ['family', 'structured', 'resources', 'maxBytes', 'companion', 'cache', 'signal'];

/** The tools of a host. */
class Tools {
  #inner;

  constructor(options) {
    this.sessions = new Sessions(options);
    this.#inner = innerOf(this.sessions);
    Object.freeze(this);
  }

  async add(source, options) {
    const given = pick(options, names.source);
    if (functionsOf(source) !== undefined || manifest.readOf(source) !== undefined) {
      return this.sessions.add(source, pick(options, names.add));
    }
    const word = wordOf(source);
    const words = word === undefined ? wordsOf(source) : [];
    const added = await ended((over) => native.toolsAdd(this.#inner, word, words, optionsOf(given), here(), over));
    const { names: all, warnings } = read(added);
    for (const warning of warnings) process.emitWarning(warning, { code: 'unexpected_tools' });
    return all;
  }

  list() {
    return read(native.toolsList(this.#inner));
  }

  definitions(provider, options) {
    return read(call(native.toolsDefine, this.#inner, stringOf(provider, '/provider', 'bad_option'), textOf(pick(options, DEFINE)))).tools;
  }

  call(name, args) {
    return this.sessions.handle(name, args);
  }

  async respond(provider, message, options) {
    const { signal, ...rest } = pick(options, MESSAGE);
    const reply = typeof message === 'string' ? message : JSON.stringify(provider === 'ai_sdk' ? ofAiSdk(message) : message);
    const made = read(await ended((over) => native.toolsRespond(this.#inner, stringOf(provider, '/provider', 'bad_option'), reply, textOf(rest), over), signal));
    return Object.freeze({ ...made, results: made.results.map((result) => parse(result)) });
  }

  close() {
    return this.sessions.close();
  }

  // Older versions of Node have no such symbol, and no syntax for it.
  [Symbol.asyncDispose ?? Symbol.for('nodejs.asyncDispose')]() {
    return this.close();
  }
}

/** What `generateText` gives has its members as getters. */
function ofAiSdk({ finishReason, toolCalls, response }) {
  return { finishReason, toolCalls, response: { messages: response?.messages } };
}

module.exports = { Tools };
