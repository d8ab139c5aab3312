'use strict';
// Writing: the builders that a tool calls for its answer. The core checks the arguments and writes
// the canonical text; this turns JavaScript values into JSON text and bytes.

const native = require('./native.cjs');
const { call, refuse } = require('./error.cjs');
const { toBytes, given, pick, kindOf } = require('./input.cjs');
const { write } = require('./value.cjs');
const { Envelope, Block } = require('./views.cjs');

const COMMON = ['annotations', 'meta'];
const TITLES = ['mimeType', 'name', 'title', 'description'];

/** Makes a block from arguments and options; `bytes` crosses as it is instead of as JSON. */
function block(fn, required, options, names, bytes) {
  const args = { ...given(pick(options, names)), ...required };
  if (isObject(args.annotations)) args.annotations = given(args.annotations);
  return new Block(undefined, undefined, undefined, call(native.buildBlock, fn, write(args), bytes));
}

function isObject(value) {
  return typeof value === 'object' && value !== null;
}

/** Bytes that are content; a string would leave open whether it is base64. */
function contentBytes(value, name) {
  if (typeof value === 'string') refuse('bad_argument', `/${name}`, `\`${name}\` is bytes; for base64 pass \`Buffer.from(text, 'base64')\``);
  return toBytes(value, name);
}

function text(text, options) {
  return block('text', { text }, options, COMMON);
}

function resource(uri, options) {
  const { blob, ...others } = pick(options, ['text', 'blob', 'formatted', ...TITLES, ...COMMON]);
  return block('resource', { uri }, others, Object.keys(others), blob == null ? undefined : contentBytes(blob, 'blob'));
}

const FROM_BYTES = ['formatted', ...TITLES, ...COMMON];

function resourceFromBytes(path, bytes, options) {
  return block('resource_from_bytes', { path }, options, FROM_BYTES, contentBytes(bytes, 'bytes'));
}

function resourceFromFile(path, options) {
  const file = path instanceof URL ? require('node:url').fileURLToPath(path) : path;
  if (typeof file !== 'string') refuse('bad_argument', '/path', `\`path\` is a string or a file URL, not ${kindOf(path)}`);
  const { uri, ...others } = pick(options, ['uri', ...FROM_BYTES]);
  const bytes = require('node:fs').readFileSync(file);
  const named = { path: require('node:path').resolve(file), ...(uri === undefined ? {} : { uri }) };
  return block('resource_from_bytes', named, others, Object.keys(others), bytes);
}

function image(data, mimeType, options) {
  return block('image', { mimeType }, options, COMMON, contentBytes(data, 'data'));
}

function audio(data, mimeType, options) {
  return block('audio', { mimeType }, options, COMMON, contentBytes(data, 'data'));
}

function resourceLink(uri, name, options) {
  return block('resource_link', { uri, name }, options, ['title', 'description', 'mimeType', 'size', ...COMMON]);
}

function question(id, text, schema, options) {
  return block('question', { id, text, schema }, options, ['default', ...COMMON]);
}

function envelope(blocks, options) {
  const args = given(pick(options, ['structuredContent', 'isError', 'status', 'error', 'meta']));
  if (isObject(args.error)) args.error = given(args.error);
  const content = blocks === undefined ? [] : Array.isArray(blocks) ? blocks : [blocks];
  return new Envelope(undefined, call(native.buildEnvelope, write(content, 'bad_argument', ['content']), write(args)));
}

function error(cause, options) {
  const { transient, trace, meta } = pick(options, ['transient', 'trace', 'meta']);
  // Anything can be thrown; a string, or nothing at all, is the core's to judge.
  const message = typeof cause === 'string' || cause == null ? cause : messageOf(cause);
  const args = given({ message, transient, trace: trace ?? (isObject(cause) ? causesOf(cause) : undefined), meta });
  return new Envelope(undefined, call(native.buildError, write(args)));
}

/** What an error value says. It comes from anywhere, and telling of it must not fail, so it is made well-formed. */
function messageOf(thrown) {
  const message = isObject(thrown) ? thrown.message : String(thrown);
  return String(message || thrown.name || 'error').toWellFormed();
}

/** The messages of the causes, from the nearest to the farthest; one that occurs again ends the chain (API-14). */
function causesOf(thrown) {
  const seen = new Set([thrown]);
  const messages = [];
  for (let { cause } = thrown; cause != null && !seen.has(cause); cause = cause.cause) {
    seen.add(cause);
    messages.push(messageOf(cause));
  }
  return messages;
}

module.exports = {
  text, resource, resourceFromBytes, resourceFromFile, image, audio, resourceLink, question, envelope, error,
};
