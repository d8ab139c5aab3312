// What a tool's program does with a call, each time with a real process of the installed package.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse, wire } from 'toolwire';
const { readDescription } = wire;

const tools = fileURLToPath(new URL('author-tools', import.meta.url));
const workshop = join(tools, 'workshop.mjs');

/** A call document. */
function call(name, args = {}, { action = 'run', root, options, answers, states } = {}) {
  return JSON.stringify({ tool: { name, arguments: args, options, answers, 'dev.toolwire/answers': states }, context: { action, root } });
}

/** Runs a program with a text on its stdin, as a host does, and reads what it wrote. */
function run(program, input, env = {}) {
  const done = spawnSync(process.execPath, [program], {
    input,
    encoding: 'utf8',
    maxBuffer: 100_000_000,
    timeout: 60_000,
    env: { ...process.env, TOOLWIRE_CALL: 'stdin', ...env },
  });
  assert.equal(done.signal, null, 'it ended by itself');
  return { ...done, parsed: parse(done.stdout) };
}

/** The answer of a tool of the workshop; it is valid, and the status is that of the answer. */
function answer(name, args, options) {
  const { status, parsed, stdout, stderr } = run(workshop, call(name, args, options));
  assert.equal(parsed.verdict, 'valid', stdout + stderr);
  // Only an error has something to say beside the answer.
  if (!parsed.isError) assert.equal(stderr, '');
  assert.equal(status, parsed.isError ? 1 : 0);
  return parsed;
}

const texts = (parsed) => parsed.envelope.blocks.map((block) => block.text);
const document = (parsed) => parsed.envelope.toJSON();

test('a tool asks, and does its job when it is called again with the answer', () => {
  const args = { path: 'a', to: 'b' };
  const context = { type: 'text', text: 'a is not under version control.' };
  const question = { id: 'confirm', text: 'Rename a to b?', schema: { type: 'boolean' }, default: true };
  assert.deepEqual(document(answer('rename', args)), { content: [context, { type: 'question', question }] });
  assert.deepEqual(texts(answer('rename', args, { answers: { confirm: true } })), [context.text, 'Renamed a to b.']);
  assert.deepEqual(texts(answer('rename', args, { answers: { confirm: false } })), [context.text, 'Left as it was.']);
  // A question without a value is asked again, so that the host says why there is none.
  const declined = answer('rename', args, { states: { confirm: { state: 'declined', source: 'user' } } });
  assert.deepEqual(document(declined).content[1].question, question);
});

test('an answer has a state, and a tool may go on without a value', () => {
  const told = (options) => answer('tells', {}, options).structuredContent;
  assert.deepEqual(told({ answers: { notify: false }, states: { notify: { state: 'accepted', source: 'policy' } } }), { state: 'accepted', source: 'policy', value: false, accepted: true });
  assert.deepEqual(told({ answers: { notify: true } }), { state: 'accepted', source: null, value: true, accepted: true });
  for (const state of ['declined', 'cancelled', 'unavailable']) {
    assert.deepEqual(told({ states: { notify: { state } } }), { state, source: null, value: null, accepted: false });
    assert.deepEqual(texts(answer('falls', {}, { states: { notify: { state } } })), ['nobody said']);
  }
  assert.deepEqual(texts(answer('falls', {}, { answers: { notify: false } })), ['false']);
});

test('several questions come in one answer', () => {
  const ids = answer('lists').envelope.blocks.map((block) => block.question.id);
  assert.deepEqual(ids, ['branch', 'name']);
  assert.deepEqual(texts(answer('lists', {}, { answers: { branch: 'main', name: 'Ada' } })), ['main Ada']);
});

test('a question stands, whatever the author does with what asking throws', () => {
  for (const end of ['return', 'throw', 'exit']) {
    const parsed = answer('swallows', { end });
    assert.equal(parsed.isError, false, end);
    assert.deepEqual(parsed.envelope.blocks.map((block) => block.question?.id), ['sure'], end);
  }
  assert.deepEqual(texts(answer('swallows', { end: 'return' }, { answers: { sure: true } })), ['done anyway']);
  assert.match(texts(answer('confused'))[0], /an ask is made by/);
});

test('format_arguments says what the arguments mean and does not do the job', () => {
  const parsed = answer('rename', { path: 'a', to: 'b' }, { action: 'format_arguments' });
  assert.deepEqual(texts(parsed), ['mv a b']);
  assert.deepEqual(document(answer('big', {}, { action: 'format_arguments' })), { content: [] });
  assert.equal(answer('rename', { path: 3 }, { action: 'format_arguments' }).isError, true);
});

test('the context holds what the call says', () => {
  const { structuredContent } = answer('context', { path: 'a' }, { root: '/project', options: { deep: { er: [1] } } });
  assert.deepEqual(structuredContent, { args: { path: 'a' }, action: 'run', root: '/project', options: { deep: { er: [1] } }, raw: { path: 'a' } });
});

test('arguments that do not fit never reach the function', () => {
  const told = (args) => texts(answer('context', args))[0];
  assert.match(told({}), /^the arguments of `context` do not fit: `\/path`: /);
  assert.match(told({ path: 'a', limit: 0 }), /`\/limit`: /);
  assert.match(told({ path: 'a', more: 1 }), /`\/more`: /);
  assert.equal(told({ path: 3, limit: 'x' }).split('\n').length, 3);
});

test('whatever a function returns becomes an answer', () => {
  const returned = (what) => document(answer('returns', { what }));
  assert.deepEqual(returned('text'), { content: [{ type: 'text', text: 'plain words' }] });
  assert.deepEqual(returned('nothing'), { content: [] });
  assert.deepEqual(returned('object'), { content: [], structuredContent: { a: 10, b: [1, null] } });
  assert.deepEqual(returned('null'), { content: [], structuredContent: { result: null } });
  assert.deepEqual(returned('bytes'), { content: [{ type: 'text', text: 'bytes of a child' }] });
  assert.match(texts(answer('returns', { what: 'binary' }))[0], /bytes that are no text/);
  assert.deepEqual(texts(answer('yields')), ['one', 'two']);
  assert.deepEqual(returned('number'), { content: [], structuredContent: { result: 3 } });
  assert.deepEqual(returned('block'), { content: [{ type: 'resource', resource: { uri: 'file:///project/a', text: 'a' } }] });
  assert.deepEqual(returned('blocks'), { content: [{ type: 'text', text: 'one' }, { type: 'text', text: 'two' }] });
  assert.deepEqual(returned('none'), { content: [] });
  assert.deepEqual(returned('strings'), { content: [], structuredContent: { result: ['a', 'b'] } });
  assert.deepEqual(returned('envelope'), { content: [{ type: 'text', text: 'whole' }], structuredContent: { whole: true } });
  assert.deepEqual(returned('parsed'), { content: [{ type: 'text', text: 'raw output of another tool' }] });
  assert.equal(answer('returns', { what: 'error' }).transient, true);
  assert.match(texts(answer('returns', { what: 'wrong' }))[0], /`undefined` has no place in JSON/);
  assert.deepEqual(document(answer('counts')), { content: [], structuredContent: { result: 3 } });
  assert.deepEqual(document(answer('names')), { content: [], structuredContent: { result: [] } });
  assert.deepEqual(document(answer('word')), { content: [], structuredContent: { result: 'a word' } });
});

test('an error is told with its causes, and its stack stands on stderr alone', () => {
  const { parsed, status, stdout, stderr } = run(workshop, call('fails', { how: 'chain' }));
  assert.equal(status, 1);
  assert.deepEqual(texts(parsed), ['as far as it came', 'cannot read the page']);
  assert.deepEqual(parsed.trace, ['not now', 'the modem']);
  assert.equal(parsed.transient, false);
  assert.match(stderr, /Error: cannot read the page\n +at /);
  assert.doesNotMatch(stderr, /toolwire.index\.cjs/, 'the stack begins in the author\'s own code');
  assert.doesNotMatch(stdout, / at /);
  const told = (how) => answer('fails', { how });
  assert.deepEqual(told('together').trace, ['first', 'second']);
  assert.deepEqual(texts(told('nameless')).slice(1), ['RangeError']);
  assert.deepEqual(texts(told('words')).slice(1), ['just words']);
  assert.deepEqual(texts(told('object')).slice(1), ['{"reason":"because"}']);
  assert.deepEqual(texts(told('nothing')).slice(1), ['the tool failed']);
});

test('an error that may pass by itself is transient', () => {
  for (const [how, transient] of [['busy', true], ['deep', true], ['missing', false], ['chain', false], ['told', true], ['known', false]]) {
    assert.equal(answer('fails', { how }).transient, transient, how);
  }
  assert.equal(answer('connects').isError, true);
});

test('what is printed does not get into the answer, nor what a child prints', () => {
  const { parsed, stdout, stderr } = run(workshop, call('noisy'));
  assert.deepEqual(texts(parsed), ['the answer']);
  assert.equal(stdout.split('\n').length, 2);
  assert.equal(stderr, 'a line for debugging\n{"content":[]}\na child\n');
  // Not even what is printed before the tools are ready.
  const early = run(join(tools, 'chosen.mjs'), call('chosen'));
  assert.deepEqual([texts(early.parsed), early.stderr], [['this one'], 'starting\n']);
});

test('the result channel takes the answer, and stdout stays what it is', () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolwire-'));
  try {
    const file = join(folder, 'result');
    writeFileSync(file, '');
    const { stdout, status } = run(workshop, call('noisy'), { TOOLWIRE_RESULT: file });
    assert.equal(readFileSync(file, 'utf8'), '{"content":[{"text":"the answer","type":"text"}]}');
    assert.equal(stdout, 'a line for debugging\n{"content":[]}\na child\n');
    assert.equal(status, 0);
    const lost = run(workshop, call('counts'), { TOOLWIRE_RESULT: join(folder, 'no', 'such') });
    assert.deepEqual([lost.status, lost.stdout], [2, '']);
    assert.match(lost.stderr, /the answer can't be written/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a program that the tool starts is not called by the host', () => {
  assert.deepEqual(texts(answer('inherits')), ['[ undefined, undefined ]']);
  const folder = mkdtempSync(join(tmpdir(), 'toolwire-'));
  try {
    const file = join(folder, 'result');
    run(workshop, call('inherits'), { TOOLWIRE_RESULT: file });
    assert.deepEqual(texts(parse(readFileSync(file))), ['[ undefined, undefined ]']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a large answer goes whole into a pipe that is slow, and out of one that is', async () => {
  const child = spawn(process.execPath, [workshop], { env: { ...process.env, TOOLWIRE_CALL: 'stdin', TOUCH: '1' }, stdio: 'pipe' });
  const text = call('big', {}, { options: { filler: 'x'.repeat(300_000) } });
  child.stdin.write(text.slice(0, 100));
  // It is about to read, and finds only a part.
  await new Promise((resolve) => { child.stderr.once('data', resolve); });
  await new Promise((resolve) => { setTimeout(resolve, 200); });
  child.stdin.end(text.slice(100));
  await new Promise((resolve) => { setTimeout(resolve, 100); });
  const chunks = [];
  for await (const chunk of child.stdout) {
    if (chunks.push(chunk) < 5) await new Promise((resolve) => { setTimeout(resolve, 20); });
  }
  assert.equal(parse(Buffer.concat(chunks)).envelope.blocks[0].text.length, 5_000_000);
});

test('a host that does not read the answer does no harm', async () => {
  const child = spawn(process.execPath, [workshop], { env: { ...process.env, TOOLWIRE_CALL: 'stdin' }, stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdout.destroy();
  child.stdin.end(call('big'));
  let stderr = '';
  child.stderr.on('data', (data) => { stderr += data; });
  const status = await new Promise((resolve) => { child.on('close', resolve); });
  assert.equal(status, 2);
  assert.match(stderr, /^toolwire: the answer can't be written: .*\n$/);
});

test('the process ends with the answer, whatever would keep it alive', () => {
  assert.deepEqual(texts(answer('ends', { how: 'alive' })), ['done']);
});

test('however the program ends, there is an answer', () => {
  const ends = (how) => run(workshop, call('ends', { how }));
  for (const [how, words] of [
    ['exit3', 'the tool exited with status 3'],
    ['waits', 'the tool waits for something that can no longer happen'],
    ['later', 'thrown later'],
    ['left', 'left alone'],
  ]) {
    const done = ends(how);
    assert.deepEqual([how, done.status, done.parsed.isError, texts(done.parsed)], [how, 1, true, [words]]);
  }
  const left = ends('exit0');
  assert.deepEqual([left.status, left.parsed.isError, texts(left.parsed)], [0, false, ['as far as it came']]);
  assert.deepEqual(texts(ends('heard').parsed), ['went on']);
});

test('a program that is asked to end writes no answer any more', () => {
  for (const [how, ending] of [['asked', { status: 0, signal: null }], ['killed', { status: null, signal: 'SIGTERM' }]]) {
    const input = call('ends', { how });
    const { status, signal, stdout } = spawnSync(process.execPath, [workshop], { input, encoding: 'utf8', env: { ...process.env, TOOLWIRE_CALL: 'stdin' } });
    assert.deepEqual({ how, status, signal, stdout }, { how, ...ending, stdout: '' });
  }
});

test('a program tells its tools', () => {
  const { parsed, status } = run(workshop, JSON.stringify({ tool: {}, context: { action: 'describe' } }));
  assert.equal(status, 0);
  const described = readDescription(parsed.raw);
  assert.deepEqual(described.slice(0, 2).map(({ name }) => name), ['rename', 'context']);
  assert.deepEqual(described[0], {
    name: 'rename',
    title: 'Rename a file',
    description: 'Rename a file.\n\nIt asks first.',
    inputSchema: { type: 'object', properties: { path: { type: 'string' }, to: { type: 'string' } }, required: ['path', 'to'], additionalProperties: false },
    annotations: { destructiveHint: true, idempotentHint: false },
    _meta: { 'dev.toolwire/warm': true },
  });
  const one = readDescription(run(workshop, call('counts', {}, { action: 'describe' })).parsed.raw);
  assert.deepEqual(one.map(({ name }) => name), ['counts']);
  const chosen = readDescription(run(join(tools, 'chosen.mjs'), call(undefined, {}, { action: 'describe' })).parsed.raw);
  assert.deepEqual(chosen.map(({ name }) => name), ['chosen']);
});

test('what is no call of this program is answered with an error', () => {
  for (const [input, words] of [
    [call('nosuch'), /there is no tool `nosuch`; there are `rename`, /],
    [call('rename', {}, { action: 'dance' }), /dance/],
    ['{"tool":{}', /./],
    ['', /./],
  ]) {
    const { parsed, status } = run(workshop, input);
    assert.equal(parsed.verdict, 'valid', input);
    assert.deepEqual([parsed.isError, status], [true, 1]);
    assert.match(texts(parsed)[0], words);
  }
});

test('a call is read also where no variable tells of it', () => {
  const { parsed } = run(workshop, call('counts'), { TOOLWIRE_CALL: '' });
  assert.deepEqual(parsed.structuredContent, { result: 3 });
});

test('a program that nobody calls says what it is', () => {
  const { status, stdout, stderr } = run(workshop, ' \n', { TOOLWIRE_CALL: '' });
  assert.deepEqual([status, stdout], [2, '']);
  assert.match(stderr, /workshop\.mjs/);
  assert.match(stderr, /toolwire run .*workshop\.mjs rename/);
  assert.match(stderr, /rename +Rename a file\.\n/);
});

test('other values of the variables count as unset', () => {
  assert.equal(run(workshop, ' \n', { TOOLWIRE_CALL: 'file' }).status, 2);
  assert.deepEqual(run(workshop, call('counts'), { TOOLWIRE_RESULT: '' }).parsed.structuredContent, { result: 3 });
});

test('CommonJS has tools too', () => {
  assert.deepEqual(texts(run(join(tools, 'common.cjs'), call('common')).parsed), ['from CommonJS']);
});

test('schemas of libraries check, fill in and transform the arguments', () => {
  const libraries = join(tools, 'libraries.mjs');
  const given = (name, args) => run(libraries, call(name, args)).parsed;
  const said = (name, args) => texts(given(name, args))[0];
  assert.deepEqual(given('zod', { path: 'a' }).structuredContent, { path: 'a', limit: 3 });
  assert.deepEqual(given('zod', { path: 'a', since: '2020-02-03', limit: 1 }).structuredContent, { path: 'a 2020', limit: 1 });
  assert.match(said('zod', { path: 'a', limit: 0 }), /^the arguments of `zod` do not fit: `\/limit`: /);
  assert.equal(said('zod', { path: 'a', even: 3 }), 'the arguments of `zod` do not fit: `/even`: not even');
  assert.match(said('zod', { path: 'a', pth: 'b' }), /`\/pth`: /);
  assert.equal(said('slow', { path: 'a' }), 'a');
  assert.match(said('slow', { path: 'b' }), /`\/path`: is taken/);
  assert.deepEqual(given('valibot', { path: 'a' }).structuredContent, { path: 'a', limit: 3 });
  assert.match(said('valibot', { path: 'a', limit: 1.5 }), /`\/limit`: /);
  assert.deepEqual(given('arktype', { path: 'a' }).structuredContent, { path: 'a' });
  assert.match(said('arktype', { path: 'a', limit: 0 }), /`\/limit`: /);
  assert.equal(said('foreign', { path: 'a' }), 'a');
  assert.match(said('foreign', { path: 'A' }), /`\/path`: /);
});

// Node takes types out of a file from version 22.6 on, and asks for no flag from 23.6 on.
const strips = process.features.typescript === 'strip';
if (strips) {
  test('a tool in TypeScript runs as it is', () => {
    assert.deepEqual(texts(run(join(tools, 'typed.ts'), call('greet', { name: 'Ada' })).parsed), ['Hello Ada, run.']);
  });
}

test('the tool of the README asks and does its job', () => {
  const readme = readFileSync(fileURLToPath(new URL('README.md', import.meta.resolve('toolwire'))), 'utf8');
  const [, source] = readme.match(/^```mjs\n([^]*?)^```/m);
  const folder = mkdtempSync(join(tools, 'readme-'));
  try {
    const program = join(folder, 'rename.mjs');
    writeFileSync(program, source);
    const [from, to] = ['from', 'to'].map((name) => join(folder, name));
    writeFileSync(from, 'kept');
    const asked = run(program, call('rename', { path: from, to })).parsed;
    assert.equal(asked.envelope.blocks[0].question.default, true);
    assert.deepEqual(texts(run(program, call('rename', { path: from, to }, { answers: { confirm: true } })).parsed), [`Renamed ${from} to ${to}.`]);
    assert.equal(readFileSync(to, 'utf8'), 'kept');
  } finally {
    rmSync(folder, { recursive: true });
  }
});
