'use strict';
// Questions: how one is presented, what is never asked, what is said where there is no answer.

const native = require('./native.cjs');
const { call, refuse } = require('./error.cjs');
const { toBytes, given, stringOf, kindOf } = require('./input.cjs');
const { textOf } = require('./how.cjs');
const { write, isObject } = require('./value.cjs');
const { Block, Envelope, Parsed, written, askedOf } = require('./views.cjs');

/** The JSON text of a question, which may be given as such, as a block, or as an object. */
function questionText(question) {
  if (question instanceof Block) {
    if (question.type !== 'question') refuse('bad_argument', '/question', `a question is asked, not a block of the type \`${question.type}\``);
    const { id, text, schemaText, defaultText } = question.question;
    const suggested = defaultText === undefined ? '' : `,"default":${defaultText}`;
    return Buffer.from(`{"id":${JSON.stringify(id)},"text":${JSON.stringify(text)},"schema":${schemaText}${suggested}}`);
  }
  if (!isObject(question) || question instanceof Envelope || question instanceof Parsed) return toBytes(question, 'question');
  const { id, text, schema } = question;
  return Buffer.from(write(given({ id, text, schema, default: question.default })));
}

function readQuestion(question) {
  return askedOf(JSON.parse(call(native.readQuestion, questionText(question))));
}

function findSecret(question) {
  const found = call(native.findSecret, questionText(question));
  return found === null ? undefined : JSON.parse(found);
}

function prompt(question) {
  return JSON.parse(call(native.prompt, questionText(question)));
}

function template(question) {
  return call(native.template, questionText(question));
}

function readTemplate(edited) {
  const text = call(native.readTemplate, toBytes(edited, 'edited'));
  return text === null ? undefined : { value: JSON.parse(text), text };
}

function refusal(options) {
  if (typeof options !== 'object') refuse('bad_option', '', `the options are an object, not ${kindOf(options)}`);
  return written(call(native.refusal, textOf(options) ?? '{}'));
}

function checkValue(schema, value) {
  // No schema is a string: one is the JSON text of a schema.
  const text = typeof schema === 'string' ? stringOf(schema, '/schema', 'bad_argument') : write(schema, 'bad_argument', ['schema']);
  return JSON.parse(call(native.checkValue, text, write(value, 'bad_argument', ['value'])));
}

function checkAnswer(question, value) {
  return JSON.parse(call(native.checkAnswer, questionText(question), write(value, 'bad_argument', ['value'])));
}

function checkQuestion(question) {
  return JSON.parse(call(native.checkQuestion, questionText(question)));
}

module.exports = {
  readQuestion, findSecret, prompt, template, readTemplate, refusal, checkValue, checkAnswer, checkQuestion,
};
