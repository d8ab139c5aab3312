'use strict';
// The one error that the package throws, and the way an error crosses from the core.

/** Why a call was refused: `code` and `pointer` are contract, the message is not. */
class ToolwireError extends Error {
  constructor(finding, diagnostics, result) {
    super(finding.message);
    this.code = finding.code;
    this.pointer = finding.pointer;
    this.offset = finding.offset;
    // Not enumerable, so that a printed error stays short.
    Object.defineProperty(this, 'diagnostics', { value: diagnostics ?? [finding] });
    Object.defineProperty(this, 'result', { value: result });
  }
}
Object.defineProperty(ToolwireError.prototype, 'name', {
  value: 'ToolwireError',
  configurable: true,
  writable: true,
});

/** Refuses an argument or an option before it reaches the core. */
function refuse(code, pointer, message) {
  throw new ToolwireError({ code, severity: 'error', pointer, message });
}

/** Calls the core. It throws an error whose message is the JSON text of the finding and all diagnostics. */
function call(native, ...args) {
  try {
    return native(...args);
  } catch (error) {
    if (!error.message.startsWith('{"error":')) throw error;
    const crossed = JSON.parse(error.message);
    const refused = new ToolwireError(crossed.error, crossed.diagnostics);
    // The stack should end where the package was called, not in here.
    Error.captureStackTrace(refused, call);
    throw refused;
  }
}

module.exports = { ToolwireError, refuse, call };
