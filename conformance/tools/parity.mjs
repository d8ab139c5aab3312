// The tools of the cases in cases/parity.json, in Node. They are there in Python and Rust too.
import { createRequire } from 'node:module';
import { join } from 'node:path';

// The package is looked up from the current folder, so that the installed one is tested.
const tw = createRequire(join(process.cwd(), 'tool.cjs'))('toolwire');

const author = {
  type: 'object',
  properties: {
    name: { type: 'string', description: 'The full name.' },
    age: { type: ['integer', 'null'] },
  },
  required: ['name'],
};
// A JSON Schema means what it says; types are closed where they are read.
const closed = { ...author, additionalProperties: false };

tw.tool(
  {
    name: 'everything',
    title: 'Everything',
    description: 'Take an argument of each type.\n\nAnd give most of them back.',
    readOnly: true,
    input: {
      type: 'object',
      properties: {
        text: { type: 'string', description: 'Some text.' },
        author: closed,
        count: { type: 'integer', description: 'How often.', default: 1 },
        ratio: { type: 'number', default: 0.5 },
        loud: { type: 'boolean', default: false },
        level: { enum: ['low', 'high'], type: 'string', description: 'How much.', default: 'low' },
        tags: { type: ['array', 'null'], items: { type: 'string' } },
        labels: { type: ['object', 'null'], additionalProperties: { type: 'integer' } },
        extra: {},
      },
      required: ['text', 'author'],
    },
    output: {
      type: 'object',
      properties: {
        text: { type: 'string' },
        count: { type: 'integer' },
        ratio: { type: 'number' },
        tags: { type: 'array', items: { type: 'string' } },
        author: { ...author, required: ['name', 'age'] },
        labels: { type: 'object', additionalProperties: { type: 'integer' } },
      },
      required: ['text', 'count', 'ratio', 'tags', 'author', 'labels'],
    },
  },
  ({ text, author, count = 1, ratio = 0.5, loud = false, tags, labels }) => ({
    text: loud ? text.toUpperCase() : text,
    count,
    ratio,
    tags: tags ?? [],
    author: { ...author, age: author.age ?? null },
    labels: labels ?? {},
  }),
);

tw.tool(
  {
    name: 'squares',
    description: 'Give a list.',
    input: { type: 'object', properties: { most: { type: 'integer' } }, required: ['most'] },
    output: { type: 'array', items: { type: 'integer' } },
  },
  ({ most }) => Array.from({ length: most }, (_, index) => (index + 1) ** 2),
);

tw.tool({ name: 'interview', description: 'Ask one thing after the other.' }, async (_, ctx) => {
  ctx.emit('Some questions.', tw.resource('file:///project/a.rs', { text: 'fn main() {}' }));
  const name = await ctx.answer('name', tw.string('Your name?', { maxLength: 20 }));
  const sizes = [{ value: 'S', label: 'Small' }, { value: 'M', label: 'Medium', description: 'fits most' }];
  const size = await ctx.answer('size', tw.select('Which size?', sizes, { default: 'M' }), { otherwise: 'M' });
  const copies = await ctx.ask('copies', tw.integer('How many?', { minimum: 1, maximum: 5 }));
  return `${name}, ${size}, ${copies.state === 'accepted' ? copies.value : copies.state}`;
});

const notes = {
  type: 'object',
  properties: { title: { type: 'string' }, author: closed, breaking: { type: 'boolean', default: false } },
  required: ['title', 'author'],
  additionalProperties: false,
};

tw.tool({ name: 'release', description: 'Ask for an object.' }, (_, ctx) => {
  const { title, author, breaking } = ctx.answer('notes', tw.form('Which notes?', notes));
  return `${title} by ${author.name}${breaking ? ', breaking' : ''}`;
});

tw.tool(
  {
    name: 'failing',
    description: 'Fail.',
    input: { type: 'object', properties: { how: { type: 'string' } }, required: ['how'] },
    destructive: false,
    idempotent: true,
    openWorld: true,
    formatArguments: ({ how }) => `fail ${how}`,
  },
  ({ how }) => {
    if (how === 'expected') throw new tw.ToolError('locked', { transient: true });
    const cause =
      how === 'transient' ? Object.assign(new Error('no answer in 5 s'), { code: 'ETIMEDOUT' }) : new Error('no luck');
    throw new Error("the page can't be read", { cause });
  },
);

tw.main();
