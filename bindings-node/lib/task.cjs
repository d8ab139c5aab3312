'use strict';
// Waiting for what the core does in the background.

const { call } = require('./error.cjs');

/** What a task in the background ends with; one that is aborted is given up. */
async function ended(begin, signal) {
  signal?.throwIfAborted();
  let over;
  const waiting = new Promise((resolve) => (over = resolve));
  const task = call(begin, over);
  const aborted = () => {
    task.cancel();
    over();
  };
  signal?.addEventListener('abort', aborted, { once: true });
  try {
    await waiting;
    signal?.throwIfAborted();
    return call(take, task);
  } finally {
    signal?.removeEventListener('abort', aborted);
  }
}

const take = (task) => task.take();

module.exports = { ended };
