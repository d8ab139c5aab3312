'use strict';
// What a tool says while it runs. The core knows whether anybody listens.

const native = require('./native.cjs');
const { call, refuse } = require('./error.cjs');
const heard = require('./heard.cjs');
const { kindOf } = require('./input.cjs');

function progress(done, total, message) {
  expect(done, 'done', 'number');
  if (total != null) expect(total, 'total', 'number');
  if (message != null) expect(message, 'message', 'string');
  (heard.current() ?? native).progress(done, total ?? undefined, message ?? undefined);
}

function log(level, message, options) {
  const logger = options?.logger;
  expect(level, 'level', 'string');
  expect(message, 'message', 'string');
  if (logger != null) expect(logger, 'logger', 'string');
  call(write, heard.current() ?? native, level, message, logger ?? undefined);
}

const write = (hearer, ...said) => hearer.log(...said);

function expect(value, name, type) {
  if (typeof value !== type) refuse('bad_argument', `/${name}`, `\`${name}\` is a ${type}, not ${kindOf(value)}`);
}

module.exports = { progress, log };
