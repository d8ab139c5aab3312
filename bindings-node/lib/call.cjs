'use strict';
// Calls: what a tool is told to do, what tools a program holds, and arguments as words.

const native = require('./native.cjs');
const { call, refuse } = require('./error.cjs');
const { toBytes, pick, kindOf } = require('./input.cjs');
const { answerOf } = require('./answer.cjs');
const { howOf, readWith } = require('./how.cjs');
const { write, read: valueOf, jsonBytes } = require('./value.cjs');
const { written } = require('./views.cjs');

const CARRIERS = ['document', 'meta'];

function readCall(data, options) {
  const { limits, carrier = 'document' } = pick(options, ['limits', 'carrier']);
  if (!CARRIERS.includes(carrier)) refuse('bad_option', '/carrier', '`carrier` is `document` or `meta`');
  return callOf(call(native.readCall, toBytes(data), howOf({ limits }), carrier === 'meta'));
}

/** A call that the core has read, from its JSON text. */
function callOf(told) {
  const { call: read, text, metaText } = valueOf(told);
  // An id can be any string, `__proto__` too.
  const answers = Object.fromEntries(read.answers.map((answer) => [answer.id, answerOf(answer)]));
  return { ...read, answers, text, metaText };
}

function describe(tools) {
  if (!Array.isArray(tools)) refuse('bad_argument', '/tools', `\`tools\` is an array of tools, not ${kindOf(tools)}`);
  return written(call(native.describe, write(tools, 'bad_argument', ['tools'])));
}

function readDescription(data, options) {
  const { limits } = pick(options, ['limits']);
  const [bytes, how] = readWith(data, { limits });
  const tools = call(native.readDescription, bytes, how);
  return tools === null ? undefined : valueOf(tools);
}

function parseArguments(words, inputSchema) {
  if (!Array.isArray(words)) refuse('bad_argument', '/words', `\`words\` is an array of strings, not ${kindOf(words)}`);
  for (const [index, word] of words.entries()) {
    if (typeof word !== 'string') refuse('bad_argument', `/words/${index}`, `a word is a string, not ${kindOf(word)}`);
  }
  const text = write(words, 'bad_argument', ['words']);
  return valueOf(call(native.parseArguments, text, jsonBytes(inputSchema, 'inputSchema')));
}

module.exports = { readCall, callOf, describe, readDescription, parseArguments };
