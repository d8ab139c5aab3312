'use strict';
// Messages of the providers of models.

const native = require('./native.cjs');
const { call } = require('./error.cjs');
const { readWith, textOf } = require('./how.cjs');
const { jsonBytes, read, write } = require('./value.cjs');
const { plain } = require('./views.cjs');

function toMessage(data, made, provider, options) {
  const [bytes, how, others] = readWith(data, { ...options, provider, call: made });
  return read(call(native.providerMessage, bytes, how, others));
}

/** One of the functions from text to text. */
function made(name, input, options) {
  return read(call(native.providerCall, name, input, textOf(options)));
}

/** A result as an envelope, as the text of an output, or null. */
function resultOf(result) {
  if (result === undefined || result === null) return null;
  const bytes = plain(result);
  if (ArrayBuffer.isView(bytes)) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
  return bytes;
}

function toTurn(calls, results, provider, options) {
  return made('to_turn', write({ calls, results: Array.from(results, resultOf) }), { ...options, provider });
}

function toTools(tools, provider, options) {
  return made('to_tools', typeof tools === 'string' ? tools : write(tools), { ...options, provider });
}

function fromCall(given, provider, options) {
  return made('from_call', jsonBytes(given, 'call').toString(), { ...options, provider });
}

function toHistory(given, provider) {
  return made('to_history', jsonBytes(given, 'call').toString(), { provider });
}

module.exports = { toMessage, toTurn, toTools, fromCall, toHistory };
