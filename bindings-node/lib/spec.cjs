'use strict';
// How a tool is run and its call dealt with, as the core is told it.

const { refuse } = require('./error.cjs');
const { textOf } = require('./how.cjs');
const { given, pathOf, pointerTo, stringOf, kindOf } = require('./input.cjs');
const { isObject, write } = require('./value.cjs');
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

/** The call document. */
function documentOf(all, words) {
  // A program that knows nothing of calls is one tool, named after its file.
  const name = all.tool == null ? require('node:path').parse(words[0]).name : filled(all.tool, '/tool', 'bad_option');
  const object = (name) => {
    const value = all[name] ?? {};
    if (!isObject(value)) refuse('bad_option', `/${name}`, `\`${name}\` is an object, not ${kindOf(value)}`);
    return write(value, 'bad_option', [name]);
  };
  const root = all.root == null ? undefined : filled(pathOf(all.root, 'root', 'bad_option'), '/root', 'bad_option');
  const { action = 'run' } = all;
  if (action !== 'run' && action !== 'format_arguments') {
    refuse('bad_option', '/action', '`action` is `run` or `format_arguments`; for `describe` there is `listTools`');
  }
  const context = JSON.stringify({ action, root });
  return `{"context":${context},"tool":{"name":${JSON.stringify(name)},"arguments":${object('arguments')},"answers":{},"options":${object('options')}}}`;
}

/** How the process is run, how its questions are dealt with, and what ends it. */
function specOf(words, all, exchange) {
  const { cwd, env, timeout, maxOutput, limits } = all;
  if (timeout != null && !(Number.isFinite(timeout) && timeout > 0)) {
    refuse('bad_option', '/timeout', '`timeout` is a number of milliseconds greater than 0');
  }
  if (maxOutput != null && !(Number.isSafeInteger(maxOutput) && maxOutput >= 0)) {
    refuse('bad_option', '/maxOutput', '`maxOutput` is a number of bytes');
  }
  expectFunction(all, 'answerer');
  for (const name of ['onStderr', 'onProgress', 'onLog']) expectFunction(all, name);
  // One of another realm is none of our class.
  if (all.signal != null && typeof all.signal.throwIfAborted !== 'function') {
    refuse('bad_option', '/signal', `\`signal\` is an AbortSignal, not ${kindOf(all.signal)}`);
  }
  const told = {
    program: words,
    cwd: cwd == null ? undefined : stringOf(pathOf(cwd, 'cwd', 'bad_option'), '/cwd', 'bad_option'),
    inherit: inheritedOf(all.inherit),
    // Electron is no Node for files.
    node: process.versions.electron === undefined ? process.execPath : undefined,
    env: variablesOf(env),
    timeout: timeout ?? undefined,
    maxOutput: maxOutput ?? undefined,
    onStderr: all.onStderr != null,
    onEvent: all.onProgress != null || all.onLog != null,
    signals: unhandled(),
  };
  const parts = { limits: textOf(limits), exchange };
  const texts = Object.entries(given(parts)).map(([name, text]) => `,"${name}":${text}`);
  return `${JSON.stringify(told).slice(0, -1)}${texts.join('')}}`;
}

/** Which variables the tool inherits: a word or names, which the core judges. */
function inheritedOf(inherit) {
  if (inherit == null) return undefined;
  if (typeof inherit === 'string') return stringOf(inherit, '/inherit', 'bad_option');
  if (!Array.isArray(inherit)) {
    refuse('bad_option', '/inherit', `\`inherit\` must be \`all\`, \`standard\` or an array of variable names, not ${kindOf(inherit)}`);
  }
  // A hole is no name either.
  return Array.from(inherit, (name, index) => stringOf(name, `/inherit/${index}`, 'bad_option'));
}

/** Variables that are set for the tool; one that is undefined, as those of `process.env` can be, is none. */
function variablesOf(env) {
  if (env == null) return undefined;
  if (typeof env !== 'object') refuse('bad_option', '/env', `\`env\` is an object, not ${kindOf(env)}`);
  const variables = Object.entries(given(env));
  for (const [name, value] of variables) stringOf(value, pointerTo(['env', name]), 'bad_option');
  return Object.fromEntries(variables);
}

function filled(text, pointer, code) {
  if (stringOf(text, pointer, code) === '') refuse(code, pointer, `\`${pointer.slice(1)}\` is empty`);
  return text;
}

function expectFunction(all, name) {
  const value = all[name];
  if (value != null && typeof value !== 'function') refuse('bad_option', `/${name}`, `\`${name}\` must be a function, not ${kindOf(value)}`);
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

module.exports = { wordsOf, documentOf, specOf };
