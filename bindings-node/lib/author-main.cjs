'use strict';
// The program around the tools: it reads the call, keeps what is printed out of the answer, and ends
// the process when the answer is written.

const fs = require('node:fs');
const native = require('./native.cjs');
const { call, refuse } = require('./error.cjs');
const { kindOf } = require('./input.cjs');
const { write } = require('./value.cjs');

const CHUNK_BYTES = 64 * 1024;
/** How long to wait for a pipe that is not ready, in milliseconds. */
const PAUSE = 2;

let outlet;
let started = false;

/**
 * Where the answer goes, settled once: the file of the result channel, or what standard output was.
 * In the second case standard output becomes standard error, so that nothing that is printed, here
 * or by a child, gets into the answer.
 */
function settleOutlet() {
  if (outlet !== undefined) return outlet;
  const file = process.env.TOOLWIRE_RESULT;
  if (file) {
    outlet = { file };
  } else {
    const descriptor = native.takeStdout();
    outlet = { descriptor: descriptor ?? 1 };
    // Where descriptors cannot be turned, at least what this process prints can.
    if (descriptor === null) process.stdout.write = process.stderr.write.bind(process.stderr);
  }
  return outlet;
}

/** Settles where the answer goes as soon as a tool is made, if a host is known to have called. */
function guard() {
  if (process.env.TOOLWIRE_CALL === 'stdin') settleOutlet();
}

async function main(given) {
  const { Tool, made } = require('./author-tool.cjs');
  for (const [index, tool] of given.entries()) {
    if (!(tool instanceof Tool)) refuse('bad_argument', `/${index}`, `\`main\` takes what \`tool(…)\` makes, not ${kindOf(tool)}`);
  }
  if (started) refuse('bad_argument', '', '`main` has been called already; a program answers one call');
  started = true;
  // In the order in which they were made, so that a program always tells them in the same one.
  const tools = given.length > 0 ? made.filter((tool) => given.includes(tool)) : made;
  const document = readCall();
  if (document === undefined) help(tools);
  settleOutlet();
  // A child that this tool starts is not called by its host.
  delete process.env.TOOLWIRE_CALL;
  delete process.env.TOOLWIRE_RESULT;
  const { Run } = require('./author-run.cjs');
  const run = new Run(document, tools);
  watch(run);
  end(await run.settle());
}

/** The call document from standard input, or undefined if nobody has called (AUTH-40). */
function readCall() {
  const called = process.env.TOOLWIRE_CALL === 'stdin';
  if (!called && require('node:tty').isatty(0)) return undefined;
  const document = readAll();
  return called || document.toString().trim() !== '' ? document : undefined;
}

/** All of standard input; where there is none, as in a service, nothing. */
function readAll() {
  const chunks = [];
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    let length;
    try {
      length = fs.readSync(0, chunk);
    } catch (error) {
      if (error.code === 'EAGAIN') {
        pause();
        continue;
      }
      // Windows tells the end of a pipe as an error; a closed descriptor holds nothing.
      if (!['EOF', 'EBADF', 'EISDIR', 'ENXIO'].includes(error.code)) throw error;
      length = 0;
    }
    if (length === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, length));
  }
}

function pause() {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
}

/** Says to a person what this program is, and ends it. */
function help(tools) {
  console.error(call(native.help, programName(), write(tools)).trimEnd());
  process.exit(2);
}

/** The file of the program, from the current directory if it is in there. */
function programName() {
  const file = process.argv[1] ?? 'the program';
  const path = require('node:path');
  const near = path.relative('.', file);
  return near.startsWith('..') || path.isAbsolute(near) ? file : `.${path.sep}${near}`;
}

/** Sees to it that there is an answer however the program ends, unless it was asked to end. */
function watch(run) {
  process.on('uncaughtException', (thrown) => {
    // An author who listens too means to go on.
    if (process.listenerCount('uncaughtException') === 1) end(run.broken(thrown));
  });
  process.on('beforeExit', () => end(run.cutShort('the tool waits for something that can no longer happen')));
  process.on('exit', (status) => {
    if (!settled) deliver(run.cutShort(status === 0 ? undefined : `the tool exited with status ${status}`));
  });
  // Without a listener of the author's the signal has ended the process. A listener of our own would
  // keep it from that, so the event is looked at on its way to theirs.
  const { emit } = process;
  process.emit = function (event, ...rest) {
    if (event === 'SIGINT' || event === 'SIGTERM') settled = true;
    return Reflect.apply(emit, this, [event, ...rest]);
  };
}

/** Whether the answer is written, or must not be any more (AUTH-44). */
let settled = false;

/** Writes the answer and ends the process, whatever timers and connections would keep it alive. */
function end(answer) {
  if (!settled) deliver(answer);
  process.exit();
}

/** Writes the answer and sets the exit status by it: 2 if it cannot be written (AUTH-45). */
function deliver(answer) {
  settled = true;
  const { Envelope } = require('./views.cjs');
  try {
    // Not to standard output where the file cannot be written: it would stand in the log there.
    if (outlet.file === undefined) writeAll(outlet.descriptor, Buffer.from(`${answer}\n`));
    else fs.writeFileSync(outlet.file, answer);
    process.exitCode = Envelope.fromJson(answer).isError ? 1 : 0;
  } catch (error) {
    complain(`the answer can't be written: ${error.message}`);
    process.exitCode = 2;
  }
}

/** Writes all bytes; a pipe may take them in parts, or not yet. */
function writeAll(descriptor, bytes) {
  let done = 0;
  while (done < bytes.length) {
    try {
      done += fs.writeSync(descriptor, bytes, done);
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
      pause();
    }
  }
}

function complain(words) {
  console.error(`toolwire: ${words}`);
}

module.exports = { main, guard };
