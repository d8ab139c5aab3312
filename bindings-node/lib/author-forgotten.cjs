'use strict';
// A program that makes tools and never calls `main` says so, in place of nothing.

/** The files that make tools. */
const makers = new Set();
let watching = false;
let used = false;
let answers = false;
let ranOut = false;

/** Notes which file makes a tool. `below` is the function that it has called. */
function watch(below) {
  makers.add(callerOf(below));
  if (watching || !require('node:worker_threads').isMainThread) return;
  watching = true;
  // Not emitted where the program asks to end.
  process.once('beforeExit', () => {
    ranOut = true;
  });
  process.once('exit', (status) => {
    if (status === 0 && ranOut && !answers) tell();
  });
}

/** Somebody uses a tool without `main`, as in a test. */
function use() {
  used = true;
}

/** `main` is called, and answers. */
function settle() {
  answers = true;
}

function tell() {
  const fs = require('node:fs');
  const [, file] = process.argv;
  const { TOOLWIRE_CALL, TOOLWIRE_RESULT } = process.env;
  const called = TOOLWIRE_CALL === 'stdin' || TOOLWIRE_CALL === 'lines';
  if (called ? hasText(fs, TOOLWIRE_RESULT) : used || !makers.has(real(fs, file))) return;
  const name = file === undefined ? 'the program' : `\`${require('node:path').basename(file)}\``;
  const said = `toolwire: ${name} makes tools and never calls \`main()\`; call it at the end of the file\n`;
  try {
    fs.writeSync(2, said);
  } catch {
    // Nobody reads it.
  }
  if (called) process.exitCode = 2;
}

/** Whether there is an answer in the result channel already. */
function hasText(fs, path) {
  return Boolean(path) && (fs.statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** The file that a name stands for, as Node calls its modules. */
function real(fs, file) {
  try {
    return fs.realpathSync(file);
  } catch {
    return undefined;
  }
}

/** The file of the code that has called a function. */
function callerOf(below) {
  const { prepareStackTrace, stackTraceLimit } = Error;
  try {
    Error.stackTraceLimit = 1;
    Error.prepareStackTrace = (_, sites) => sites[0]?.getFileName();
    const holder = {};
    Error.captureStackTrace(holder, below);
    const file = holder.stack;
    return file?.startsWith('file:') ? require('node:url').fileURLToPath(file.replace(/[?#].*$/, '')) : file;
  } catch {
    return undefined;
  } finally {
    Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  }
}

module.exports = { watch, use, settle };
