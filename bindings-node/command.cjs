#!/usr/bin/env node
'use strict';
// The command `toolwire`: the one in Rust, run in this process.

const { command } = require('./lib/native.cjs');

// The command acts on signals itself, and tools inherit what is ignored here, so everything that Node has
// changed is as the system has it: that is what remains when the last listener goes. SIGPIPE stays
// ignored, as in every program in Rust.
for (const signal of process.platform === 'win32' ? [] : ['SIGINT', 'SIGTERM', 'SIGUSR1', 'SIGXFSZ']) {
  const listener = () => {};
  process.on(signal, listener);
  process.removeListener(signal, listener);
}
process.exitCode = command(process.argv.slice(2));
