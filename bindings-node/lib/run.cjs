'use strict';
// Running tools. The core does it in a thread of its own and tells here what there is to fetch.

const native = require('./native.cjs');
const { call, refuse } = require('./error.cjs');
const { OPTIONS: EXCHANGE, toldOf } = require('./exchange.cjs');
const { textOf } = require('./how.cjs');
const { given, pick, pathOf, pointerTo, stringOf, kindOf } = require('./input.cjs');
const { leftOf, askingOf } = require('./left.cjs');
const { isObject, read, write } = require('./value.cjs');

/** How a process is run, and how a tool is called. */
const PROCESS = ['cwd', 'env', 'cleanEnv', 'timeout', 'maxOutput', 'limits', 'onStderr', 'signal'];
const CALL = ['tool', 'arguments', 'options', 'root', 'action', 'answerer', ...EXCHANGE];

/** What the core tells that there is to fetch. */
const STDERR = 0;
const ASKING = 1;

async function run(program, options) {
  const all = pick(options, [...CALL, ...PROCESS]);
  const words = wordsOf(program);
  const exchange = textOf(Object.fromEntries(EXCHANGE.map((name) => [name, all[name]])));
  const answerer = functionOf(all, 'answerer');
  return start(words, all, { document: documentOf(all, words), exchange, answerer });
}

async function listTools(program, options) {
  const all = pick(options, PROCESS);
  const { tools, ...result } = await start(wordsOf(program), all, {});
  return { tools, result };
}

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

/** How the process is run, for the core. */
function specOf(words, all, { exchange, answerer }) {
  const { cwd, env, timeout, maxOutput, limits } = all;
  const cleanEnv = all.cleanEnv ?? false;
  if (typeof cleanEnv !== 'boolean') refuse('bad_option', '/cleanEnv', `\`cleanEnv\` is true or false, not ${kindOf(cleanEnv)}`);
  if (timeout != null && !(Number.isFinite(timeout) && timeout > 0)) {
    refuse('bad_option', '/timeout', '`timeout` is a number of milliseconds greater than 0');
  }
  if (maxOutput != null && !(Number.isSafeInteger(maxOutput) && maxOutput >= 0)) {
    refuse('bad_option', '/maxOutput', '`maxOutput` is a number of bytes');
  }
  const told = {
    program: words,
    cwd: cwd == null ? undefined : stringOf(pathOf(cwd, 'cwd', 'bad_option'), '/cwd', 'bad_option'),
    env: variablesOf(env),
    cleanEnv,
    timeout: timeout ?? undefined,
    maxOutput: maxOutput ?? undefined,
    onStderr: functionOf(all, 'onStderr') !== undefined,
    asks: answerer !== undefined,
  };
  const parts = { limits: textOf(limits), exchange };
  const texts = Object.entries(given(parts)).map(([name, text]) => `,"${name}":${text}`);
  return `${JSON.stringify(told).slice(0, -1)}${texts.join('')}}`;
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

function functionOf(all, name) {
  const value = all[name] ?? undefined;
  if (value !== undefined && typeof value !== 'function') refuse('bad_option', `/${name}`, `\`${name}\` is a function, not ${kindOf(value)}`);
  return value;
}

/** Runs until all is over; whatever went wrong here is thrown then, when nothing of the tool is left. */
async function start(words, all, how) {
  const spec = specOf(words, all, how);
  const { onStderr, signal } = all;
  // One of another realm is none of our class.
  if (signal != null && typeof signal.throwIfAborted !== 'function') refuse('bad_option', '/signal', `\`signal\` is an AbortSignal, not ${kindOf(signal)}`);
  signal?.throwIfAborted();
  let failure;
  let run;
  const giveUp = (reason) => {
    failure ??= { reason };
    run.cancel();
  };
  const aborted = () => giveUp(signal.reason);
  try {
    await new Promise((resolve) => {
      const document = how.document === undefined ? undefined : Buffer.from(how.document);
      run = call(begin, spec, document, (what) => {
        if (what === STDERR) show(run, onStderr, giveUp);
        else if (what === ASKING) answer(run, how.answerer).catch(giveUp);
        else resolve();
      });
      watch(1);
      signal?.addEventListener('abort', aborted, { once: true });
    });
  } finally {
    signal?.removeEventListener('abort', aborted);
    if (run !== undefined) watch(-1);
  }
  if (failure !== undefined) throw failure.reason;
  return resultOf(call(take, run));
}

/** Hands on what was written to stderr. */
function show(run, onStderr, giveUp) {
  const piece = run.takeStderr();
  try {
    if (piece.length > 0) onStderr(piece);
  } catch (error) {
    giveUp(error);
  }
}

/** Has the question answered that waits. */
async function answer(run, answerer) {
  const { asking, context } = read(run.asking());
  call(reply, run, ...toldOf(await answerer(askingOf(asking, context))));
}

/** What is left of a run, as Node tells how a process ended. */
function resultOf(left) {
  const { exitCode = null, signal, ...told } = leftOf(left);
  return { ...told, exitCode, signal: signal === undefined ? null : signalName(signal), stdout: left.stdout(), stderr: left.stderr() };
}

function signalName(number) {
  const { signals } = require('node:os').constants;
  return Object.keys(signals).find((name) => signals[name] === number) ?? number;
}

// The core's methods as functions, since `call` knows no receiver.
const begin = (...args) => hostOf().start(...args);
const reply = (run, ...args) => run.answer(...args);
const take = (run) => run.left();

let host;

/** The core's side of this thread of Node, which ends its tools when it ends. */
function hostOf() {
  if (host === undefined) {
    host = new native.Host();
    process.on('exit', () => host.end());
  }
  return host;
}

/** Signals that end Node without `exit`; tools have process groups of their own and do not get them. */
const DEADLY = ['SIGINT', 'SIGTERM', 'SIGHUP'];

let running = 0;
let listening = false;

/** Listens for these signals while anything runs. */
function watch(more) {
  running += more;
  if (running > 0 === listening) return;
  listening = running > 0;
  for (const signal of DEADLY) {
    if (listening) process.prependListener(signal, onSignal);
    else process.off(signal, onSignal);
  }
}

/** Ends the tools and then Node, as it would have ended, unless somebody else means to deal with it. */
function onSignal(signal) {
  // Others may act only if they are the only ones who listen.
  process.off(signal, onSignal);
  if (process.listenerCount(signal) === 0) {
    host.end();
    process.kill(process.pid, signal);
    return;
  }
  setImmediate(() => {
    if (listening && !process.listeners(signal).includes(onSignal)) process.prependListener(signal, onSignal);
  });
}

module.exports = { run, listTools };
