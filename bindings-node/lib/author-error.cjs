'use strict';
// What a tool's function throws on purpose.

const { pick } = require('./input.cjs');

/** What did not work and is no mistake in the tool; it needs no stack (AUTH-36). */
class ToolError extends Error {
  constructor(message, options) {
    const { transient, cause } = pick(options, ['transient', 'cause']);
    super(message, cause === undefined ? undefined : { cause });
    if (transient !== undefined) this.transient = transient;
  }
}
Object.defineProperty(ToolError.prototype, 'name', { value: 'ToolError', configurable: true, writable: true });

/** An answer that does not fit its question (AUTH-26). */
class Misfit extends ToolError {}

/** Thrown by whatever waits in a session that is to end. */
class SessionEnded extends Error {
  constructor(reason) {
    super('the session is to end');
    this.reason = reason;
  }
}
Object.defineProperty(SessionEnded.prototype, 'name', { value: 'SessionEnded', configurable: true, writable: true });

module.exports = { ToolError, Misfit, SessionEnded };
