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
  const tools = given.length > 0 ? given : made;
  for (const [index, tool] of tools.entries()) {
    if (!(tool instanceof Tool)) refuse('bad_argument', `/${index}`, `\`main\` takes what \`tool(…)\` makes, not ${kindOf(tool)}`);
  }
  if (started) refuse('bad_argument', '', '`main` has been called already; a program answers one call');
  started = true;
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

/** The call document from standard input, or undefined if nobody has called. */
function readCall() {
  const called = process.env.TOOLWIRE_CALL === 'stdin';
  if (!called && require('node:tty').isatty(0)) return undefined;
  const document = readAll();
  return called || document.length > 0 ? document : undefined;
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
  fs.writeSync(2, call(native.help, process.argv[1] ?? 'tool', write(tools)));
  process.exit(2);
}

/** Sees to it that there is an answer however the program ends. */
function watch(run) {
  process.on('uncaughtException', (thrown) => {
    // An author who listens too means to go on.
    if (process.listenerCount('uncaughtException') === 1) end(run.broken(thrown));
  });
  process.on('beforeExit', () => end(run.cutShort('the tool waits for something that can no longer happen')));
  process.on('exit', (status) => {
    if (!answered) deliver(run.cutShort(status === 0 ? undefined : `the tool exited with status ${status}`));
  });
}

let answered = false;

/** Writes the answer and ends the process, whatever timers and connections would keep it alive. */
function end(answer) {
  deliver(answer);
  process.exit();
}

/** Writes the answer, once, and sets the exit status by it. */
function deliver(answer) {
  if (answered) return;
  answered = true;
  const { Envelope } = require('./views.cjs');
  process.exitCode = Envelope.fromJson(answer).isError ? 1 : 0;
  const bytes = Buffer.from(`${answer}\n`);
  if (outlet.file !== undefined) {
    try {
      fs.writeFileSync(outlet.file, bytes);
      return;
    } catch (error) {
      console.error(`toolwire: cannot write the answer to \`${outlet.file}\`: ${error.message}`);
      // Standard output is the answer where the channel holds nothing.
      outlet = { descriptor: 1 };
    }
  }
  writeAll(outlet.descriptor, bytes);
}

/** Writes all bytes; a pipe may take them in parts, or not yet. */
function writeAll(descriptor, bytes) {
  let done = 0;
  while (done < bytes.length) {
    try {
      done += fs.writeSync(descriptor, bytes, done);
    } catch (error) {
      if (error.code === 'EPIPE') {
        // Nobody reads the answer.
        process.exitCode = 1;
        return;
      }
      if (error.code !== 'EAGAIN') throw error;
      pause();
    }
  }
}

module.exports = { main, guard };
