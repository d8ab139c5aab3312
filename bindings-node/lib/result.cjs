'use strict';
// What a call or an exchange comes to and asks, as values of JavaScript.

const { answerOf } = require('./answer.cjs');
const { read } = require('./value.cjs');
const { Block, Parsed } = require('./views.cjs');

/** The result as it was read, and what became of the questions. */
function resultOf(result) {
  const raw = result.raw();
  const { answers, ...told } = read(result.told());
  return {
    parsed: new Parsed(raw, raw, result.reading(), result.facts()),
    answers: Object.fromEntries(Object.entries(answers).map(([id, answer]) => [id, answerOf(answer)])),
    ...told,
  };
}

/** A question that waits, with the blocks before it, which come as JSON texts. */
function pendingOf(question, context) {
  return { ...question, context: context.map((json) => new Block(Buffer.from(json))) };
}

module.exports = { resultOf, pendingOf };
