'use strict';
// JSON Schemas: whether a value fits one, and what a model is shown of one.

const native = require('./native.cjs');
const { call, refuse } = require('./error.cjs');
const { pick, stringOf, kindOf } = require('./input.cjs');
const { questionText } = require('./question.cjs');
const { write, read } = require('./value.cjs');

/** The JSON text of a schema. No schema is a string, so that one is its text. */
function schemaText(schema) {
  return typeof schema === 'string' ? stringOf(schema, '/schema', 'bad_argument') : write(schema, 'bad_argument', ['schema']);
}

function valueText(value) {
  return write(value, 'bad_argument', ['value']);
}

function checkValue(schema, value) {
  return JSON.parse(call(native.checkValue, schemaText(schema), valueText(value)));
}

function checkAnswer(question, value) {
  return JSON.parse(call(native.checkAnswer, questionText(question), valueText(value)));
}

function checkQuestion(question) {
  return JSON.parse(call(native.checkQuestion, questionText(question)));
}

function projectSchema(schema, options) {
  const { answer = false } = pick(options, ['answer']);
  if (typeof answer !== 'boolean') refuse('bad_option', '/answer', `\`answer\` is true or false, not ${kindOf(answer)}`);
  const text = schemaText(schema);
  return {
    ...read(call(native.projectSchema, text, answer)),
    unwrap: (value) => read(call(native.unwrapProjected, text, answer, valueText(value))),
  };
}

module.exports = { checkValue, checkAnswer, checkQuestion, projectSchema };
