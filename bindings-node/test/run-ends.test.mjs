// What is left of a run: nothing, however it, its thread or the whole process ends.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { Answer, run, listTools } from 'toolwire';

const folder = mkdtempSync(join(tmpdir(), 'toolwire-ends-'));
after(() => rmSync(folder, { recursive: true }));
// The result channels of all runs are files in here.
process.env.TMPDIR = folder;
const toolwire = createRequire(import.meta.url).resolve('toolwire');

/** A tool that writes its own process id and its child's to a file, and neither ends nor minds being asked to. */
const STUBBORN = 'trap "" TERM; sleep 60 & echo "$$ $!" > "$1.part"; mv "$1.part" "$1"; echo ready >&2; while :; do wait; done';
let files = 0;
function stubborn() {
  files += 1;
  const file = join(folder, `pids-${files}`);
  return { file, program: ['sh', '-c', STUBBORN, 'sh', file] };
}

/** A tool that tidies up when it is asked to end, which takes it a moment. */
const TIDY = 'trap "kill \\$!; sleep 0.3; mv \\"$1\\" \\"$1.tidy\\"; exit" TERM; sleep 60 & echo "$$ $!" > "$1.part"; mv "$1.part" "$1"; echo ready >&2; wait';
function tidy() {
  const { file } = stubborn();
  return { file, program: ['sh', '-c', TIDY, 'sh', file] };
}

async function appears(file) {
  while (!existsSync(file)) await sleep(5);
  return readFileSync(file, 'utf8').trim().split(' ').map(Number);
}

/** Whether a process runs; one that is dead and only not waited for, which is its parent's affair, does not. */
function runs(pid) {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch (error) {
    if (error.code === 'ENOENT' && existsSync('/proc/self/stat')) return false;
  }
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** What is killed needs a moment to be gone. */
async function gone(pids) {
  assert.ok(pids.length === 2 && pids.every((pid) => pid > 1), String(pids));
  for (let tries = 0; tries < 3000 && pids.some(runs); tries += 1) await sleep(10);
  assert.deepEqual(pids.filter(runs), []);
}

/** Runs a script of Node that starts a tool; its exit, what it printed, and the processes of a stubborn tool. */
async function host(script, { file, program } = stubborn()) {
  const source = `
    const { run } = require(${JSON.stringify(toolwire)});
    const { existsSync } = require('node:fs');
    const program = ${JSON.stringify(program)};
    const ready = async () => { while (!existsSync(program.at(-1))) await new Promise((go) => setTimeout(go, 5)); };
    ${script}`;
  const child = spawn(process.execPath, ['-e', source], { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  let told = 0;
  child.stdout.on('data', (text) => {
    printed += text;
    if (told === 0 && printed.includes('signal me')) {
      told = performance.now();
      child.kill(printed.match(/signal me (\w+)/)[1]);
    }
  });
  const [code, signal] = await new Promise((resolve) => child.on('close', (...ended) => resolve(ended)));
  return { code, signal, printed, took: performance.now() - told, pids: existsSync(file) ? await appears(file) : [] };
}

test('an abort kills the tool and all that it started, and waits for that', async () => {
  const { file, program } = stubborn();
  const controller = new AbortController();
  const running = run(program, { signal: controller.signal });
  const pids = await appears(file);
  const reason = new Error('no longer needed');
  controller.abort(reason);
  await assert.rejects(running, reason);
  assert.ok(!runs(pids[0]), 'it was waited for');
  await gone(pids);
});

test('an abort counts whenever it comes', async () => {
  const { file, program } = stubborn();
  await assert.rejects(run(program, { signal: AbortSignal.abort() }), { name: 'AbortError' });
  assert.ok(!existsSync(file), 'nothing was run');
  await assert.rejects(run(['sleep', '60'], { signal: AbortSignal.timeout(20) }), { name: 'TimeoutError' });
  const listing = stubborn();
  const controller = new AbortController();
  const listed = listTools(listing.program, { signal: controller.signal });
  const pids = await appears(listing.file);
  controller.abort();
  await assert.rejects(listed, { name: 'AbortError' });
  await gone(pids);
  // While somebody thinks about an answer.
  const asks = ['echo', JSON.stringify({ content: [{ type: 'question', question: { id: 'ok', text: 'Go on?', schema: {} } }] })];
  const thinking = new AbortController();
  const answerer = () => {
    thinking.abort();
    return new Promise(() => {});
  };
  await assert.rejects(run(asks, { signal: thinking.signal, answerer }), { name: 'AbortError' });
  // After the end it does nothing, and nothing listens any more.
  const late = new AbortController();
  const result = await run('true', { signal: late.signal, answerer: () => new Answer(1) });
  late.abort();
  assert.equal(result.stopped, undefined);
});

test('a call or a list that is aborted lets the tool tidy up', async () => {
  for (const call of [run, listTools]) {
    const { file, program } = tidy();
    const controller = new AbortController();
    const running = call(program, { signal: controller.signal });
    await appears(file);
    controller.abort();
    await assert.rejects(running, { name: 'AbortError' });
    assert.ok(existsSync(`${file}.tidy`), call.name);
  }
});

test('what onStderr throws kills the tool', async () => {
  const { file, program } = stubborn();
  await assert.rejects(run(program, { onStderr() { throw new Error('enough'); } }), { message: 'enough' });
  await gone(await appears(file));
});

test('a run that is pending keeps Node alive, and one that is over does not', async () => {
  const { code, printed } = await host(`
    run(['sh', '-c', 'sleep 0.2; echo done'], { onStderr() {}, answerer() {} }).then(({ stdout }) => console.log(String(stdout)));`);
  assert.deepEqual([code, printed], [0, 'done\n\n']);
  const aborted = await host(`
    const controller = new AbortController();
    run(['sleep', '60'], { signal: controller.signal }).catch((error) => console.log(error.name));
    setTimeout(() => controller.abort(), 50);`);
  assert.deepEqual([aborted.code, aborted.printed], [0, 'AbortError\n']);
});

test('however Node ends, its tools end too', async () => {
  for (const [script, code, signal] of [
    ['run(program); ready().then(() => process.exit(7));', 7, null],
    ['run(program, { onStderr() {} }); ready().then(() => process.exit(7));', 7, null],
    ['run(program); ready().then(() => { throw new Error("a bug, on purpose"); });', 1, null],
    ['process.on("uncaughtException", () => process.exit(4)); run(program); ready().then(() => { setImmediate(() => { throw new Error("bug"); }); });', 4, null],
    ['run(program); ready().then(() => console.log("signal me SIGTERM"));', null, 'SIGTERM'],
    ['run(program); ready().then(() => console.log("signal me SIGINT"));', null, 'SIGINT'],
    // Nobody can see to these.
    ['run(program); ready().then(() => console.log("signal me SIGKILL"));', null, 'SIGKILL'],
    ['run(program); ready().then(() => console.log("signal me SIGALRM"));', null, 'SIGALRM'],
    ['run(program); process.on("SIGTERM", () => process.exit(5)); ready().then(() => console.log("signal me SIGTERM"));', 5, null],
    // Others who listen think themselves alone, and end Node by the signal itself or not at all.
    ['process.on("SIGINT", () => console.log(process.listenerCount("SIGINT")) ?? process.exit(6)); run(program); ready().then(() => console.log("signal me SIGINT"));', 6, null],
  ]) {
    const ended = await host(script);
    assert.deepEqual([ended.code, ended.signal], [code, signal], script);
    if (code === 6) assert.match(ended.printed, /\n1\n/);
    await gone(ended.pids);
  }
});

test('a tool may tidy up when Node ends, for a bounded time', async () => {
  for (const [end, code, signal] of [
    ['console.log("signal me SIGTERM")', null, 'SIGTERM'],
    ['console.log("signal me SIGHUP")', null, 'SIGHUP'],
    ['console.log("signal me SIGQUIT")', null, 'SIGQUIT'],
    ['process.exit(7)', 7, null],
    ['{ throw new Error("a bug, on purpose"); }', 1, null],
  ]) {
    const { file, program } = tidy();
    const ended = await host(`run(program); ready().then(() => ${end});`, { file, program });
    assert.deepEqual([ended.code, ended.signal, existsSync(`${file}.tidy`)], [code, signal, true], end);
  }
  for (const name of ['SIGTERM', 'SIGINT']) {
    const ended = await host(`run(program); ready().then(() => { console.log("signal me ${name}"); setInterval(() => console.log("on"), 50); });`);
    assert.equal(ended.signal, name);
    assert.ok(ended.took > 1500 && ended.took < 30_000, `${ended.took} ms`);
    assert.ok(ended.printed.split('\non').length > 10, 'Node is not held up meanwhile');
    await gone(ended.pids);
  }
});

test('an onStderr that rejects later does not end Node', async () => {
  const { code, printed } = await host(`
    const onStderr = async () => { await null; throw new Error('enough'); };
    run(['sh', '-c', 'echo log >&2; sleep 60'], { onStderr }).catch(({ message }) => console.log(message));`);
  assert.deepEqual([code, printed], [0, 'enough\n']);
});

test('a signal that somebody else deals with leaves the tools alone, also the second time', async () => {
  const { code, printed } = await host(`
    let times = 0;
    process.on('SIGTERM', () => { times += 1; if (times < 3) setTimeout(() => process.kill(process.pid, 'SIGTERM'), 50); });
    run(['sh', '-c', 'sleep 0.6; echo done']).then(({ stdout }) => {
      console.log(times, String(stdout).trim(), process.listenerCount('SIGTERM'), process.listenerCount('SIGINT'));
    });
    setTimeout(() => process.kill(process.pid, 'SIGTERM'), 50);`);
  assert.deepEqual([code, printed], [0, '3 done 1 0\n']);
});

test('runs work in threads of Node, and end with them', async () => {
  const source = `
    const { run } = require(${JSON.stringify(toolwire)});
    const { parentPort, workerData } = require('node:worker_threads');
    (async () => {
      const { stdout } = await run(['echo', 'from a thread']);
      parentPort.postMessage(String(stdout));
      if (workerData.program) await run(workerData.program, { onStderr() { if (workerData.exit) process.exit(0); } });
    })();`;
  const start = (workerData) => {
    const worker = new Worker(source, { eval: true, workerData });
    const said = new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
    return { worker, said, ended: new Promise((resolve) => worker.once('exit', resolve)) };
  };
  const workers = [start({}), start({}), start({})];
  for (const { said } of workers) assert.equal(await said, 'from a thread\n');
  for (const { ended } of workers) assert.equal(await ended, 0);
  for (const exit of [false, true]) {
    const { file, program } = stubborn();
    const { worker, ended } = start({ program, exit });
    const pids = await appears(file);
    if (!exit) await worker.terminate();
    await ended;
    await gone(pids);
  }
  const { file, program } = tidy();
  const { worker } = start({ program });
  await appears(file);
  await worker.terminate();
  assert.ok(existsSync(`${file}.tidy`));
  assert.equal((await run(['echo', 'still here'])).stdout.toString(), 'still here\n');
});

test('a thousand runs leave neither files, threads, processes nor memory', { skip: !existsSync('/proc/self/fd') }, async () => {
  const question = JSON.stringify({ content: [{ type: 'question', question: { id: 'ok', text: 'Go on?', schema: {} } }] });
  const program = ['sh', '-c', 'echo log >&2; echo "$1"', 'sh', question];
  const once = (n) => [
    () => run(['echo', 'x'.repeat(1000)], { onStderr() {} }),
    () => run(program, { onStderr() {}, answerer: () => new Answer(undefined, { state: 'cancelled' }), signal: AbortSignal.timeout(60_000) }),
    () => run('./no/such/tool').catch(() => {}),
    () => listTools('true'),
  ][n % 4]();
  const count = () => {
    const children = readdirSync('/proc').filter((pid) => {
      try {
        return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')[1] === String(process.pid);
      } catch {
        return false;
      }
    });
    return { files: readdirSync('/proc/self/fd').length, threads: readdirSync('/proc/self/task').length, children: children.length };
  };
  for (let n = 0; n < 100; n += 1) await once(n);
  globalThis.gc?.();
  const [before, memory] = [count(), process.memoryUsage().rss];
  for (let n = 0; n < 1000; n += 1) await once(n);
  for (let tries = 0; tries < 3000 && JSON.stringify(count()) !== JSON.stringify(before); tries += 1) await sleep(10);
  assert.deepEqual(count(), before);
  const grown = process.memoryUsage().rss - memory;
  assert.ok(grown < 40e6, `${grown} bytes more`);
  assert.equal(process.listenerCount('SIGINT'), 0);
  assert.deepEqual(readdirSync(folder).filter((name) => !name.startsWith('pids-')), []);
});

test('calls that go on at once have no thread each', { skip: !existsSync('/proc/self/task') }, async () => {
  await run('true');
  const threads = () => readdirSync('/proc/self/task').length;
  const before = threads();
  const running = Array.from({ length: 50 }, () => run(['sleep', '0.5'], { onStderr() {} }));
  await sleep(250);
  const during = threads();
  await Promise.all(running);
  assert.ok(during <= before + 4, `${before} threads before, ${during} during 50 calls`);
});
