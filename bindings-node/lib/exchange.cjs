'use strict';
// The questions of a call, for a host that runs tools in its own way.

const native = require('./native.cjs');
const { Answer } = require('./answer.cjs');
const { call } = require('./error.cjs');
const { pick, stringOf } = require('./input.cjs');
const { howOf, readWith, textOf } = require('./how.cjs');
const { jsonBytes, read, write } = require('./value.cjs');

const OPTIONS = ['host', 'maxRounds', 'maxTries', 'given', 'unanswered', 'refusals'];

/** An answer as the core takes it; a plain value was accepted by the user. */
function toldOf(answer) {
  const { state, source = 'user', value } = answer instanceof Answer ? answer : new Answer(answer);
  return [state, source, value === undefined ? undefined : write(value, 'bad_argument', ['answer'])];
}

/** What to do next, question by question, until there is a result. */
class Exchange {
  #inner;

  constructor(document, options) {
    const { limits, ...others } = pick(options, ['limits', ...OPTIONS]);
    this.#inner = call(begin, jsonBytes(document, 'call'), howOf({ limits }), textOf(others) ?? '{}');
  }

  step() {
    const { step, context } = read(call(next, this.#inner));
    if (step.step !== 'ask') return step;
    return { step: 'ask', asking: require('./result.cjs').pendingOf(step.asking, context) };
  }

  handleResult(answer, options) {
    const { limits } = pick(options, ['limits']);
    const [bytes, how] = readWith(answer, { limits });
    call(take, this.#inner, bytes, how);
  }

  handleAnswer(id, answer) {
    return JSON.parse(call(settle, this.#inner, stringOf(id, '/id', 'bad_argument'), ...toldOf(answer)));
  }

  finish() {
    return require('./result.cjs').resultOf(call(finish, this.#inner));
  }
}

// The core's methods as functions, since `call` knows no receiver.
const begin = (...args) => new native.Exchange(...args);
const next = (inner) => inner.step();
const take = (inner, ...args) => inner.handleResult(...args);
const settle = (inner, ...args) => inner.handleAnswer(...args);
const finish = (inner) => inner.finish();

module.exports = { Exchange, OPTIONS, toldOf };
