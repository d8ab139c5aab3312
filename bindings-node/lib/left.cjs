'use strict';
// What the core has left of a call or an exchange, as values of JavaScript.

const { answerOf } = require('./answer.cjs');
const { read } = require('./value.cjs');
const { Block, Parsed } = require('./views.cjs');

/** The result as it was read, and what became of the questions. */
function leftOf(left) {
  const raw = left.raw();
  const { answers, ...told } = read(left.told());
  return {
    parsed: new Parsed(raw, raw, left.reading(), left.facts()),
    answers: Object.fromEntries(Object.entries(answers).map(([id, answer]) => [id, answerOf(answer)])),
    ...told,
  };
}

/** A question that waits, with the blocks before it, which come as JSON texts. */
function askingOf(asking, context) {
  return { ...asking, context: context.map((json) => new Block(Buffer.from(json))) };
}

module.exports = { leftOf, askingOf };
