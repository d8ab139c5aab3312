'use strict';
// JavaScript values as JSON text, strictly: what JSON.stringify would drop or change is refused.

const { refuse } = require('./error.cjs');
const { kindOf, pointerTo } = require('./input.cjs');

/** An object that has this method is written as the JSON text that the method returns. */
const JSON_TEXT = Symbol('toolwire.json');

/** As deep as the core ever reads; a limit also for values without an end. */
const MAX_DEPTH = 1024;

/**
 * Writes a value as JSON text. `toJSON` is honoured and a BigInt becomes an integer; `undefined`,
 * NaN, infinities, functions, symbols, cycles, halves of surrogate pairs and objects that are not
 * plain data, such as a Map, are refused with the code and a pointer that starts with `path`.
 */
function write(value, code = 'bad_argument', path = []) {
  const open = new Set();

  function no(what) {
    return refuse(code, pointerTo(path), `${what} has no place in JSON`);
  }

  function string(text) {
    return text.isWellFormed() ? JSON.stringify(text) : no('half of a surrogate pair');
  }

  function object(value) {
    if (open.has(value)) no('a cycle');
    if (open.size >= MAX_DEPTH) no(`a value nested deeper than ${MAX_DEPTH}`);
    const array = Array.isArray(value);
    if (!array && Object.prototype.toString.call(value) !== '[object Object]') no(kindOf(value));
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
      if (ArrayBuffer.isView(value)) no(kindOf(value));
      if (typeof value.toJSON === 'function') value = value.toJSON(String(key));
    }
    switch (typeof value) {
      case 'string':
        return string(value);
      case 'number':
        return Number.isFinite(value) ? JSON.stringify(value) : no(`\`${value}\``);
      case 'bigint':
      case 'boolean':
        return String(value);
      case 'object':
        return value === null ? 'null' : object(value);
      default:
        return no(kindOf(value));
    }
  }

  return any(value, '');
}

module.exports = { write, JSON_TEXT };
