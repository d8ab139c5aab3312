'use strict';
// The program around the tools: it reads the call, keeps what is printed out of the answer, and ends
// the process when the answer is written.

const native = require('./native.cjs');
const { call, refuse } = require('./error.cjs');
const { kindOf } = require('./input.cjs');
const { write } = require('./value.cjs');
const { accept } = require('./author-stdout.cjs');
const { Tool, made } = require('./author-tool.cjs');
const { Run } = require('./author-run.cjs');
const { settle } = require('./author-forgotten.cjs');

let started = false;

async function main(given) {
  for (const [index, tool] of given.entries()) {
    if (!(tool instanceof Tool)) refuse('bad_argument', `/${index}`, `\`main\` takes what \`tool(…)\` makes, not ${kindOf(tool)}`);
  }
  if (started) refuse('bad_argument', '', '`main` has been called already; a program answers one call');
  started = true;
  settle();
  // In the order in which they were made, so that a program always tells them in the same one.
  const tools = given.length > 0 ? made.filter((tool) => given.includes(tool)) : made;
  const invocation = accept();
  if (invocation === 'lines') return require('./author-lines.cjs').serve(tools);
  if (invocation === null) process.exit(call(native.help, programName(), write(tools)));
  const run = new Run(invocation.open(write(tools.map(({ name }) => name))), tools);
  const ending = new Ending(invocation);
  watch(run, ending);
  ending.end(await run.settle());
}

/** The file of the program, from the current directory if it is in there. */
function programName() {
  const file = process.argv[1] ?? 'the program';
  const path = require('node:path');
  const near = path.relative('.', file);
  return near.startsWith('..') || path.isAbsolute(near) ? file : `.${path.sep}${near}`;
}

/** How the process ends: once with an answer, or without any more of one. */
class Ending {
  #invocation;
  settled = false;

  constructor(invocation) {
    this.#invocation = invocation;
  }

  /** Writes the answer, and sets the exit status by it. */
  deliver(answer) {
    this.settled = true;
    process.exitCode = this.#invocation.end(answer);
  }

  /** Writes the answer and ends the process, whatever timers and connections would keep it alive. */
  end(answer) {
    if (!this.settled) this.deliver(answer);
    process.exit();
  }
}

/** Sees to it that there is an answer however the program ends, unless it was asked to end. */
function watch(run, ending) {
  process.on('uncaughtException', (thrown) => {
    // An author who listens too means to go on.
    if (process.listenerCount('uncaughtException') === 1) ending.end(run.broken(thrown));
  });
  process.on('beforeExit', () => ending.end(run.failed({ message: 'the tool waits for something that can no longer happen' })));
  process.on('exit', (status) => {
    if (!ending.settled) ending.deliver(status === 0 ? run.nothing() : run.failed({ exited: status }));
  });
  // Without a listener of the author's the signal has ended the process. A listener of our own would
  // keep it from that, so the event is looked at on its way to theirs.
  const { emit } = process;
  process.emit = function (event, ...rest) {
    if (event === 'SIGINT' || event === 'SIGTERM') ending.settled = true;
    return Reflect.apply(emit, this, [event, ...rest]);
  };
}

module.exports = { main };
