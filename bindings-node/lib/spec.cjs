'use strict';
// What is run, with which options, and by whom, as it crosses to the core.

const { refuse } = require('./error.cjs');
const { given, pathOf, stringOf, kindOf } = require('./input.cjs');
const { write } = require('./value.cjs');
const { signals } = require('node:os').constants;
const { isMainThread } = require('node:worker_threads');

/** Signals that end Node without `exit`. */
const DEADLY = ['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP'];

/** A program and its arguments. */
function wordsOf(program) {
  if (!Array.isArray(program)) return [filled(pathOf(program, 'program'), '/program', 'bad_argument')];
  if (program.length === 0) refuse('bad_argument', '/program', '`program` is empty: it is a program and its arguments');
  const [first, ...others] = program;
  const words = others.map((word, index) => stringOf(word, `/program/${index + 1}`, 'bad_argument'));
  return [filled(pathOf(first, 'program/0'), '/program/0', 'bad_argument'), ...words];
}

/** Options as JSON text: a URL is its path, and a function is `{"function":true}`. */
function optionsOf(all) {
  // One of another realm is none of our class.
  if (all.signal != null && typeof all.signal.throwIfAborted !== 'function') {
    refuse('bad_option', '/signal', `\`signal\` is an AbortSignal, not ${kindOf(all.signal)}`);
  }
  const told = {};
  for (const [name, value] of Object.entries(all)) {
    if (value == null || name === 'signal') continue;
    if (typeof value === 'function') told[name] = { function: true };
    else if (value instanceof URL) told[name] = pathOf(value, name, 'bad_option');
    // A variable that is undefined, as those of `process.env` can be, is none.
    else told[name] = (name === 'env' || name === 'headers') && typeof value === 'object' ? given(value) : value;
  }
  return write(told, 'bad_option');
}

/** What is known of this process: the signals that nobody handles, and what runs files in JavaScript. */
function here() {
  // Electron is no Node for files.
  return { signals: unhandled(), node: process.versions.electron === undefined ? process.execPath : undefined };
}

function filled(text, pointer, code) {
  if (stringOf(text, pointer, code) === '') refuse(code, pointer, `\`${pointer.slice(1)}\` is empty`);
  return text;
}

/** The signals for which Node's own handler is gone. */
const released = new Set();

/** The deadly signals that nobody handles, by their numbers; only the main thread can tell. */
function unhandled() {
  if (!isMainThread) return [];
  const names = DEADLY.filter((name) => process.listenerCount(name) === 0);
  for (const name of names.filter((name) => !released.has(name))) {
    // Node's handler would send the signal again and again; where a listener was, there is none any more.
    released.add(name);
    process.on(name, release).off(name, release);
  }
  return names.map((name) => signals[name]);
}

function release() {}

module.exports = { wordsOf, optionsOf, here };
