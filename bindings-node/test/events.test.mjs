// What a tool says while it runs: `progress` and `log` in a tool, `onProgress` and `onLog` in a host.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listTools, log, progress, run, ToolwireError, wire } from 'toolwire';
const { readEvent } = wire;

const IMPORT = `import { log, progress } from ${JSON.stringify(import.meta.resolve('toolwire'))};\n`;
const script = (code) => [process.execPath, '--input-type=module', '-e', IMPORT + code];
const SAYS = `
  progress(1, 4, 'first');
  log('warning', 'hm', { logger: 'db' });
  await new Promise((resolve) => setTimeout(resolve, 200));
  progress(4, 4);`;

test('what a tool says arrives in order', async () => {
  const seen = [];
  const { parsed, stdout } = await run(script(SAYS), { onProgress: (event) => seen.push(event), onLog: (event) => seen.push(event) });
  assert.deepEqual(seen, [
    { done: 1, total: 4, message: 'first' },
    { level: 'warning', text: 'hm', logger: 'db' },
    { done: 4, total: 4 },
  ]);
  assert.equal(parsed.isError, false);
  assert.equal(stdout.length, 0);
});

test('one may be wanted without the other, and be async', async () => {
  const seen = [];
  const onLog = async (message) => {
    await new Promise((resolve) => setTimeout(resolve, 10));
    seen.push(message.text);
  };
  await run(script(SAYS), { onLog });
  assert.deepEqual(seen, ['hm']);
});

test('what a listener throws stops the tool', async () => {
  const mine = () => { throw new RangeError('mine'); };
  for (const options of [{ onProgress: mine }, { onLog: mine }, { onLog: async () => mine() }]) {
    await assert.rejects(run(script(`${SAYS} setTimeout(() => {}, 60_000)`), options), RangeError);
  }
});

test('without a listener there is no file', async () => {
  const show = script('console.log(process.env.TOOLWIRE_EVENTS)');
  assert.equal(String((await run(show, { inherit: 'all' })).stdout), 'undefined\n');
  assert.match(String((await run(show, { onLog() {} })).stdout), /\/events\n$/);
});

test('listeners are functions, and a list has none', async () => {
  for (const name of ['onProgress', 'onLog']) {
    await assert.rejects(run('true', { [name]: 1 }), { code: 'bad_option', pointer: `/${name}` });
    await assert.rejects(listTools('true', { [name]() {} }), { code: 'bad_option', pointer: `/${name}` });
  }
});

test('a line is read as an event', () => {
  assert.deepEqual(readEvent('{"type":"progress","done":3,"total":12}'), { type: 'progress', done: 3, total: 12 });
  assert.deepEqual(readEvent(Buffer.from('{"type":"log","level":"info","message":"m"}')), { type: 'log', level: 'info', text: 'm' });
  assert.equal(readEvent('\n'), undefined);
  assert.throws(() => readEvent('{"type":"log","level":"warn","message":"m"}'), { code: 'bad_event', pointer: '/level' });
});

/** The lines that a tool writes. */
function said(code) {
  const file = join(mkdtempSync(join(tmpdir(), 'toolwire-test-')), 'events');
  writeFileSync(file, '');
  const [node, ...args] = script(code);
  execFileSync(node, args, { env: { ...process.env, TOOLWIRE_EVENTS: file } });
  return readFileSync(file, 'utf8').split('\n').slice(0, -1).map((line) => JSON.parse(line));
}

test('each call is a line', () => {
  assert.deepEqual(said("progress(1, null, null); progress(2, 3, 'ä'); log('info', 'a\\nb')"), [
    { type: 'progress', done: 1 },
    { type: 'progress', done: 2, total: 3, message: 'ä' },
    { type: 'log', level: 'info', message: 'a\nb' },
  ]);
});

test('what is no number is not said, and half a character does no harm', () => {
  assert.deepEqual(said("progress(NaN); progress(Infinity); progress(1, NaN); log('info', 'a\\udc00')"), [
    { type: 'progress', done: 1 },
    { type: 'log', level: 'info', message: 'a\ufffd' },
  ]);
});

test('a tight loop writes little, and its end', () => {
  const lines = said('for (let i = 0; i <= 100_000; i++) progress(i, 100_000)');
  assert.ok(lines.length < 1000, String(lines.length));
  assert.equal(lines.at(-1).done, 100_000);
});

test('wrong arguments are refused, whether or not anybody listens', () => {
  for (const [call, pointer] of [
    [() => log('warn', 'm'), '/level'],
    [() => log('info', 1), '/message'],
    [() => log('info', 'm', { logger: 1 }), '/logger'],
    [() => progress('1'), '/done'],
    [() => progress(1, '2'), '/total'],
    [() => progress(1, 2, 3), '/message'],
  ]) {
    assert.throws(call, (error) => error instanceof ToolwireError && error.code === 'bad_argument' && error.pointer === pointer, pointer);
  }
});

test('a file that is none does not disturb', () => {
  for (const path of ['', '/no/such/folder/events', '/']) {
    const [node, ...args] = script("progress(1); log('error', 'm')");
    const { status, stdout, stderr } = spawnSync(node, args, { env: { ...process.env, TOOLWIRE_EVENTS: path } });
    assert.deepEqual([status, String(stdout), String(stderr)], [0, '', '']);
  }
});

test('workers say theirs', () => {
  const lines = said(`
    import { Worker, isMainThread } from 'node:worker_threads';
    const code = ${JSON.stringify(IMPORT)} + "for (let i = 0; i < 100; i++) log('info', 'x'.repeat(2000))";
    const url = new URL('data:text/javascript,' + encodeURIComponent(code));
    await Promise.all([1, 2].map(() => new Promise((resolve) => new Worker(url).on('exit', resolve))));`);
  assert.equal(lines.length, 200);
});
