'use strict';
// The functions of this program, whose calls come from the core: of a server's clients, or of a host's sessions.

const { Run } = require('./author-run.cjs');
const { settle } = require('./author-forgotten.cjs');
const heard = require('./heard.cjs');
const { write } = require('./value.cjs');
const { AsyncLocalStorage } = require('node:async_hooks');

/** The call that the function which runs belongs to. */
const calls = new AsyncLocalStorage();

class Functions {
  #tools;
  #names;

  constructor(tools) {
    this.#tools = tools;
    this.#names = write(tools.map(({ name }) => name));
    heard.current = () => calls.getStore();
    settle();
  }

  /** Answers the calls that wait. */
  take(inner) {
    for (let served = inner.next(); served !== null; served = inner.next()) this.#answer(inner, served);
  }

  async #answer(inner, served) {
    const aborting = new AbortController();
    inner.onCancel(served, () => aborting.abort());
    const run = new Run(served.turn(this.#names), this.#tools, { signal: aborting.signal });
    served.answer(await calls.run(served, () => run.settle()));
  }
}

module.exports = { Functions };
