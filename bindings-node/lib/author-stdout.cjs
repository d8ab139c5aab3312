'use strict';
// Node's own part of keeping stdout for the answer: its streams, and the copy that it has of the environment.

const native = require('./native.cjs');

/** Keeps what is printed out of the answer before the call is read (AUTH-41). */
function guard() {
  const { TOOLWIRE_CALL, TOOLWIRE_RESULT } = process.env;
  if (native.guard(TOOLWIRE_CALL, TOOLWIRE_RESULT)) turn();
}

/** The call; null if nobody calls, and `lines` if the calls come as lines. A child of the tool finds nothing of it. */
function accept() {
  const { TOOLWIRE_CALL, TOOLWIRE_RESULT } = process.env;
  delete process.env.TOOLWIRE_CALL;
  delete process.env.TOOLWIRE_RESULT;
  if (TOOLWIRE_CALL === 'lines') return 'lines';
  const invocation = native.Invocation.accept(TOOLWIRE_CALL, TOOLWIRE_RESULT);
  if (invocation !== null && !TOOLWIRE_RESULT) turn();
  return invocation;
}

/** Where descriptors cannot be turned, at least what this process prints can. */
function turn() {
  if (process.platform === 'win32') process.stdout.write = process.stderr.write.bind(process.stderr);
}

module.exports = { guard, accept, turn };
