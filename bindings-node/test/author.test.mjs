// What an author gets from `tool` without a process: definitions, and calls in a unit test.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import { boolean, form, integer, multiSelect, number, page, select, Stop, string, text, tool, ToolError, ToolwireError } from 'toolwire';
import * as z from 'zod';
import * as toolwire from 'toolwire';
import * as v from 'valibot';
import { read } from './repository.mjs';

const refusal = (pointer, words) => (error) => {
  assert.ok(error instanceof ToolwireError, String(error));
  assert.equal(error.pointer, pointer);
  assert.match(error.message, words);
  return true;
};

const greet = tool(
  { name: 'greet', input: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } },
  async ({ name }, ctx) => {
    if (!ctx.answer('sure', boolean('Sure?'), { otherwise: false })) return 'Left alone.';
    return `Hello ${name}.`;
  },
);

test('a tool is called in a unit test without a process', async () => {
  const asked = await greet.call({ name: 'Ada' });
  assert.deepEqual(asked.toJSON(), { content: [{ type: 'question', question: { id: 'sure', schema: { type: 'boolean' }, text: 'Sure?' } }] });
  const answered = await greet.call({ name: 'Ada' }, { answers: { sure: true } });
  assert.equal(answered.blocks[0].text, 'Hello Ada.');
  const declined = await greet.call({ name: 'Ada' }, { states: { sure: 'declined' } });
  assert.equal(declined.blocks[0].text, 'Left alone.');
  const wrong = await greet.call({ name: 3 });
  assert.ok(wrong.isError);
  assert.match(wrong.blocks[0].text, /^the arguments of `greet` do not fit: `\/name`: /);
  assert.match((await greet.call()).blocks[0].text, /`\/name`/);
  assert.match((await greet.call({ name: undefined })).blocks[0].text, /`\/name`/);
});

test('the context tells where the tool stands', async () => {
  const where = tool({ name: 'where' }, (_, ctx) => ({ root: ctx.root ?? null, options: ctx.options, action: ctx.action }));
  assert.deepEqual((await where.call()).structuredContent, { root: null, options: {}, action: 'run' });
  const given = await where.call({}, { root: '/project', options: { deep: [1] } });
  assert.deepEqual(given.structuredContent, { root: '/project', options: { deep: [1] }, action: 'run' });
});

test('a call of another action runs another function', async () => {
  const run = () => assert.fail('it does its job');
  const told = tool({ name: 'told', formatArguments: async () => 'Nothing will happen.' }, run);
  assert.equal((await told.call({}, { action: 'format_arguments' })).blocks[0].text, 'Nothing will happen.');
  const silent = tool({ name: 'silent' }, run);
  assert.deepEqual((await silent.call({}, { action: 'format_arguments' })).toJSON(), { content: [] });
});

test('a tool tells itself as MCP has it', () => {
  const described = tool(
    { name: 'a.b-c_1', title: 'A', description: 'Does it.', input: z.object({ path: z.string().describe('Which'), limit: z.int().default(3) }), output: z.int(), readOnly: true, openWorld: false },
    () => 3,
  );
  assert.deepEqual(described.toJSON(), {
    name: 'a.b-c_1',
    title: 'A',
    description: 'Does it.',
    inputSchema: {
      type: 'object',
      properties: { path: { type: 'string', description: 'Which' }, limit: { type: 'integer', default: 3 } },
      required: ['path'],
      additionalProperties: false,
    },
    outputSchema: { type: 'object', properties: { result: { type: 'integer' } }, required: ['result'] },
    annotations: { readOnlyHint: true, openWorldHint: false },
    _meta: { 'dev.toolwire/warm': true },
  });
});

test('a schema of arguments is that of what comes in, a schema of output that of what goes out', () => {
  const schema = z.object({ at: z.string().transform(Number).pipe(z.number()), limit: z.int().default(3) });
  const { inputSchema, outputSchema } = tool({ name: 'sides', input: schema, output: schema }, (args) => args).toJSON();
  assert.deepEqual([inputSchema.properties.at, inputSchema.required], [{ type: 'string' }, ['at']]);
  assert.deepEqual([outputSchema.properties.at, outputSchema.required], [{ type: 'number' }, ['at', 'limit']]);
});

test('whatever a library has to say of the arguments is told with its place', async () => {
  const issues = [{ message: 'is odd', path: [{ key: 'a/b' }, 0] }, { message: 'is alone', path: ['a/b'] }, { message: 'is nothing' }];
  const json = () => ({ type: 'object' });
  const schema = { '~standard': { version: 1, vendor: 'own', validate: () => ({ issues }), jsonSchema: { input: json, output: json } } };
  const answer = await tool({ name: 'own', input: schema }, () => assert.fail('it runs')).call({});
  assert.equal(answer.blocks[0].text, 'the arguments of `own` do not fit:\n- `/a~1b/0`: is odd\n- `/a~1b`: is alone\n- is nothing');
});

test('what is no tool is refused where it is defined', () => {
  const run = () => 'a';
  assert.throws(() => tool('a', run), refusal('/definition', /an object with its `name`/));
  assert.throws(() => tool({ name: 'a' }), refusal('/run', /function, not `undefined`/));
  assert.throws(() => tool({ name: 'a', readonly: true }, run), refusal('/readonly', /there are .*`readOnly`/));
  assert.throws(() => tool({ name: 'a b' }, run), refusal('/0/name', /./));
  assert.throws(() => tool({}, run), refusal('/0/name', /./));
  assert.throws(() => tool({ name: 'a', description: 3 }, run), refusal('/0/description', /./));
  assert.throws(() => tool({ name: 'a', readOnly: 'yes' }, run), refusal('/0/annotations/readOnlyHint', /./));
  assert.throws(() => tool({ name: 'a', formatArguments: 'yes' }, run), refusal('/formatArguments', /a function/));
});

test('what is no schema is refused, with what to give instead', () => {
  const make = (input) => tool({ name: 'a', input }, () => 'a');
  assert.throws(() => make('string'), refusal('/input', /a JSON Schema or a Standard Schema, not a string/));
  assert.throws(() => make([]), refusal('/input', /not `Array`/));
  assert.throws(() => make({ type: 'string' }), refusal('/input', /an object, and this is a schema of the type "string"/));
  assert.throws(() => make(z.string()).toJSON(), refusal('/input', /a schema of the type "string"/));
  assert.throws(() => make({ path: z.string() }), refusal('/input', /one schema, not an object of schemas such as `path`/));
  assert.throws(() => make(v.object({})), refusal('/input', /valibot cannot tell its JSON Schema; give `toStandardJsonSchema\(schema\)`/));
  const old = { '~standard': { version: 1, vendor: 'zod', validate: () => ({ value: 1 }) } };
  assert.throws(() => make(old), refusal('/input', /use zod 4.2 or later, or give `z.toJSONSchema\(schema\)`/));
  const unknown = { '~standard': { version: 1, vendor: 'shape', validate: () => ({ value: 1 }) } };
  assert.throws(() => make(unknown), refusal('/input', /shape cannot tell its JSON Schema; give its JSON Schema/));
  assert.throws(() => make(z.object({ at: z.date() })).toJSON(), refusal('/input', /zod cannot give the JSON Schema of `input`, at `at`: Date cannot/));
  assert.throws(() => make({ type: 'object', default: undefined }).toJSON(), refusal('/input/default', /`undefined` has no place/));
});

test('each kind of ask makes its schema', () => {
  const asks = {
    boolean: boolean('Sure?', { default: true }),
    select: select('Which?', ['a', { value: 'b', label: 'B', description: 'The second' }], { default: 'a' }),
    multiSelect: multiSelect('Which?', [1, 2], { minItems: 1 }),
    string: string('Name?', { maxLength: 3, default: 'a' }),
    number: number('How much?', { minimum: 0.5 }),
    integer: integer('How many?', { minimum: 1, maximum: 3 }),
    form: form('Who?', { type: 'object', properties: { name: { type: 'string' } } }, { default: { name: 'Ada' } }),
    zod: form('Who?', z.object({ name: z.string() })),
  };
  const made = Object.fromEntries(Object.entries(asks).map(([kind, ask]) => [kind, ask.toJSON()]));
  assert.deepEqual(made.boolean, { text: 'Sure?', schema: { type: 'boolean' }, default: true });
  assert.equal(made.select.default, 'a');
  assert.match(JSON.stringify(made.select.schema), /"B".*|"The second"/);
  assert.deepEqual(made.multiSelect, { text: 'Which?', schema: { type: 'array', items: { enum: [1, 2], type: 'integer' }, minItems: 1, uniqueItems: true } });
  assert.deepEqual(made.string, { text: 'Name?', schema: { type: 'string', maxLength: 3 }, default: 'a' });
  assert.deepEqual(made.number.schema, { type: 'number', minimum: 0.5 });
  assert.deepEqual(made.integer.schema, { type: 'integer', minimum: 1, maximum: 3 });
  assert.deepEqual(made.form, { text: 'Who?', schema: { type: 'object', properties: { name: { type: 'string' } } }, default: { name: 'Ada' } });
  assert.equal(made.zod.schema.properties.name.type, 'string');
  assert.equal(String(asks.boolean), '{"default":true,"schema":{"type":"boolean"},"text":"Sure?"}');
});

test('an ask that could never be answered is refused', () => {
  assert.throws(() => boolean('Sure?', { default: 'yes' }), refusal('/default', /./));
  assert.throws(() => select('Which?', []), refusal('/choices', /./));
  assert.throws(() => string('Name?', { maxlength: 3 }), refusal('/maxlength', /./));
  assert.throws(() => string('Name?', 'Ada'), refusal('', /the options of an ask are an object/));
  assert.throws(() => form('Who?', z.date()), refusal('/schema', /zod cannot give/));
});

test('a context says what is asked wrongly', async () => {
  const asking = (ask) => tool({ name: 'asking' }, (_, ctx) => ask(ctx)).call();
  const cases = [
    [(ctx) => ctx.ask(3, boolean('Sure?')), /id of a question is a string/],
    [(ctx) => ctx.answer('sure', 'Sure?'), /an ask is made by `boolean\(…\)`/],
    [(ctx) => ctx.answer('sure', boolean('Sure?'), { othrwise: 1 }), /`othrwise` is not an option here/],
    [(ctx) => ctx.answers([boolean('Sure?')]), /an object of asks by their ids/],
    [(ctx) => ctx.emit({ type: 'text', text: 'a' }), /a tool emits blocks/],
    [(ctx) => ctx.emit(undefined), /a tool emits blocks/],
  ];
  for (const [ask, words] of cases) {
    const answer = await asking(ask);
    assert.ok(answer.isError);
    assert.match(answer.blocks[0].text, words);
  }
});

test('asking throws a class that an author can tell from others', async () => {
  const ask = boolean('Sure?');
  for (const asks of [(ctx) => ctx.answer('sure', ask), (ctx) => ctx.ask('sure', ask), (ctx) => ctx.answers({ sure: ask })]) {
    let thrown;
    const asking = tool({ name: 'asking' }, (_, ctx) => {
      try {
        asks(ctx);
      } catch (error) {
        thrown = error;
        throw error;
      }
    });
    await asking.call();
    assert.ok(thrown instanceof Stop && thrown instanceof Error);
    assert.equal(thrown.name, 'Stop');
  }
});

test('several questions come at once, and each goes its way', async () => {
  const asking = tool({ name: 'asking' }, (_, ctx) => {
    ctx.emit('before', text('and before'));
    return ctx.answers({ a: boolean('A?'), b: string('B?') }, { otherwise: null });
  });
  const ids = (answer) => answer.blocks.filter((block) => block.type === 'question').map((block) => block.question.id);
  const first = await asking.call();
  assert.deepEqual(first.blocks.map((block) => block.type), ['text', 'text', 'question', 'question']);
  assert.deepEqual(ids(await asking.call({}, { answers: { a: false } })), ['b']);
  const both = await asking.call({}, { answers: { a: false }, states: { b: 'cancelled' } });
  assert.deepEqual(both.structuredContent, { a: false, b: null });
});

test('a value that was declined is asked for again where the tool cannot do without', async () => {
  const asking = tool({ name: 'asking' }, (_, ctx) => ctx.answers({ a: boolean('A?'), b: boolean('B?') }));
  const answer = await asking.call({}, { answers: { a: false }, states: { b: 'declined' } });
  assert.deepEqual(answer.blocks.map((block) => block.question?.id), ['b']);
});

test('a page is opened, and asked for again', async () => {
  const login = page('Sign in', 'https://example.org/login');
  const asking = tool({ name: 'asking', input: { properties: { again: { type: 'boolean' } } } }, ({ again }, ctx) => ({
    state: ctx.ask('login', login, { again }).state,
    value: ctx.answer('login', login, { otherwise: false }),
  }));
  const first = await asking.call({});
  assert.deepEqual(first.blocks[0].question.url, 'https://example.org/login');
  const opened = { states: { login: 'opened' } };
  assert.deepEqual((await asking.call({}, opened)).structuredContent, { state: 'opened', value: true });
  assert.equal((await asking.call({ again: true }, opened)).blocks[0].question.id, 'login');
  const declined = await asking.call({ again: true }, { states: { login: 'declined' } });
  assert.deepEqual(declined.structuredContent, { state: 'declined', value: false });
  assert.throws(() => page('Sign in', 'file:///etc/passwd'), { code: 'bad_argument', pointer: '/url' });
});

test('null is an answer', async () => {
  const asking = tool({ name: 'asking' }, (_, ctx) => ({ got: ctx.answer('a', select('A?', ['x', null]), { otherwise: 'none' }) }));
  assert.deepEqual((await asking.call({}, { answers: { a: null } })).structuredContent, { got: null });
});

test('types of zod have the schemas that they have in every language', () => {
  const schema = (type) => tool({ name: 'types', input: z.object({ it: type }) }, () => undefined).toJSON().inputSchema;
  const cases = [
    [z.string(), { type: 'string' }],
    [z.boolean(), { type: 'boolean' }],
    [z.int(), { type: 'integer' }],
    [z.int().min(0), { type: 'integer', minimum: 0 }],
    [z.number(), { type: 'number' }],
    [z.string().nullable(), { type: ['string', 'null'] }],
    [z.enum(['a', 'b']), { type: 'string', enum: ['a', 'b'] }],
    [z.array(z.int()), { type: 'array', items: { type: 'integer' } }],
    [z.object({ a: z.string() }), { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false }],
    [z.record(z.string(), z.int()), { type: 'object', additionalProperties: { type: 'integer' } }],
    [z.any(), {}],
  ];
  for (const [type, expected] of cases) assert.deepEqual(schema(type).properties.it, expected);
  assert.deepEqual(schema(z.string()).required, ['it']);
  assert.deepEqual(schema(z.string().optional()).required, undefined);
  assert.deepEqual(schema(z.string().default('a')), { type: 'object', properties: { it: { type: 'string', default: 'a' } }, additionalProperties: false });
});

test('the names that the reference lists for authors are there', async () => {
  const [, chapter] = read('docs', 'reference', 'libraries.md').split('\n## Writing a tool\n');
  const [header, , ...rows] = chapter.split('\n').filter((line) => line.startsWith('|')).map((line) => line.split('|').map((cell) => cell.trim()));
  const names = rows.map((row) => row[header.indexOf('Node')].replaceAll('`', ''));
  assert.ok(names.length >= 10);
  for (const name of names) assert.equal(typeof toolwire[name], 'function', name);
  const words = [...chapter.split('The function gets a *context* with ')[1].split('.')[0].matchAll(/`(\w+)`/g)].map(([, word]) => word);
  assert.ok(words.length >= 8);
  const context = await new Promise((resolve) => { tool({ name: 'names' }, (_, ctx) => resolve(ctx)).call({}, { root: '/project' }); });
  for (const word of words) assert.notEqual(context[word], undefined, word);
});

// AUTH-73: what a library would strip in silence is refused, unless its schema says that it takes more.
test('a misspelt member of a type is refused at every level', async () => {
  const notes = z.object({ title: z.string(), breaking: z.boolean().default(false) });
  const libraries = {
    zod: z.object({ notes, id: z.int().optional() }),
    valibot: toStandardJsonSchema(v.object({ notes: v.object({ title: v.string(), breaking: v.optional(v.boolean()) }), id: v.optional(v.number()) })),
    arktype: type({ notes: { title: 'string', 'breaking?': 'boolean' }, 'id?': 'number' }),
  };
  for (const [name, input] of Object.entries(libraries)) {
    const known = tool({ name, input }, (args) => args);
    assert.equal((await known.call({ notes: { title: 'Hey', breaking: true } })).structuredContent.notes.breaking, true, name);
    const wrong = await known.call({ notes: { title: 'Hey', braking: true }, idd: 3 });
    assert.equal(wrong.blocks[0].text, `the arguments of \`${name}\` do not fit:
- \`/idd\`: \`idd\` is not expected; did you mean \`id\`?
- \`/notes/braking\`: \`notes.braking\` is not expected; did you mean \`breaking\`?`);
    const asking = tool({ name: `${name}-asks` }, (_, ctx) => ctx.answer('notes', form('Which notes?', libraries[name])));
    assert.deepEqual((await asking.call()).blocks[0].question.schema.additionalProperties, false);
    await assert.rejects(asking.call({}, { answers: { notes: { notes: { title: 'Hey', braking: true } } } }), {
      name: 'ToolError',
      message: 'the answer to `notes` does not fit: `/notes/braking`: `notes.braking` is not expected; did you mean `breaking`?',
    });
  }
});

test('a type can say that it takes more', async () => {
  const more = { a: 1, more: 2 };
  const open = [
    z.looseObject({ a: z.int() }),
    z.object({ a: z.int() }).catchall(z.int()),
    z.record(z.string(), z.int()),
    toStandardJsonSchema(v.objectWithRest({ a: v.number() }, v.number())),
    type({ a: 'number', '[string]': 'number' }),
    { type: 'object', properties: { a: { type: 'integer' } } },
  ];
  for (const [index, schema] of open.entries()) {
    // A JSON Schema that the author has written means what it says below the top.
    const asking = tool({ name: `open${index}` }, (_, ctx) => ctx.answer('it', form('Which?', schema)));
    assert.deepEqual((await asking.call({}, { answers: { it: more } })).structuredContent, more, String(index));
  }
  const both = tool({ name: 'both', input: z.object({ it: z.intersection(z.object({ a: z.int() }), z.object({ b: z.int() })) }) }, (args) => args);
  assert.deepEqual((await both.call({ it: { a: 1, b: 2 } })).structuredContent, { it: { a: 1, b: 2 } });
  assert.match((await both.call({ it: { a: 1, b: 2, c: 3 } })).blocks[0].text, /`it.c` is not expected/);
});

test('a pattern that only JavaScript knows hides no misspelt member', async () => {
  const input = z.object({ word: z.string().regex(/^\p{Script_Extensions=Latin}+$/v), 'dry-run': z.boolean().default(false) });
  const known = tool({ name: 'pattern', input }, ({ word }) => word);
  assert.equal((await known.call({ word: 'abc' })).blocks[0].text, 'abc');
  assert.match((await known.call({ word: '123' })).blocks[0].text, /`\/word`: /);
  assert.match((await known.call({ word: 'abc', 'dry_run': true })).blocks[0].text, /`dry_run` is not expected; did you mean `dry-run`\?/);
});

test('a test is told of answers that do not fit, and which one is missing', async () => {
  const counts = tool({ name: 'counts' }, (_, ctx) => `${ctx.ask('n', integer('How many?', { maximum: 5 })).value}`);
  await assert.rejects(counts.call({}, { answers: { n: '3' } }), { name: 'ToolError', message: 'the answer to `n` does not fit: the value must be a whole number, not `"3"`' });
  await assert.rejects(counts.call({}, { answers: { n: 7 } }), { name: 'ToolError', message: 'the answer to `n` does not fit: the value must be at most 5, not `7`' });
  assert.deepEqual((await counts.call({}, { answers: { m: 3 } })).blocks.map(({ question }) => question.id), ['n']);
});

test('what is expected to go wrong is an error of its own', () => {
  const cause = new Error('deep');
  const error = new ToolError('no such branch', { transient: true, cause });
  assert.ok(error instanceof Error);
  assert.deepEqual([error.name, error.message, error.transient, error.cause], ['ToolError', 'no such branch', true, cause]);
  assert.equal('transient' in new ToolError('no such branch'), false);
  assert.throws(() => new ToolError('no such branch', { transent: true }), refusal('/transent', /no option `transent`|transent/));
});

test('what a generator returns comes after what it yields', async () => {
  const total = tool({ name: 'total' }, function* () {
    yield 'one';
    return 'two';
  });
  assert.deepEqual((await total.call()).blocks.map((block) => block.text), ['one', 'two']);
});

test('a schema that nothing can be checked with is named with its place', () => {
  const bad = tool({ name: 'bad', input: { type: 'object', properties: { a: { type: 'text' } } } }, () => 'x');
  assert.throws(() => bad.toJSON(), refusal('/inputSchema/properties/a/type', /must be a type/));
  // One of an older dialect is read as it is meant.
  const pair = { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', properties: { pair: { type: 'array', items: [{ type: 'number' }] } } };
  const cut = tool({ name: 'cut', input: pair }, () => 'x');
  assert.deepEqual(cut.toJSON().inputSchema.properties.pair.prefixItems, [{ type: 'number' }]);
});
