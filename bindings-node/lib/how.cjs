'use strict';
// How something is to be read, as the JSON text that the core is told it in.

const { toBytes, given, pick, expectOptions } = require('./input.cjs');
const { write } = require('./value.cjs');
const { sourceBehind } = require('./views.cjs');

/** Options as the JSON text that the core reads, or undefined when none is given. */
function textOf(options) {
  if (options === undefined || options === null) return undefined;
  expectOptions(options);
  return write(given(options), 'bad_option');
}

/** How to read, as the core is told it, from options that hold nothing but limits. */
function howOf(options) {
  if (options === undefined) return undefined;
  return limited(pick(options, ['limits']).limits);
}

function limited(limits) {
  const text = textOf(limits);
  return text === undefined ? undefined : `{"limits":${text}}`;
}

/** What to read and how, and the options without the limits. */
function readWith(data, options) {
  expectOptions(options);
  const { limits, ...others } = options ?? {};
  return [...(sourceBehind(data) ?? [toBytes(data), limited(limits)]), textOf(others)];
}

module.exports = { textOf, howOf, readWith };
