'use strict';
// The functions of the API by their names: values become the text and bytes that cross, and replies become values.

const native = require('./native.cjs');
const { Answer, answerOf } = require('./answer.cjs');
const { call: crossed, refuse } = require('./error.cjs');
const { textOf } = require('./how.cjs');
const { toBytes, given, kindOf, stringOf } = require('./input.cjs');
const { write, read, isObject, jsonBytes } = require('./value.cjs');
const { Block, Envelope, Parsed, askedOf, plain, sourceBehind, written } = require('./views.cjs');

/** Calls a function; its arguments have crossed over already. */
function call(name, args, options) {
  let how;
  const crossing = args.map((arg) => {
    if (!Array.isArray(arg)) return arg;
    how = arg[1];
    return arg[0];
  });
  const returned = crossed(native.call, name, crossing, textOf(options) ?? '{}', how);
  return valueOf(read(returned.json()), returned);
}

/** The value of a reply, which is a tag and what belongs to it. */
function valueOf([tag, value], returned) {
  switch (tag) {
    case 'nothing':
      return undefined;
    case 'answer':
      return answerOf(value.answer, value.text);
    case 'event':
      // Its numbers are doubles, however large they are.
      return JSON.parse(value);
    case 'question':
      return askedOf(value);
    case 'envelope':
      return written(value);
    case 'call':
      return callOf(value);
    case 'parsed': {
      const raw = returned.raw();
      return new Parsed(raw, raw, returned.reading(), returned.facts());
    }
    case 'record':
      return Object.fromEntries(value.map(([name, member]) => [name, valueOf(member, returned)]));
    default:
      return value;
  }
}

/** A call that the core has read. */
function callOf({ call: { answers, ...members }, text, metaText }) {
  // An id can be any string, `__proto__` too.
  const byId = Object.fromEntries(answers.map((answer) => [answer.id, answerOf(answer)]));
  return { ...members, answers: byId, text, metaText };
}

/** A JSON value, or its text. */
function document(value, name) {
  // `true` is a schema too.
  const isPlain = Array.isArray(value) || typeof value === 'boolean';
  return isPlain ? write(value, 'bad_argument', [name]) : jsonBytes(value, name);
}

function output(value, name) {
  return toBytes(value, name);
}

function text(value, name) {
  return stringOf(value, `/${name}`, 'bad_argument');
}

function json(value, name) {
  return write(value, 'bad_argument', name.split('/'));
}

function readable(value, name) {
  return sourceBehind(value) ?? toBytes(value, name);
}

/** A list whose elements `each` converts. */
function list(value, name, each) {
  if (!Array.isArray(value)) refuse('bad_argument', `/${name}`, `\`${name}\` is an array, not ${kindOf(value)}`);
  // A copy has no holes, which `map` would pass over.
  return `[${[...value].map((element, index) => each(element, `${name}/${index}`)).join(',')}]`;
}

const texts = (value, name) => list(value, name, (element, place) => JSON.stringify(text(element, place)));
const documents = (value, name) => list(value, name, json);
const questions = (value, name) => list(value, name, question);
const results = (value, name) => list(value, name, result);

/** What a tool answered with: null, an output as a JSON string, or an envelope. */
function result(value, name) {
  if (value == null) return 'null';
  const isPlain = isObject(value) && sourceBehind(value) === undefined;
  return isPlain ? json(value, name) : JSON.stringify(toBytes(plain(value), name).toString());
}

/** What `readCall` gives has the text of its document. */
const callDocument = (value, name) => jsonBytes(value?.text ?? value, name);

/** The JSON text of an answer; a plain value was accepted by the user. */
function answer(value, name) {
  const { state, source, value: accepted } = value instanceof Answer ? value : new Answer(value);
  return write(given({ state, source, value: accepted }), 'bad_argument', [name]);
}

/** The JSON text of a question, which may be given as such, as a block, or as an object. */
function question(asked, name) {
  if (asked instanceof Block) {
    if (asked.type !== 'question') refuse('bad_argument', `/${name}`, `a question is asked, not a block of the type \`${asked.type}\``);
    return textOfAsked(asked.question);
  }
  if (!isObject(asked) || asked instanceof Envelope || asked instanceof Parsed) return toBytes(asked, name).toString();
  if (typeof asked.schemaText === 'string') return textOfAsked(asked);
  const { id, text, schema, url } = asked;
  return write(given({ id, text, schema, default: asked.default, url }));
}

function textOfAsked({ id, text, schemaText, defaultText, url }) {
  const suggested = defaultText === undefined ? '' : `,"default":${defaultText}`;
  const page = url === undefined ? '' : `,"url":${JSON.stringify(url)}`;
  return `{"id":${JSON.stringify(id)},"text":${JSON.stringify(text)},"schema":${schemaText}${suggested}${page}}`;
}

module.exports = { call, document, output, text, json, texts, documents, readable, question, questions, results, callDocument, answer };
