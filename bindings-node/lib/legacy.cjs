'use strict';
// The formats that came before envelopes, as envelopes.

const native = require('./native.cjs');
const { call } = require('./error.cjs');
const { howOf, readWith } = require('./how.cjs');
const { pick, toBytes } = require('./input.cjs');
const { Parsed } = require('./views.cjs');

function legacyOf(result) {
  if (result === null) return undefined;
  const raw = result.raw();
  return { parsed: new Parsed(raw, raw, result.reading(), result.facts()), ...JSON.parse(result.told()) };
}

function readLegacy(document, options) {
  return legacyOf(call(native.readLegacy, toBytes(document, 'document'), howOf(options)));
}

function unwrapOutcome(result, options) {
  const { limits } = pick(options, ['limits']);
  const [bytes, how] = readWith(result, { limits });
  return legacyOf(call(native.unwrapOutcome, bytes, how));
}

module.exports = { readLegacy, unwrapOutcome };
