'use strict';
// What is asked: a text, the schema of the answer, and a default. The core makes it.

const native = require('./native.cjs');
const { call: apiCall } = require('./call.cjs');
const { call, refuse } = require('./error.cjs');
const { given, kindOf } = require('./input.cjs');
const { write, readFor, JSON_TEXT } = require('./value.cjs');
const { isStandard, jsonSchemaOf } = require('./author-schema.cjs');

/** A question without its id: what `boolean(…)` and its like make. */
class Ask {
  #json;

  constructor(json) {
    this.#json = json;
  }

  toJSON(key) {
    return readFor(key, this.#json);
  }

  toString() {
    return this.#json;
  }

  [JSON_TEXT]() {
    return this.#json;
  }
}

/** Makes an ask of one kind; the core knows which options it has. */
function ask(kind, positional, options = {}) {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    refuse('bad_argument', '', `the options of an ask are an object, not ${kindOf(options)}`);
  }
  const parts = { ...options, ...positional };
  if ('schema' in positional) {
    const told = jsonSchemaOf(positional.schema, 'input', '/schema');
    // What a library has generated is told as in every language.
    const schema = isStandard(positional.schema) ? write(apiCall('tidy_schema', [told])) : told;
    parts.schema = { [JSON_TEXT]: () => schema };
  }
  return new Ask(call(native.askFromArgs, kind, write(given(parts))));
}

/** The JSON text of an ask that an author hands in. */
function textOfAsk(asked, pointer) {
  if (asked instanceof Ask) return String(asked);
  return refuse('bad_argument', pointer, `an ask is made by \`boolean(…)\`, \`select(…)\`, \`string(…)\` or their like; this is ${kindOf(asked)}`);
}

module.exports = { Ask, ask, textOfAsk };
