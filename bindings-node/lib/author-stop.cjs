'use strict';
// How a run ends that asks.

/**
 * Thrown by a context that asks, where there is no answer yet: it ends the run, which is carried out
 * again when there is one. To catch it changes nothing: the question is asked all the same.
 */
class Stop extends Error {
  constructor() {
    super('the tool has asked, and runs again when there is an answer');
  }
}
Object.defineProperty(Stop.prototype, 'name', { value: 'Stop', configurable: true, writable: true });

module.exports = { Stop };
