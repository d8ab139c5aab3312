'use strict';
// Questions: how one is presented, what is never asked, what is said where there is no answer.

const native = require('./native.cjs');
const { call, refuse } = require('./error.cjs');
const { toBytes, kindOf } = require('./input.cjs');
const { read } = require('./value.cjs');
const { textOf } = require('./how.cjs');
const { questionText } = require('./question.cjs');
const { written, askedOf } = require('./views.cjs');

function readQuestion(question) {
  return askedOf(JSON.parse(call(native.readQuestion, questionText(question))));
}

function findSecret(question, context = []) {
  // A copy has no holes, which `some` would pass over.
  if (!Array.isArray(context) || [...context].some((text) => typeof text !== 'string')) {
    refuse('bad_argument', '/context', 'the context must be an array of strings');
  }
  const found = call(native.findSecret, questionText(question), context);
  return found === null ? undefined : JSON.parse(found);
}

function prompt(question) {
  return read(call(native.prompt, questionText(question)));
}

function template(question) {
  return call(native.template, questionText(question));
}

function readTemplate(edited) {
  const text = call(native.readTemplate, toBytes(edited, 'edited'));
  return text === null ? undefined : { value: read(text), text };
}

function refusal(options) {
  if (typeof options !== 'object') refuse('bad_option', '', `the options are an object, not ${kindOf(options)}`);
  return written(call(native.refusal, textOf(options) ?? '{}'));
}

module.exports = { readQuestion, findSecret, prompt, template, readTemplate, refusal };
