'use strict';
// Schemas that an author gives: a JSON Schema, or an object of a library that keeps to the Standard
// Schema interface and can give one. The libraries themselves are never loaded from here.

const { call } = require('./call.cjs');
const { refuse } = require('./error.cjs');
const { kindOf } = require('./input.cjs');
const { write } = require('./value.cjs');

/** What to give in place of a schema that cannot tell its JSON Schema, by the name of its library. */
const INSTEAD = {
  zod: 'use zod 4.2 or later, or give `z.toJSONSchema(schema)`',
  valibot: 'give `toStandardJsonSchema(schema)` of `@valibot/to-json-schema`',
  arktype: 'use arktype 2.1.28 or later, or give `schema.toJsonSchema()`',
};

/** Whether an object has the Standard Schema interface; those of some libraries are functions. */
function isStandard(schema) {
  if ((typeof schema !== 'object' || schema === null) && typeof schema !== 'function') return false;
  return typeof schema['~standard'] === 'object' && schema['~standard'] !== null;
}

/** Refuses what is no schema, without the cost of converting it. */
function expectSchema(schema, pointer) {
  const name = pointer.slice(1);
  if (isStandard(schema)) {
    const { vendor, jsonSchema } = schema['~standard'];
    if (typeof jsonSchema?.input === 'function' && typeof jsonSchema.output === 'function') return;
    refuse('bad_argument', pointer, `this schema of ${vendor} cannot tell its JSON Schema; ${INSTEAD[vendor] ?? 'give its JSON Schema'}`);
  }
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) {
    refuse('bad_argument', pointer, `\`${name}\` is a JSON Schema or a Standard Schema, not ${kindOf(schema)}`);
  }
  const member = Object.keys(schema).find((key) => isStandard(schema[key]));
  if (member !== undefined) {
    refuse('bad_argument', pointer, `\`${name}\` is one schema, not an object of schemas such as \`${member}\`; put an object schema of the library around them`);
  }
}

/** Refuses a JSON Schema of arguments that says itself that it is for something else than an object. */
function expectObject({ type }, pointer) {
  if (type !== undefined && type !== 'object') {
    refuse('bad_argument', pointer, `the arguments are an object, and this is a schema of the type ${JSON.stringify(type)}`);
  }
}

/**
 * The JSON Schema of a schema as JSON text. `side` is `input` for values that come to the tool,
 * `output` for those that it gives, which differ where a schema has defaults or transforms.
 */
function jsonSchemaOf(schema, side, pointer) {
  expectSchema(schema, pointer);
  const path = [pointer.slice(1)];
  if (!isStandard(schema)) return write(schema, 'bad_argument', path);
  const { vendor, jsonSchema } = schema['~standard'];
  let converted;
  try {
    converted = jsonSchema[side]({ target: 'draft-2020-12' });
  } catch (error) {
    const inside = failing(schema, side);
    const place = inside.length > 0 ? `${path[0]}\`, at \`${inside.join('.')}` : path[0];
    refuse('bad_argument', pointer, `${vendor} cannot give the JSON Schema of \`${place}\`: ${error?.message ?? error}`);
  }
  const text = write(converted, 'bad_argument', path);
  // A library would strip what its types do not have, and nobody would notice a misspelt name (AUTH-73).
  return side === 'input' ? write(call('close_schema', [text])) : text;
}

/** The names that lead to the property whose schema cannot be converted, as far as the schema shows its properties. */
function failing(schema, side) {
  for (const [name, inner] of Object.entries(schema.shape ?? {})) {
    if (!isStandard(inner)) continue;
    try {
      inner['~standard'].jsonSchema[side]({ target: 'draft-2020-12' });
    } catch {
      return [name, ...failing(inner, side)];
    }
  }
  return [];
}

/**
 * What a schema of a library makes of a value: `{ value }`, or `{ mismatches }` with pointers and
 * messages, or a promise of that. A JSON Schema makes nothing of it.
 */
function transform(schema, value) {
  const validate = isStandard(schema) ? schema['~standard'].validate : undefined;
  // The interface that gives the JSON Schema does not demand the one that validates.
  if (typeof validate !== 'function') return { value };
  return validated(validate, value);
}

async function validated(validate, value) {
  const result = await validate(value);
  if (result.issues === undefined) return { value: result.value };
  return { mismatches: result.issues.map(({ path = [], message }) => ({ path: path.map(stepOf), message })) };
}

/** A step of a path is a key, or an object that has one. */
function stepOf(step) {
  return typeof step === 'object' && step !== null ? step.key : step;
}

module.exports = { isStandard, expectSchema, expectObject, jsonSchemaOf, transform };
