'use strict';
// A question as it is handed in.

const { refuse } = require('./error.cjs');
const { toBytes, given } = require('./input.cjs');
const { write, isObject } = require('./value.cjs');
const { Block, Envelope, Parsed } = require('./views.cjs');

/** The JSON text of a question, which may be given as such, as a block, or as an object. */
function questionText(question) {
  if (question instanceof Block) {
    if (question.type !== 'question') refuse('bad_argument', '/question', `a question is asked, not a block of the type \`${question.type}\``);
    const { id, text, schemaText, defaultText, url } = question.question;
    const suggested = defaultText === undefined ? '' : `,"default":${defaultText}`;
    const page = url === undefined ? '' : `,"url":${JSON.stringify(url)}`;
    return Buffer.from(`{"id":${JSON.stringify(id)},"text":${JSON.stringify(text)},"schema":${schemaText}${suggested}${page}}`);
  }
  if (!isObject(question) || question instanceof Envelope || question instanceof Parsed) return toBytes(question, 'question');
  const { id, text, schema, url } = question;
  return Buffer.from(write(given({ id, text, schema, default: question.default, url })));
}

module.exports = { questionText };
