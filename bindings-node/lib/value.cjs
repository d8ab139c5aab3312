'use strict';
// Between JavaScript values and JSON text, strictly: what JSON.stringify would drop or change is
// refused, and an integer that a number would round is a BigInt.

const native = require('./native.cjs');
const { refuse } = require('./error.cjs');
const { toBytes, kindOf, pointerTo } = require('./input.cjs');
const { isDate } = require('node:util').types;

/** An object that has this method is written as the JSON text that the method returns. */
const JSON_TEXT = Symbol('toolwire.json');

/** As deep as the core ever reads; a limit also for values without an end. */
const MAX_DEPTH = 1024;

/** What to write in place of a value that JSON cannot hold, by the name of its class. */
const INSTEAD = {
  Map: 'give `Object.fromEntries(map)`',
  Set: 'give `[...set]`',
  Buffer: 'give its text, or its base64',
  Uint8Array: 'give its text, or its base64',
  Error: 'give its message',
  Promise: 'await it first',
};

/**
 * Writes a value as JSON text. `toJSON` is honoured and a BigInt becomes an integer; `undefined`,
 * NaN, infinities, functions, symbols, cycles, halves of surrogate pairs and objects that are not
 * plain data, such as a Map, are refused with the code and a pointer that starts with `path`.
 */
function write(value, code = 'bad_argument', path = []) {
  const open = new Set();

  function no(what, instead) {
    return refuse(code, pointerTo(path), `${what} has no place in JSON${instead === undefined ? '' : `; ${instead}`}`);
  }

  function noObject(value) {
    const kind = kindOf(value);
    return no(kind, INSTEAD[kind.slice(1, -1)]);
  }

  function string(text) {
    return text.isWellFormed() ? JSON.stringify(text) : no('half of a surrogate pair');
  }

  function object(value) {
    // What a `toJSON` of ours gives, where Node has it.
    if (JSON.isRawJSON?.(value)) return value.rawJSON;
    if (open.has(value)) no('a cycle');
    if (open.size >= MAX_DEPTH) no(`a value nested deeper than ${MAX_DEPTH}`);
    const array = Array.isArray(value);
    if (!array && !isObject(value)) noObject(value);
    open.add(value);
    const parts = [];
    // An array is walked by its length, since holes are no entries.
    const keys = array ? value.keys() : Object.keys(value);
    for (const key of keys) {
      path.push(key);
      const text = any(value[key], key);
      parts.push(array ? text : `${string(key)}:${text}`);
      path.pop();
    }
    open.delete(value);
    return array ? `[${parts.join(',')}]` : `{${parts.join(',')}}`;
  }

  function any(value, key) {
    if (typeof value === 'object' && value !== null) {
      if (typeof value[JSON_TEXT] === 'function') return value[JSON_TEXT]();
      // A Buffer's own `toJSON` writes a number a byte; nobody means that.
      if (ArrayBuffer.isView(value)) noObject(value);
      // Its `toJSON` would write null.
      if (isDate(value) && Number.isNaN(value.getTime())) no('an invalid date');
      if (typeof value.toJSON === 'function') value = value.toJSON(String(key));
    }
    switch (typeof value) {
      case 'string':
        return string(value);
      case 'number':
        return Number.isFinite(value) ? JSON.stringify(value) : no(`\`${value}\``, 'give null or a string');
      case 'bigint':
        return Number.isFinite(Number(value)) ? String(value) : no('an integer past 2^1024', 'give a string');
      case 'boolean':
        return String(value);
      case 'object':
        return value === null ? 'null' : object(value);
      case 'undefined':
        return no('`undefined`', 'leave it out, or give null');
      default:
        return no(kindOf(value));
    }
  }

  return any(value, '');
}

/** Whether a value is an object that stands for a JSON object, and is not text or bytes of one. */
function isObject(value) {
  return Object.prototype.toString.call(value) === '[object Object]';
}

/** The bytes of a JSON text, which may be given as such or as the object that it is to hold. */
function jsonBytes(value, name) {
  return isObject(value) ? Buffer.from(write(value, 'bad_argument', [name])) : toBytes(value, name);
}

/** An integer past 2^53 − 1 has sixteen digits or more; most texts have nowhere so many. */
const MAYBE_BIG = /\d{16}/;

/**
 * The value of a JSON text that the core wrote or accepted. A number that is written as an integer
 * past 2^53 − 1 becomes what `big` makes of its digits: a BigInt, whatever a double could hold, so that
 * it depends on nothing but the size.
 */
function read(text, big = BigInt) {
  const root = [JSON.parse(text)];
  if (MAYBE_BIG.test(text)) {
    for (const [path, digits] of JSON.parse(native.bigIntegers(text))) {
      let [holder, step] = [root, 0];
      for (const next of path) [holder, step] = [holder[step], next];
      holder[step] = big(digits);
    }
  }
  return root[0];
}

/**
 * The value of a JSON text for a `toJSON`, which JSON.stringify calls with a key. Where Node has raw
 * JSON, all digits are written then; older versions throw at a BigInt rather than round it.
 */
function readFor(key, text) {
  return read(text, key === undefined ? BigInt : JSON.rawJSON ?? BigInt);
}

module.exports = { write, read, readFor, isObject, jsonBytes, JSON_TEXT };
