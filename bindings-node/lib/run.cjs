'use strict';
// Running tools. The core does it and tells here that there are events, which are taken one by one.

const native = require('./native.cjs');
const { ToolwireError, call } = require('./error.cjs');
const { toldOf } = require('./exchange.cjs');
const { pick } = require('./input.cjs');
const names = require('./options.generated.cjs');
const { pendingOf, resultOf } = require('./result.cjs');
const { here, optionsOf, wordsOf } = require('./spec.cjs');
const { read } = require('./value.cjs');
const { signals } = require('node:os').constants;
const { setImmediate } = require('node:timers');

async function run(program, options) {
  return converse(wordsOf(program), pick(options, [...names.run, 'signal']));
}

async function listTools(program, options) {
  const all = pick(options, [...names.listTools, 'signal']);
  const { tools, failure, ...result } = await converse(wordsOf(program), all, true);
  if (failure === undefined) return { tools, result };
  throw new ToolwireError(failure, undefined, result);
}

/** Calls a tool of a program, a manifest or a server, or lists them; what goes wrong here cancels the call, and is thrown when nothing of the tool is left. */
async function converse(target, all, lists = false) {
  const { answerer, onStderr, onProgress, onLog, signal } = all;
  const options = optionsOf(all);
  signal?.throwIfAborted();
  let wake = () => {};
  const conversation = call(begin, target, options, lists, here(), () => wake());
  let failure;
  const fail = (reason) => {
    failure ??= { reason };
    conversation.cancel();
    wake();
  };
  const aborted = () => fail(signal.reason);
  signal?.addEventListener('abort', aborted, { once: true });
  let showing = false;
  const hand = (event, listener) => {
    showing = true;
    const shown = () => {
      showing = false;
      wake();
    };
    show(event, listener).catch(fail).then(shown);
  };
  try {
    for (;;) {
      // What is not taken waits, but nobody waits for a listener who is no longer asked.
      const event = showing && failure === undefined ? null : call(take, conversation);
      if (event === null) {
        await new Promise((resolve) => (wake = resolve));
      } else if (Buffer.isBuffer(event)) {
        if (failure === undefined) hand(event, onStderr);
      } else if (typeof event === 'string') {
        if (failure !== undefined) continue;
        const { type, ...told } = read(event);
        if (type === undefined) answer(conversation, told, answerer).catch(fail);
        else hand(told, type === 'progress' ? onProgress : onLog);
      } else if (failure === undefined) {
        return runResultOf(event);
      } else {
        throw failure.reason;
      }
    }
  } catch (error) {
    throw failure === undefined ? error : failure.reason;
  } finally {
    signal?.removeEventListener('abort', aborted);
  }
}

/** Hands on what the tool says, and lets everything else have its turn: a tool may write without end. */
async function show(event, listener) {
  await listener?.(event);
  await new Promise((resolve) => setImmediate(resolve));
}

/** Has a question answered; where there is no answer, there is nobody who could give one. */
async function answer(conversation, { question, context }, answerer) {
  const given = await answerer?.(pendingOf(question, context));
  call(reply, conversation, question.id, ...(given === undefined ? ['unavailable', 'policy'] : toldOf(given)));
}

/** The result of a run, as Node tells how a process ended. */
function runResultOf(result) {
  const { exitCode = null, signal, ...told } = resultOf(result);
  return { ...told, exitCode, signal: signal === undefined ? null : signalName(signal), stdout: result.stdout(), stderr: result.stderr() };
}

function signalName(number) {
  return Object.keys(signals).find((name) => signals[name] === number) ?? number;
}

// The core's methods as functions, since `call` knows no receiver.
const begin = (...args) => callsOf().start(...args);
const take = (conversation) => conversation.next();
const reply = (conversation, ...args) => conversation.answer(...args);

let calls;

/** The calls of this thread of Node, which end when it ends. */
function callsOf() {
  if (calls === undefined) {
    calls = new native.Calls();
    process.on('exit', () => calls.shutdown());
  }
  return calls;
}

module.exports = { run, listTools, converse, callsOf };
