// Wrong values into everything that is public: a typed error each time, no panic, and Node goes on.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isMainThread, Worker } from 'node:worker_threads';
import * as toolwire from 'toolwire';

const { ToolwireError } = toolwire;
const DOCUMENT = '{"content":[{"type":"text","text":"a"},{"type":"x"}],"structuredContent":{"n":[1]}}';
const QUESTION = { id: 'q', text: 'Which?', schema: { type: 'array', items: { enum: ['a', 'b'] } }, default: ['a'] };

/** What a value throws by itself must come out as it is. */
class Own extends Error {}
const fail = () => {
  throw new Own('by itself');
};

function deep(make, count = 5000) {
  let value = null;
  for (let i = 0; i < count; i++) value = make(value);
  return value;
}

function detached(make) {
  const view = make(8);
  structuredClone(view.buffer ?? view, { transfer: [view.buffer ?? view] });
  return view;
}

function ring() {
  const value = {};
  value.value = [value];
  return value;
}

const VALUES = {
  undefined: () => undefined,
  null: () => null,
  true: () => true,
  zero: () => 0,
  negative: () => -1,
  fraction: () => 1.5,
  'not a number': () => NaN,
  endless: () => Infinity,
  'big integer': () => 2n ** 70n,
  symbol: () => Symbol('a'),
  empty: () => '',
  text: () => 'text',
  'half a pair': () => '\ud800',
  'zero character': () => 'a\0b',
  document: () => DOCUMENT,
  question: () => ({ ...QUESTION }),
  buffer: () => Buffer.from([0xff, 0]),
  'array of bytes': () => new Uint8Array(3),
  'other view': () => new Float64Array(2),
  'data view': () => new DataView(new ArrayBuffer(4)),
  'array buffer': () => new ArrayBuffer(4),
  'shared memory': () => new Uint8Array(new SharedArrayBuffer(4)),
  'detached buffer': () => detached((size) => new ArrayBuffer(size)),
  'detached bytes': () => detached((size) => new Uint8Array(size)),
  'detached Buffer': () => detached((size) => Buffer.from(new ArrayBuffer(size))),
  array: () => [],
  'array of all': () => [null, 1, 'a', {}, undefined, Symbol('a'), () => 1],
  'array with holes': () => new Array(5),
  object: () => ({}),
  'object without prototype': () => Object.create(null),
  'object of itself': ring,
  'deep array': () => deep((value) => [value]),
  'deep object': () => deep((value) => ({ a: value })),
  'deep block': () => deep((value) => ({ type: 'text', text: 'a', _meta: { x: value } })),
  '__proto__': () => JSON.parse('{"__proto__":{"toJSON":1},"constructor":1}'),
  map: () => new Map([[1, 2]]),
  date: () => new Date(NaN),
  'regular expression': () => /a/,
  function: () => () => 1,
  class: () => class {},
  promise: () => Promise.resolve(1),
  proxy: () => new Proxy({}, { get: fail, has: fail, ownKeys: fail, getPrototypeOf: fail, getOwnPropertyDescriptor: fail }),
  'revoked proxy': () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
  getter: () => ({ get text() { return fail(); }, get id() { return fail(); }, get name() { return fail(); } }),
  toJSON: () => ({ toJSON: fail }),
  toString: () => ({ toString: fail, valueOf: fail, [Symbol.toPrimitive]: fail }),
  iterator: () => ({ [Symbol.iterator]: fail, length: 2 ** 40 }),
  error: () => new Error('x'),
  parsed: () => toolwire.parse(DOCUMENT),
  block: () => toolwire.text('a'),
  envelope: () => toolwire.envelope([toolwire.text('a')]),
};

// Those run programs, or take the process over; the classes are made by the functions.
const CALLS = ['run', 'listTools', 'connect', 'serve'];
const LEFT_OUT = [...CALLS, 'main', 'default'];

function* functions() {
  const modules = ['contract', 'mcp', 'elicitation', 'legacy', 'questions', 'schema', 'wire'].map((name) => toolwire[name]);
  for (const [name, made] of [toolwire, ...modules].flatMap((module) => Object.entries(module))) {
    if (!LEFT_OUT.includes(name) && typeof made === 'function' && !/^class\b/.test(String(made))) yield [name, made];
  }
  const parsed = toolwire.parse(DOCUMENT);
  const objects = [parsed, parsed.envelope, toolwire.text('a'), toolwire.questions.readQuestion(QUESTION), toolwire.questions.readTemplate('[1]'), toolwire.summarize(DOCUMENT)];
  for (const object of objects) {
    const prototype = Object.getPrototypeOf(object);
    if (prototype === Object.prototype) continue;
    for (const name of Object.getOwnPropertyNames(prototype)) {
      const { value } = Object.getOwnPropertyDescriptor(prototype, name);
      if (name !== 'constructor' && typeof value === 'function') yield [`${prototype.constructor?.name}.${name}`, value.bind(object)];
    }
  }
}

const FUNCTIONS = new Map(functions());

/** What was given back must be usable as well. */
function used(result) {
  if (typeof result?.next === 'function') for (let i = 0; i < 3 && !result.next().done; i++);
  if (typeof result?.catch === 'function') result.catch(() => {});
}

/** Whether it is an error that somebody may get for a wrong value. */
function allowed(error) {
  if (error instanceof ToolwireError) return typeof error.code === 'string' && typeof error.message === 'string';
  if (error instanceof Own) return true;
  // A file that is not there, for a function that reads one.
  if (['ENOENT', 'EISDIR', 'ENOTDIR', 'ERR_INVALID_ARG_VALUE', 'ERR_INVALID_ARG_TYPE'].includes(error?.code)) return true;
  // JavaScript's own, for what is done to a proxy that was revoked and to a symbol.
  return error instanceof TypeError && /revoked|Symbol|primitive/.test(error.message);
}

function held(what, call) {
  try {
    used(call());
  } catch (error) {
    assert.ok(allowed(error), `${what}: ${error?.stack ?? String(error)}`);
  }
}

for (const [name, call] of FUNCTIONS) {
  test(`wrong values into ${name} are refused with a typed error`, () => {
    for (const [what, make] of Object.entries(VALUES)) {
      held(`${name}(${what})`, () => call(make()));
      for (const first of ['a', DOCUMENT, QUESTION]) {
        held(`${name}(…, ${what})`, () => call(first, make()));
        held(`${name}(…, …, ${what})`, () => call(first, 'a', make()));
        for (const option of ['limits', 'mimeType', 'meta', 'default', 'arguments', 'known', 'root', 'maxBytes', 'choices', 'schema', 'text', 'content']) {
          held(`${name}(…, {${option}: ${what}})`, () => call(first, { [option]: make() }));
        }
      }
    }
    assert.equal(toolwire.parse(DOCUMENT).verdict, 'warnings');
  });
}

for (const name of CALLS) {
  test(`wrong options of ${name} are refused with a typed error`, async () => {
    for (const [what, make] of Object.entries(VALUES)) {
      const calls = [() => toolwire[name](make())];
      for (const option of ['answerer', 'onStderr', 'signal', 'timeout', 'cwd', 'env', 'inherit', 'maxOutput', 'stdin', 'answers', 'name', 'arguments', 'root']) {
        calls.push(() => toolwire[name](['/no/such/program'], { [option]: make() }));
        if (name === 'run') calls.push(() => toolwire.run(['/no/such/program'], { name: 'x', [option]: make() }));
      }
      for (const call of calls) {
        try {
          await call();
        } catch (error) {
          assert.ok(allowed(error), `${name}, ${what}: ${error?.stack ?? String(error)}`);
        }
      }
    }
  });
}

test('a reader of stderr that fails late, twice or for ever is told once, and Node goes on', async () => {
  const stray = [];
  const note = (error) => stray.push(error);
  process.on('unhandledRejection', note);
  const program = ['sh', '-c', 'for i in 1 2 3 4 5; do echo $i >&2; sleep 0.02; done; echo \'{"content":[]}\''];
  const thrown = new Error('by the reader');
  for (const onStderr of [
    async () => { throw thrown; },
    async () => { await null; throw thrown; },
    () => new Promise((_, reject) => setTimeout(reject, 200, thrown)),
    () => ({ then: (_, reject) => { reject(thrown); reject(thrown); } }),
    () => ({ get then() { throw thrown; } }),
    () => { throw thrown; },
  ]) {
    await assert.rejects(toolwire.run(program, { onStderr }), thrown, String(onStderr));
  }
  await new Promise((resolve) => setTimeout(resolve, 300));
  process.off('unhandledRejection', note);
  assert.deepEqual(stray, []);
});

test('workers misuse it all at once', async () => {
  const work = `
    import('toolwire').then((toolwire) => {
      const values = [undefined, 1, 'a', '\\ud800', {}, [], Symbol('a'), () => 1, new Uint8Array(2)];
      for (let i = 0; i < 3000; i++) {
        const names = Object.keys(toolwire).filter((name) => !['run', 'listTools', 'connect', 'serve', 'main', 'default'].includes(name) && typeof toolwire[name] === 'function' && !/^class\\b/.test(String(toolwire[name])));
        const name = names[(i * 7) % names.length];
        try { toolwire[name](values[i % values.length], values[(i * 5) % values.length]); } catch (error) { if (/panic/i.test(String(error))) throw error; }
      }
    });`;
  assert.ok(isMainThread);
  const workers = Array.from({ length: 4 }, () => new Worker(work, { eval: true }));
  const codes = await Promise.all(workers.map((worker) => new Promise((resolve, reject) => worker.on('exit', resolve).on('error', reject))));
  assert.deepEqual(codes, [0, 0, 0, 0]);
});
