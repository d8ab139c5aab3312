'use strict';
// What a caller hands in, as the bytes and the JSON text that cross to the core.

const { refuse } = require('./error.cjs');

const toString = Object.prototype.toString;

/**
 * The bytes of a string, a Buffer or a Uint8Array; only a string is copied.
 * Half of a surrogate pair has no UTF-8, so it becomes the three bytes that its number would have,
 * which the core then reports as `invalid_utf8`; U+FFFD would hide the fault.
 */
function toBytes(data, name = 'data') {
  if (typeof data === 'string') {
    return data.isWellFormed() ? Buffer.from(data) : withLoneSurrogates(data);
  }
  // A Uint8Array of another realm (a test runner's sandbox, for one) is no instance of ours.
  if (data instanceof Uint8Array || toString.call(data) === '[object Uint8Array]') {
    if (isDetached(data)) return refuse('bad_argument', `/${name}`, `\`${name}\` has no bytes any more: its buffer was handed to another thread; hand over a copy, \`bytes.slice()\``);
    // Another thread could change shared memory while the core reads it.
    if (data.buffer instanceof SharedArrayBuffer) return Buffer.from(data);
    return Buffer.isBuffer(data) ? data : Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  }
  return refuse('bad_argument', `/${name}`, `\`${name}\` is a string, a Buffer or a Uint8Array, not ${kindOf(data)}`);
}

/** Whether the memory of a view was transferred. `ArrayBuffer.detached` comes with Node 22 only. */
function isDetached(view) {
  if (view.byteLength !== 0) return false;
  try {
    void new Uint8Array(view.buffer);
    return false;
  } catch {
    return true;
  }
}

function withLoneSurrogates(text) {
  // With the flag `u` a surrogate matches only where it stands alone; the odd parts are these.
  const parts = text.split(/(\p{Surrogate})/u);
  return Buffer.concat(
    parts.map((part, index) => {
      if (index % 2 === 0) return Buffer.from(part);
      const unit = part.charCodeAt(0);
      return Buffer.from([0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)]);
    }),
  );
}

/** An object without its `undefined` members, which stand for what was not given. */
function given(object) {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}

/** Takes the named options out of an options object; any other name is refused (API-3). */
function pick(options, names) {
  if (options === undefined || options === null) return {};
  expectOptions(options);
  for (const name of Object.keys(options)) {
    if (names.includes(name) || options[name] === undefined) continue;
    const known = names.map((known) => `\`${known}\``).join(', ');
    refuse('bad_option', pointerTo([name]), `\`${name}\` is not an option here; there are ${known}`);
  }
  return options;
}

/** Refuses options that are no object, such as a string whose letters would be taken for names. */
function expectOptions(options) {
  if (typeof options !== 'object' && options !== undefined) {
    refuse('bad_option', '', `the options are an object, not ${kindOf(options)}`);
  }
}

/** The JSON Pointer (RFC 6901) of a path. */
function pointerTo(path) {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** A path, which may be given as a file URL. */
function pathOf(path, name = 'path', code = 'bad_argument') {
  const file = path instanceof URL ? require('node:url').fileURLToPath(path) : path;
  if (typeof file !== 'string') refuse(code, `/${name}`, `\`${name}\` is a string or a file URL, not ${kindOf(path)}`);
  return file;
}

/** A string that has UTF-8, since it crosses to the core as text. */
function stringOf(value, pointer, code) {
  const name = pointer.slice(1);
  if (typeof value !== 'string') refuse(code, pointer, `\`${name}\` is a string, not ${kindOf(value)}`);
  if (!value.isWellFormed()) refuse(code, pointer, `\`${name}\` holds half of a surrogate pair`);
  return value;
}

/** What a value is, for a message. */
function kindOf(value) {
  if (value === null) return '`null`';
  if (typeof value === 'object') return `\`${classOf(value)}\``;
  return typeof value === 'undefined' ? '`undefined`' : `a ${typeof value}`;
}

/** The name of an object's class; a Proxy or a getter that throws must not hide what is really wrong. */
function classOf(object) {
  try {
    const { name } = object.constructor;
    if (typeof name === 'string' && name !== '') return name;
  } catch {
    // The tag says it less exactly.
  }
  return toString.call(object).slice(8, -1);
}

module.exports = { toBytes, isDetached, given, pick, pathOf, stringOf, expectOptions, pointerTo, kindOf };
