'use strict';
// A program that takes its calls as lines: async functions side by side, or one that keeps running (chapter 22).

const native = require('./native.cjs');
const { read, write } = require('./value.cjs');
const { Run } = require('./author-run.cjs');
const { Live } = require('./author-session.cjs');
const heard = require('./heard.cjs');
const { AsyncLocalStorage } = require('node:async_hooks');
const { closeSync } = require('node:fs');
const net = require('node:net');

/** Maximum number of calls answered at the same time. */
const AT_ONCE = 32;

/** The call that the function which runs belongs to. */
const jobs = new AsyncLocalStorage();

/** Answers what the host calls, and exits. */
function serve(tools) {
  const lines = native.Lines.begin(AT_ONCE, write(tools.map(({ name }) => name)));
  if (lines === null) process.exit(2);
  heard.current = () => running()?.line;
  const program = new Program(lines, tools);
  attribute(process.stdout, 'stdout');
  attribute(process.stderr, 'stderr');
  watch(program);
  listen(lines, program);
  // The program exits.
  return new Promise(() => {});
}

/**
 * Reads what the host says in this thread, where stdin is something that Node can wait for: another one would have to
 * wake this one for each line, which takes longer than a short call.
 */
function listen(lines, program) {
  const fd = lines.descriptor();
  if (fd === null) return lines.listen(() => program.hear(lines.take()));
  const buffer = Buffer.allocUnsafeSlow(64 * 1024);
  const callback = (length) => {
    program.hear(lines.hear(buffer, length));
    return true;
  };
  try {
    const stdin = new net.Socket({ fd, readable: true, writable: false, onread: { buffer, callback } });
    // A pipe that breaks is at its end.
    stdin.on('error', () => {});
    stdin.on('close', () => program.hear(lines.hear(null, 0)));
  } catch {
    // A file.
    closeSync(fd);
    return lines.listen(() => program.hear(lines.take()));
  }
  // What came together with the greeting; first the rest of the file that has called `main` is carried out.
  return setImmediate(() => program.hear(lines.hear(buffer, 0)));
}

/** The job that the function which runs belongs to, until it has its result. */
function running() {
  const job = jobs.getStore();
  return job?.isOver === false ? job : undefined;
}

/** A call until it has its result, and what its run is told of it. */
class Job {
  isOver = false;
  /** Whether an error took the place of the result, which is longer than the host takes. */
  isReplaced = false;
  /** What the host says to a session. */
  live;
  #aborting;
  #isAborted = false;

  constructor(line, { number, session, trace, call: told }, tools) {
    this.line = line;
    this.number = number;
    this.trace = trace;
    this.told = told;
    if (session) this.live = new Live(line);
    this.run = new Run(line, tools, this);
  }

  /** Made for whoever asks for it: most functions do not, and it takes longer than all the rest of a short call. */
  get signal() {
    if (this.#aborting === undefined) {
      this.#aborting = new AbortController();
      if (this.#isAborted) this.#aborting.abort();
    }
    return this.#aborting.signal;
  }

  end(reason) {
    this.live?.end(reason);
    this.#isAborted = true;
    this.#aborting?.abort();
  }

  /** Writes the answer, unless there is one already. */
  settle(answer) {
    if (this.isOver) return;
    this.isOver = true;
    if (this.line.result(answer) === false) this.isReplaced = true;
  }
}

/** The calls that are open. */
class Program {
  #lines;
  #tools;
  #open = new Map();
  #over = false;
  /** Asked to end by a signal, it says nothing more. */
  isEnding = false;

  constructor(lines, tools) {
    this.#lines = lines;
    this.#tools = tools;
  }

  get jobs() {
    return [...this.#open.values()];
  }

  /** Takes what the host has said. */
  hear(heard) {
    for (const line of heard) {
      if (line instanceof native.Turn) this.#begin(line);
      else this.#take(line);
    }
  }

  #take(line) {
    const kind = line.kind();
    if (kind === 'over') {
      this.#over = true;
      return this.#rest();
    }
    const job = this.#open.get(line.number());
    if (kind === 'end') job?.end(line.word());
    else if (kind === 'input') job?.live?.give(line.json());
    else job?.live?.answered(line.word(), line.json());
    return undefined;
  }

  #begin(line) {
    const job = new Job(line, read(line.lineTold()), this.#tools);
    this.#open.set(job.number, job);
    // What is left over from here on, such as a timer, still belongs to the call.
    jobs.run(job, async () => {
      this.settle(job, await job.run.settle());
    });
  }

  /** Ends a call. */
  settle(job, answer) {
    if (this.isEnding || job.isOver) return;
    job.settle(answer);
    this.#open.delete(job.number);
    // A session has a process of its own.
    if (job.live !== undefined) process.exit(job.isReplaced || JSON.parse(answer).isError === true ? 1 : 0);
    this.#rest();
  }

  /** Where there is nothing left to do, and nothing to come, the program ends. */
  #rest() {
    if (this.#over && this.#open.size === 0) process.exit(this.#lines.status());
  }
}

/** Has what a call prints written as what that call has printed. */
function attribute(stream, name) {
  const write = stream.write.bind(stream);
  // Where descriptors can't be turned, what this process prints can.
  const plain = name === 'stdout' && process.platform === 'win32' ? process.stderr.write.bind(process.stderr) : write;
  stream.write = (chunk, encoding, done) => {
    const job = running();
    const bytes = job === undefined ? undefined : bytesOf(chunk, encoding);
    if (bytes === undefined || !job.line.print(bytes)) return plain(chunk, encoding, done);
    const callback = typeof encoding === 'function' ? encoding : done;
    if (typeof callback === 'function') process.nextTick(callback);
    return true;
  };
}

/** What is printed; nothing if a stream would refuse it. */
function bytesOf(chunk, encoding) {
  if (typeof chunk === 'string') return Buffer.from(chunk, typeof encoding === 'string' ? encoding : 'utf8');
  return chunk instanceof Uint8Array ? chunk : undefined;
}

/** Thrown by `process.exit` in a call: only that call ends. */
class Exit extends Error {}

/** Sees to it that what goes wrong in one call ends no other. */
function watch(program) {
  const failed = (thrown) => {
    const job = running();
    if (thrown instanceof Exit) return;
    if (job !== undefined) return program.settle(job, job.run.broken(thrown));
    // A call whose function has returned can't fail any more, and of no call it is known that it is not hurt.
    const late = jobs.getStore() !== undefined;
    if (late) return console.error(thrown);
    for (const open of program.jobs) program.settle(open, open.run.broken(thrown));
    console.error(thrown);
    process.exit(1);
  };
  process.on('uncaughtException', (thrown) => {
    // An author who listens too means to go on.
    if (process.listenerCount('uncaughtException') === 1) failed(thrown);
  });
  const { exit } = process;
  process.exit = (code) => {
    const job = running();
    // A session has the process for itself.
    if (job === undefined || job.live !== undefined) return Reflect.apply(exit, process, code === undefined ? [] : [code]);
    program.settle(job, ended(job, Number(code ?? process.exitCode ?? 0)));
    throw new Exit('the tool has exited');
  };
  process.on('exit', (status) => {
    for (const job of program.jobs) if (!program.isEnding) job.settle(ended(job, status));
  });
  // As for a program that answers one call.
  const { emit } = process;
  process.emit = function (event, ...rest) {
    if (event === 'SIGINT' || event === 'SIGTERM') program.isEnding = true;
    return Reflect.apply(emit, this, [event, ...rest]);
  };
}

/** The answer of a function that has exited. */
function ended(job, status) {
  return status === 0 ? job.run.nothing() : job.run.failed({ exited: status });
}

module.exports = { serve };
