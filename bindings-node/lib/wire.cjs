'use strict';
// What a host sends and reads that runs programs in its own way.

const native = require('./native.cjs');
const { call, refuse } = require('./error.cjs');
const { kindOf, pick, stringOf, toBytes } = require('./input.cjs');
const { read, write } = require('./value.cjs');

function findMarker(file) {
  return call(native.findMarker, toBytes(file, 'file')) ?? undefined;
}

function readLine(line, source) {
  return call(native.readLine, toBytes(line, 'line'), stringOf(source, '/source', 'bad_argument')) ?? undefined;
}

function terminalInput(input, options) {
  const { applicationCursor = false, bracketedPaste = false } = pick(options, ['applicationCursor', 'bracketedPaste']);
  for (const [name, value] of Object.entries({ applicationCursor, bracketedPaste })) {
    if (typeof value !== 'boolean') refuse('bad_option', `/${name}`, `\`${name}\` is true or false, not ${kindOf(value)}`);
  }
  return read(call(native.terminalInput, write(input, 'bad_argument', ['input']), applicationCursor, bracketedPaste));
}

module.exports = { findMarker, readLine, terminalInput };
