// The canonical form held against another implementation, the package `canonicalize`, which leaves numbers and
// strings to V8: so an independent engine writes the numbers, and an independent sort orders the names.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import canonicalize from 'canonicalize';
import * as toolwire from 'toolwire';

/** Numbers from 0 to 2^32 − 1, the same in every run. */
function generator(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

/** The double with these bits. */
function double(high, low) {
  const view = new DataView(new ArrayBuffer(8));
  view.setUint32(0, high);
  view.setUint32(4, low);
  return view.getFloat64(0);
}

const canonical = (text) => toolwire.canonicalize(text).toString();

/** A number with more digits than a double has, so that reading and writing both have to round. */
const spelled = (value) => (Object.is(value, -0) ? '-0.0' : value.toExponential(20));

test('generated numbers have the text that V8 gives them', () => {
  const next = generator(8785);
  const values = [];
  for (let i = 0; i < 200_000; i += 1) values.push(double(next(), next()));
  for (let exponent = -323; exponent <= 308; exponent += 1) {
    for (const near of [`1e${exponent}`, `5e${exponent}`, `9.999999999999999e${exponent - 1}`]) {
      const value = Number(near);
      values.push(value, -value, value * (1 + Number.EPSILON), value * (1 - Number.EPSILON / 2));
    }
  }
  for (let power = -1074; power <= 1023; power += 1) {
    values.push(2 ** power, 2 ** power * (1 + Number.EPSILON), 2 ** power * (1 - Number.EPSILON / 2));
  }
  const finite = values.filter(Number.isFinite);
  assert(finite.length > 200_000);
  const ours = canonical(`[${finite.map(spelled)}]`).slice(1, -1).split(',');
  finite.forEach((value, i) => assert.equal(ours[i], canonicalize(value), spelled(value)));
});

test('generated names are sorted, and strings written, as the other implementation does', () => {
  const next = generator(3629);
  const characters = ['', 'a', 'B', '"', '\\', '/', '\0', '\n', '\x1f', '\x7f', 'é', '€', '\u2028', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{1f600}', '\u{10ffff}'];
  const word = () => Array.from({ length: next() % 4 }, () => characters[next() % characters.length]).join('');
  const value = (depth) => {
    switch (next() % (depth > 3 ? 4 : 6)) {
      case 0:
        return word();
      case 1:
        return next() / 1000;
      case 2:
        return next() % 2 === 0;
      case 3:
        return null;
      case 4:
        return Array.from({ length: next() % 4 }, () => value(depth + 1));
      default:
        return Object.fromEntries(Array.from({ length: next() % 20 }, () => [word(), value(depth + 1)]));
    }
  };
  const escape = (character) =>
    Array.from({ length: character.length }, (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`).join('');
  /** Escapes every other character that need not be. */
  const escaped = (text) => text.replace(/[^\x00-\x7f]/gu, (character) => (next() % 2 ? character : escape(character)));
  for (let i = 0; i < 5_000; i += 1) {
    const made = { [word()]: value(0), [word()]: value(0), [word()]: value(0) };
    assert.equal(canonical(escaped(JSON.stringify(made, null, next() % 3))), canonicalize(made));
  }
});
