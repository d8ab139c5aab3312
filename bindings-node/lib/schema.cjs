'use strict';
// JSON Schemas: whether a value fits one, and what a model is shown of one.

const native = require('./native.cjs');
const { call, refuse } = require('./error.cjs');
const { pick, stringOf, kindOf } = require('./input.cjs');
const { questionText } = require('./question.cjs');
const { write, read } = require('./value.cjs');

/** The JSON text of a schema. No schema is a string, so that one is its text. */
function schemaText(schema) {
  return objectText(schema, 'schema');
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

/** A word of the options, if it is there; the core judges it. */
function word(value, name) {
  return value === undefined || value === null ? undefined : stringOf(value, `/${name}`, 'bad_option');
}

function projectSchema(schema, options) {
  const { answer = false, provider } = pick(options, ['answer', 'provider']);
  if (typeof answer !== 'boolean') refuse('bad_option', '/answer', `\`answer\` is true or false, not ${kindOf(answer)}`);
  const from = [schemaText(schema), answer, word(provider, 'provider')];
  return {
    ...read(call(native.projectSchema, ...from)),
    unwrap: (value) => read(call(native.unwrapProjected, ...from, valueText(value))),
  };
}

function lintSchema(schema, options) {
  const { provider } = pick(options, ['provider']);
  return JSON.parse(call(native.lintSchema, schemaText(schema), word(provider, 'provider')));
}

/** The JSON text of an object that is given as such, or as its text. */
function objectText(value, name) {
  return typeof value === 'string' ? stringOf(value, `/${name}`, 'bad_argument') : write(value, 'bad_argument', [name]);
}

function readCommand(args, tool) {
  return read(call(native.readCommand, objectText(args, 'arguments'), objectText(tool, 'tool')));
}

function actionSchema(tool, options) {
  const { style } = pick(options, ['style']);
  return read(call(native.actionSchema, objectText(tool, 'tool'), word(style, 'style') ?? 'flat'));
}

module.exports = { checkValue, checkAnswer, checkQuestion, projectSchema, lintSchema, readCommand, actionSchema };
