// Serving functions of a program, and programs on disk, to MCP clients; the client is that of the package.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { boolean, connect, envelope, format, log, progress, serve, string, text, tool, ToolError } from 'toolwire';
import { read } from './repository.mjs';

const folder = mkdtempSync(join(dirname(fileURLToPath(import.meta.url)), 'serve-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** A file in the folder of this test, which finds the package. */
function file(name, source) {
  const path = join(folder, name);
  writeFileSync(path, source, { mode: 0o755 });
  return path;
}

let aborted;
const greet = tool({ name: 'greet', title: 'Greet', input: { properties: { times: { type: 'integer' } }, required: ['times'] } }, async ({ times }, ctx) => {
  const name = ctx.answer('name', string('Your name?'), { otherwise: 'nobody' });
  progress(1, 2, 'half');
  log('warning', `careful, ${name}`, { logger: 'greeter' });
  // Between two calls, what is said must still reach the right one.
  await new Promise((resolve) => setTimeout(resolve, 20));
  progress(2, 2, name);
  return envelope([text(`Hello ${name}`)], { structuredContent: { times } });
});
const fail = tool({ name: 'fail' }, () => {
  throw new ToolError('no way');
});
const wait = tool({ name: 'wait' }, async (_, ctx) => {
  progress(0);
  await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve));
  aborted = true;
});

test('functions over HTTP, with questions, progress and log', async () => {
  const serving = await serve({ tools: [greet, fail], http: 0, name: 'here', instructions: 'Be brief.' });
  assert.match(serving.url, /^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  const client = await connect(serving.url);
  try {
    assert.deepEqual([client.claimedName, client.instructions], ['here', 'Be brief.']);
    assert.deepEqual((await client.listTools()).map(({ name, title }) => [name, title]), [['fail', undefined], ['greet', 'Greet']]);
    const call = async (name, times) => {
      const [reported, logs] = [[], []];
      const { parsed } = await client.call('greet', { times }, {
        answerer: () => name,
        onProgress: ({ message }) => void reported.push(message),
        onLog: (each) => void logs.push(each.text),
      });
      assert.ok(reported.includes(name), `${name}: ${reported}`);
      assert.ok(reported.every((message) => message === name || message === 'half'), `${name}: ${reported}`);
      assert.deepEqual(logs, [`careful, ${name}`]);
      return [format(parsed).split('\n')[0], parsed.envelope.structuredContent.times];
    };
    const names = ['Ada', 'Bo', 'Cy', 'Di'];
    assert.deepEqual(await Promise.all(names.map(call)), names.map((name, index) => [`Hello ${name}`, index]));
    const failed = (await client.call('fail')).parsed;
    assert.ok(failed.isError);
    assert.match(format(failed), /no way/);
    const { parsed } = await client.call('greet', { times: 'often' });
    assert.ok(parsed.isError);
    assert.match(format(parsed), /times/);
  } finally {
    await client.close();
    await serving.close();
  }
  await serving.ended;
  await assert.rejects(connect(serving.url), { code: 'not_connected' });
});

test('a call that is cancelled is told to its function', async () => {
  const serving = await serve({ tools: [wait], http: { address: 'localhost:0' } });
  const client = await connect(serving.url);
  aborted = false;
  const aborting = new AbortController();
  const waiting = client.call('wait', {}, { signal: aborting.signal, onProgress: () => aborting.abort(new Error('enough')) });
  await assert.rejects(waiting, { message: 'enough' });
  for (let waited = 0; waited < 200 && !aborted; waited += 1) await new Promise((resolve) => setTimeout(resolve, 50));
  assert.ok(aborted);
  await client.close();
  await serving.close();
});

test('a call has its time', async () => {
  const ending = new AbortController();
  const serving = await serve({ tools: [wait], http: 0, timeout: 300, signal: ending.signal });
  const client = await connect(serving.url);
  const { parsed } = await client.call('wait');
  assert.ok(parsed.isError);
  await client.close();
  ending.abort();
  await serving.ended;
});

test('programs on disk beside functions, chosen by name', { skip: process.platform === 'win32' }, async () => {
  const program = file(
    'shout.mjs',
    `#!${process.execPath}
import * as tw from 'toolwire';
    tw.tool({ name: 'shout', input: { properties: { word: { type: 'string' } } } }, ({ word }) => word.toUpperCase() + process.env.MARK);
    tw.tool({ name: 'whisper' }, () => 'psst');
    await tw.main();`,
  );
  const serving = await serve({ tools: [fail], programs: [program], except: ['whisper'], env: { MARK: '!' }, http: 0 });
  const client = await connect(serving.url);
  try {
    assert.deepEqual((await client.listTools()).map(({ name }) => name).sort(), ['fail', 'shout']);
    assert.equal(format((await client.call('shout', { word: 'hey' })).parsed), 'HEY!');
  } finally {
    await client.close();
    await serving.close();
  }
});

const STDIO = `import { execFileSync } from 'node:child_process';
import * as tw from 'toolwire';
console.log('at the start');
tw.tool({ name: 'print' }, async (_, ctx) => {
  console.log('{"jsonrpc":"2.0","id":1,"result":{}}');
  process.stdout.write('not a message');
  execFileSync('echo', ['from a child'], { stdio: ['inherit', 'inherit', 'inherit'] });
  if (!ctx.answer('go', tw.boolean('Go on?'))) return 'Stayed.';
  return 'Went.';
});
const serving = await tw.serve();
console.log('serving');
await serving.ended;
console.error('ended');`;

test('over stdio, what is printed goes to stderr, and the end of stdin ends it', { skip: process.platform === 'win32' }, async () => {
  // What is printed before it serves is the author's own: nothing has said yet that this is a server.
  const server = file('stdio.mjs', STDIO.replace("console.log('at the start');\n", ''));
  const client = await connect([process.execPath, server]);
  let said = '';
  const answerer = () => true;
  const { parsed } = await client.call('print', {}, { answerer, onStderr: (piece) => void (said += piece) });
  assert.equal(format(parsed), 'Went.');
  await client.close();
  const started = spawn(process.execPath, [server], { stdio: ['pipe', 'pipe', 'pipe'] });
  let [out, errors] = ['', ''];
  started.stdout.on('data', (piece) => (out += piece));
  started.stderr.on('data', (piece) => (errors += piece));
  started.stdin.end();
  assert.deepEqual(await once(started, 'close'), [0, null]);
  assert.equal(out, '');
  assert.match(errors, /serving[^]*ended/);
});

test('the example remembers from call to call', { skip: process.platform === 'win32' }, async () => {
  const client = await connect([process.execPath, file('serve-functions.mjs', read('examples', 'mcp', 'serve-functions.mjs'))]);
  const asked = [];
  const answerer = (question) => {
    asked.push(question.text);
    return false;
  };
  const note = async (text) => format((await client.call('note', { title: 'a', text }, { answerer })).parsed);
  assert.deepEqual([await note('one word'), await note('two words')], ['Written down.', 'Left as it was.']);
  assert.equal(asked.length, 1);
  const { parsed } = await client.call('search', { word: 'one' });
  assert.deepEqual(parsed.envelope.structuredContent, { found: ['a'] });
  await client.close();
});

test('a server that can not be', async () => {
  await assert.rejects(serve({ tools: [fail], http: '0.0.0.0:0' }), { name: 'ToolwireError', code: 'not_served' });
  await assert.rejects(serve({ tools: [fail], http: 'here' }), { code: 'bad_option', pointer: '/http/address' });
  await assert.rejects(serve({ tools: [] }), { code: 'not_served' });
  const none = await serve({ tools: [], programs: [join(folder, 'missing')], http: 0 });
  await assert.rejects(none.ended, { name: 'ToolwireError' });
  const twice = await serve({ tools: [fail, greet], only: ['nothing'], http: 0 });
  await assert.rejects(twice.ended, { name: 'ToolwireError' });
  await assert.rejects(serve({ tools: [fail], http: 0, signal: AbortSignal.abort(new Error('no')) }), { message: 'no' });
});

test('many tools are searched, and long results kept', async () => {
  const long = tool({ name: 'long', description: 'Writes a lot.' }, () => `${'x'.repeat(100_000)}needle`);
  const serving = await serve({ tools: [fail, long], http: 0, searchAbove: 1, plainSchemas: true, keepResults: 10_000 });
  const client = await connect(serving.url);
  try {
    assert.deepEqual((await client.listTools()).map(({ name }) => name), ['call_tool', 'kept_result', 'search_tools']);
    const said = async (name, args) => format((await client.call(name, args)).parsed);
    assert.equal(JSON.parse(await said('search_tools', { query: 'write' })).name, 'long');
    const kept = await said('call_tool', { name: 'long' });
    assert.ok(kept.length < 5000);
    const handle = /handle=(\w+)/.exec(kept)[1];
    assert.match(await said('kept_result', { handle, search: 'needle' }), /1, byte 100000: …xxx/);
  } finally {
    await client.close();
    await serving.close();
  }
});

test('misuse is named', async () => {
  for (const [options, pointer] of [
    ['a', ''],
    [{ tool: fail }, '/tool'],
    [{ tools: fail }, '/tools'],
    [{ tools: [() => 'a'] }, '/tools/0'],
    [{ programs: 'a' }, '/programs'],
    [{ programs: [[]] }, '/programs/0'],
    [{ only: 'a' }, '/only'],
    [{ except: [1] }, '/except/0'],
    [{ prefix: 1 }, '/prefix'],
    [{ manifest: 1 }, '/manifest'],
    [{ http: -1 }, '/http/address'],
    [{ http: { port: 1 } }, '/port'],
    [{ http: { address: 0, noToken: 'yes' } }, '/http/noToken'],
    [{ http: { address: 0, idle: 0 } }, '/http/idle'],
    [{ name: 1 }, '/name'],
    [{ pageSize: 0 }, '/pageSize'],
    [{ jobs: 0.5 }, '/jobs'],
    [{ queue: -1 }, '/queue'],
    [{ searchAbove: -1 }, '/searchAbove'],
    [{ plainSchemas: 1 }, '/plainSchemas'],
    [{ keepResults: '1' }, '/keepResults'],
    [{ stateLifetime: '1' }, '/stateLifetime'],
    [{ timeout: 0 }, '/timeout'],
    [{ signal: 1 }, '/signal'],
  ]) {
    await assert.rejects(serve(options), { name: 'ToolwireError', code: 'bad_option', pointer }, JSON.stringify(options));
  }
});

test('a context of a call without a server has a signal too', async () => {
  const asks = tool({ name: 'asks' }, (_, ctx) => String(ctx.signal.aborted && ctx.answer('a', boolean('?'))));
  assert.equal((await asks.call()).blocks[0].text, 'false');
});
