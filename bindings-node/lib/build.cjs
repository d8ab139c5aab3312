'use strict';
// Writing: the builders that a tool calls for its answer. The core checks the arguments and writes
// the text; this turns JavaScript values into JSON text and bytes.

const native = require('./native.cjs');
const { call, refuse } = require('./error.cjs');
const { toBytes, given, pathOf, kindOf } = require('./input.cjs');
const { messageOf, causesOf } = require('./thrown.cjs');
const { write } = require('./value.cjs');
const { Block, Envelope, Parsed, written } = require('./views.cjs');

/** Calls a builder of the core. It knows its arguments and refuses the others; `null` is for it to judge. */
function build(kind, positional, options, bytes) {
  expectOptions(kind, options);
  const args = given(options ?? {});
  for (const name of Object.keys(positional)) {
    if (name in args) refuse('bad_argument', `/${name}`, `\`${name}\` is given twice`);
  }
  for (const name of ['annotations', 'error']) {
    if (isObject(args[name]) && !Array.isArray(args[name])) args[name] = given(args[name]);
  }
  return call(native.build, kind, write({ ...args, ...given(positional) }), bytes);
}

function block(kind, positional, options, bytes) {
  return new Block(Buffer.from(build(kind, positional, options, bytes)));
}

/** A string has letters, and an array or a block has members, that would be taken for names of options. */
function expectOptions(kind, options) {
  if (options == null || (isObject(options) && !Array.isArray(options) && !isOurs(options))) return;
  const blocks = kind === 'envelope' ? '; several blocks go into one array, as in `envelope([a, b])`' : '';
  refuse('bad_argument', '', `the options of \`${kind}\` are an object, not ${kindOf(options)}${blocks}`);
}

function isOurs(value) {
  return value instanceof Block || value instanceof Envelope || value instanceof Parsed;
}

function isObject(value) {
  return typeof value === 'object' && value !== null;
}

/** Bytes that are content; a string would leave open whether it is base64. */
function contentBytes(value, name) {
  if (typeof value === 'string') {
    refuse('bad_argument', `/${name}`, `\`${name}\` is bytes; for base64 pass \`Buffer.from(text, 'base64')\``);
  }
  return toBytes(value, name);
}

function text(text, options) {
  return block('text', { text }, options);
}

function resource(uri, options) {
  expectOptions('resource', options);
  const { blob, ...others } = options ?? {};
  if (blob == null) return block('resource', { uri }, others);
  return block('resource', { uri }, others, contentBytes(blob, 'blob'));
}

function resourceFromBytes(path, bytes, options) {
  return block('resource_from_bytes', { path }, options, contentBytes(bytes, 'bytes'));
}

function resourceFromFile(path, options) {
  const file = pathOf(path);
  const bytes = require('node:fs').readFileSync(file);
  expectOptions('resource_from_file', options);
  const { uri, mimeType, ...others } = options ?? {};
  if (uri == null) return resourceFromBytes(require('node:path').resolve(file), bytes, options);
  // The type is that of the file, whatever it is to be called.
  return resourceFromBytes(uri, bytes, { ...others, mimeType: mimeType ?? native.mimeOfPath(file) });
}

function image(data, mimeType, options) {
  return block('image', { mimeType }, options, contentBytes(data, 'data'));
}

function audio(data, mimeType, options) {
  return block('audio', { mimeType }, options, contentBytes(data, 'data'));
}

function resourceLink(uri, name, options) {
  return block('resource_link', { uri, name }, options);
}

function question(id, text, schema, options) {
  return block('question', { id, text, schema }, options);
}

function envelope(blocks = [], options) {
  const content = Array.isArray(blocks) ? blocks : [blocks];
  for (const [index, block] of content.entries()) {
    const isBlock = isObject(block) && !(block instanceof Envelope || block instanceof Parsed || Array.isArray(block));
    if (isBlock) continue;
    refuse('bad_argument', `/content/${index}`, `an envelope is made of blocks, such as \`text(…)\` makes, not of ${kindOf(block)}`);
  }
  return written(build('envelope', { content }, options));
}

function error(cause, options) {
  // Anything can be thrown; a string, or nothing at all, is the core's to judge.
  const message = typeof cause === 'string' || cause == null ? cause : messageOf(cause);
  const trace = options?.trace ?? (isObject(cause) ? causesOf(cause).map(messageOf) : undefined);
  return written(build('error', { message }, trace === undefined ? options : { ...options, trace }));
}

module.exports = {
  text, resource, resourceFromBytes, resourceFromFile, image, audio, resourceLink, question, envelope, error,
};
