'use strict';
// The state machine of a session, for a host that runs tools in its own way.

const native = require('./native.cjs');
const { call } = require('./error.cjs');
const { pick, stringOf } = require('./input.cjs');
const { textOf } = require('./how.cjs');
const { jsonBytes, read } = require('./value.cjs');
const { askedOf } = require('./views.cjs');

const OPTIONS = ['actions', 'maxBlocks', 'maxBytes', 'maxQuestions'];

/** One handle of a tool that keeps running: what happens goes in, what the host does comes out. */
class SessionMachine {
  #inner;

  constructor(id, options) {
    this.#inner = call(begin, stringOf(id, '/id', 'bad_argument'), textOf(pick(options, OPTIONS)) ?? '{}');
  }

  get state() {
    return this.#inner.state();
  }

  get question() {
    const question = this.#inner.question();
    return question === null ? undefined : askedOf(JSON.parse(question));
  }

  handle(event) {
    return read(call(take, this.#inner, jsonBytes(event, 'event')));
  }

  possible(by) {
    return JSON.parse(call(possible, this.#inner, stringOf(by, '/by', 'bad_argument')));
  }
}

// The core's methods as functions, since `call` knows no receiver.
const begin = (...args) => new native.SessionMachine(...args);
const take = (inner, event) => inner.handle(event);
const possible = (inner, by) => inner.possible(by);

module.exports = { SessionMachine };
