// Any program as a session in a host, tools of a manifest, functions of the host, and what happens meanwhile.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Sessions, loadManifest, string, tool } from 'toolwire';

const folder = mkdtempSync(join(dirname(fileURLToPath(import.meta.url)), 'sessions-any-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const onUnix = { skip: process.platform === 'win32' && 'pseudo-terminals are tested on Unix' };

/** A file in the folder of this test, which finds the package. */
function file(name, text) {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const ECHO = `import * as tw from 'toolwire';
  tw.tool({ name: 'echo', input: { properties: { greeting: {} } }, actions: ['apply', 'abort'] }, async ({ greeting = 'Hello' }, session) => {
    tw.progress(1, 2, 'half');
    tw.log('info', 'ready', { logger: 'echo' });
    process.stderr.write('to stderr');
    await session.emit(greeting + ' ' + session.options.name);
    for await (const given of session.inputs) await session.emit('got ' + given);
    return 'bye';
  });
  await tw.main();`;

const said = (parsed) => parsed.envelope.content.filter(({ type }) => type === 'text').map(({ text }) => text).join('');
const statusOf = (parsed) => JSON.parse(String(parsed.envelope))._meta['computer.jp/status'];

/** Somebody who has nothing but `handle`. */
class Model {
  read = '';

  constructor(sessions, tool, id) {
    Object.assign(this, { sessions, tool, id });
  }

  async does(action, more) {
    const parsed = await this.sessions.handle(this.tool, { action, id: this.id, ...more });
    assert.ok(!parsed.isError, said(parsed));
    this.read += said(parsed);
    return parsed;
  }

  async waitsFor(text) {
    for (const begin = Date.now(); !this.read.includes(text); ) {
      assert.ok(Date.now() - begin < 60_000, this.read);
      const parsed = await this.does('fetch', { wait: 10 });
      assert.ok(this.read.includes(text) || statusOf(parsed) !== 'stopped', this.read);
    }
  }

  async waitsForTheEnd() {
    for (const begin = Date.now(); statusOf(await this.does('fetch', { wait: 10 })) !== 'stopped'; ) assert.ok(Date.now() - begin < 60_000, this.read);
  }
}

/** Runs with sessions, and closes them. */
async function withSessions(options, use) {
  const sessions = new Sessions({ firstWait: 30_000, ...options });
  try {
    return await use(sessions);
  } finally {
    await sessions.close();
  }
}

function git(...args) {
  return execFileSync('git', args, { cwd: folder, env: { ...process.env, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' }, encoding: 'utf8' });
}

const lines = (first, last) => [first, ...Array.from({ length: 18 }, (_, n) => `line ${n + 2}`), last, ''].join('\n');

/** The pseudo-terminals and pipes of this process, and the processes that it has begun. */
function left() {
  const children = readdirSync('/proc/self/task').map((task) => readFileSync(`/proc/self/task/${task}/children`, 'utf8'));
  return { descriptors: readdirSync('/proc/self/fd').length, children: children.join('').split(' ').filter(Boolean) };
}

test('a model stages one of two hunks in a terminal and computes on pipes', onUnix, async (t) => {
  const python = ['python3', 'python'].find((name) => spawnSync(name, ['--version']).status === 0);
  if (python === undefined || spawnSync('git', ['--version']).status !== 0) return t.skip('git or Python is not installed');
  const path = join(folder, 'a.txt');
  writeFileSync(path, lines('line 1', 'line 20'));
  git('init', '-q');
  git('add', 'a.txt');
  git('-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-qm', 'a');
  writeFileSync(path, lines('first', 'last'));

  const host = () => withSessions({ firstWait: 1000 }, async (sessions) => {
    const how = { session: 'pty', size: [100, 30], cwd: folder, env: { HOME: folder } };
    assert.deepEqual(await sessions.add(['git', 'add', '--patch'], { ...how, name: 'stage' }), ['stage']);
    assert.deepEqual(await sessions.add([python, '-i', '-q', '-u'], { session: 'pipe', name: 'python' }), ['python']);

    const stage = new Model(sessions, 'stage', 'hunks');
    await stage.does('spawn');
    await stage.waitsFor('(1/2) Stage this hunk');
    assert.match(stage.read, /-line 1\n\+first\n/);
    await stage.does('apply', { input: { text: 'n', enter: true } });
    await stage.waitsFor('(2/2) Stage this hunk');
    await stage.does('apply', { input: 'y\n' });
    await stage.waitsForTheEnd();
    assert.ok(!stage.read.includes('\x1b'));

    const repl = new Model(sessions, 'python', 'sums');
    await repl.does('spawn');
    await repl.does('apply', { input: { text: "n = 6 * 7\nprint(f'n is {n}')", enter: true } });
    await repl.waitsFor('n is 42');
    await repl.does('apply', { input: { text: 'exit()', enter: true } });
    await repl.waitsForTheEnd();
    assert.deepEqual((await sessions.list()).map(({ state }) => state), ['stopped', 'stopped']);
  });

  await host();
  assert.equal(git('show', ':a.txt'), lines('line 1', 'last'));
  if (!existsSync('/proc/self/task')) return;
  // What the library itself keeps is there now.
  const before = left();
  git('reset', '-q');
  await host();
  for (const begin = Date.now(); left().descriptors > before.descriptors || left().children.length > before.children.length; ) {
    assert.ok(Date.now() - begin < 60_000, JSON.stringify([left(), before]));
    await sleep(50);
  }
});

test('a terminal has its size and its screen', onUnix, () => withSessions({ firstWait: 1000 }, async (sessions) => {
  await sessions.add(['sh', '-c', 'stty size; exec cat'], { session: 'pty', size: [91, 17], description: 'A terminal.' });
  assert.deepEqual((await sessions.tools()).map(({ name, description }) => [name, description]), [['sh', 'A terminal.']]);
  const shell = new Model(sessions, 'sh', 'a');
  await shell.does('spawn');
  await shell.waitsFor('17 91');
  await shell.does('apply', { input: { size: [80, 24] } });
  assert.match(said(await shell.does('fetch', { view: 'screen' })), /17 91/);
}));

test('the tools of a manifest are what it says', async () => {
  file('echo.mjs', ECHO);
  const node = JSON.stringify(process.execPath);
  const manifest = loadManifest(file('toolwire.toml', `
    [tools.greet]
    command = [${node}, "-e", "console.log('Hello', process.argv[1]); process.stdin.resume()", "{who}"]
    parameters.who = { type = "string" }
    session = "pipe"
    [tools.talk]
    command = "./echo.mjs"
    tool = "echo"
    description = "Says it again."
    arguments = { greeting = "Good day" }
    options = { name = "Ada" }
    [tools.once]
    command = [${node}, "-p", "process.env.WHO"]
    plain = true
    env = { WHO = "me" }`));
  await withSessions({}, async (sessions) => {
    assert.deepEqual(await sessions.add(manifest), ['greet', 'once', 'talk']);
    const described = Object.fromEntries((await sessions.tools()).map((tool) => [tool.name, tool]));
    assert.equal(described.talk.description, 'Says it again.');
    assert.deepEqual(described.greet.inputSchema.required, ['who']);
    assert.equal(said(await sessions.handle('once', {})), 'me\n');
    assert.equal(said(await sessions.handle('greet', { action: 'spawn', id: 'a', who: 'Bob; $HOME' })), 'Hello Bob; $HOME\n');
    assert.equal(said(await sessions.handle('talk', { action: 'spawn', id: 'b' })), 'Good day Ada');
    assert.equal(said(await sessions.handle('talk', { action: 'spawn', id: 'c', greeting: 'Hi' })), 'Hi Ada');
    assert.equal(said(await sessions.handle('talk', { action: 'apply', id: 'c', input: 1 })), 'got 1');
  });
  await withSessions({}, async (sessions) => {
    // What the host says comes before what the manifest says.
    const options = { only: ['talk', 'once'], options: { name: 'Eve' }, env: { WHO: 'you' } };
    assert.deepEqual(await sessions.add(manifest, options), ['once', 'talk']);
    assert.equal(said(await sessions.handle('talk', { action: 'spawn', id: 'b' })), 'Good day Eve');
    assert.equal(said(await sessions.handle('once', {})), 'you\n');
  });
});

test('a manifest that others may have written is refused', { skip: process.geteuid === undefined && 'files have no modes here' }, () => {
  const [path, before] = [file('toolwire.toml', "[tools.today]\ncommand = 'date'\nplain = true\n"), process.cwd()];
  chmodSync(path, 0o666);
  process.chdir(folder);
  try {
    assert.throws(() => loadManifest(), { code: 'untrusted_manifest' });
  } finally {
    process.chdir(before);
    chmodSync(path, 0o644);
  }
});

const double = tool({ name: 'double', input: { properties: { number: {} } } }, ({ number }) => ({ result: 2 * number }));
const careful = tool({ name: 'careful' }, async (args, context) => {
  await sleep(1);
  return context.answer('who', string('Who?'));
});

test('functions of this program are tools', () => withSessions({ answerer: () => 'Ada' }, async (sessions) => {
  assert.deepEqual(await sessions.add(double), ['double']);
  assert.deepEqual(await sessions.add([careful]), ['careful']);
  assert.deepEqual((await sessions.handle('double', { number: 4 })).structuredContent, { result: 8 });
  assert.equal(said(await sessions.handle('careful', {})), 'Ada');
  // The host can spawn what a model only calls.
  const spawned = await sessions.spawn('a', 'double', { number: 21 });
  assert.deepEqual([spawned.state, said(spawned.parsed)], ['stopped', '{"result":42}']);
}));

test('what happens meanwhile is told', async () => {
  const told = [];
  const kinds = ['onState', 'onProgress', 'onLog', 'onStderr'];
  const callbacks = kinds.map((kind) => [kind, async (id, what) => {
    await sleep(1);
    told.push([kind, id, what]);
  }]);
  await withSessions(Object.fromEntries(callbacks), async (sessions) => {
    await sessions.add(file('echo.mjs', ECHO));
    await sessions.handle('echo', { action: 'spawn', id: 'a' });
  });
  for (const begin = Date.now(); !told.some(([, , what]) => what === 'stopped'); await sleep(10)) assert.ok(Date.now() - begin < 60_000, told);
  const of = (wanted) => told.filter(([kind]) => kind === wanted).map(([, , what]) => what);
  assert.ok(told.every(([, id]) => id === 'a'));
  assert.equal(of('onState').at(-1), 'stopped');
  assert.deepEqual(of('onProgress'), [{ done: 1, total: 2, message: 'half' }]);
  assert.deepEqual(of('onLog'), [{ level: 'info', text: 'ready', logger: 'echo' }]);
  assert.equal(Buffer.concat(of('onStderr')).toString(), 'to stderr');
});

test('a tool does not wait for what is told', async () => {
  const leftOut = [];
  const options = {
    onStderr: () => sleep(20),
    onLog: (id, { logger, level, text }) => logger === 'toolwire' && leftOut.push([level, text.replace(/^\d+ /, '')]),
  };
  await withSessions(options, async (sessions) => {
    // More than waits for a callback that is slow.
    await sessions.add(file('flood.mjs', ECHO.replace("'to stderr'", "'x'.repeat(3_000_000)")));
    const spawned = await sessions.spawn('a', 'echo', {}, { until: 'Hello', wait: 60_000 });
    assert.match(said(spawned.parsed), /Hello/);
  });
  for (const begin = Date.now(); leftOut.length === 0; await sleep(10)) assert.ok(Date.now() - begin < 60_000);
  assert.deepEqual(leftOut[0], ['warning', 'notices of it were left out: nobody took them in time']);
});

test('misuse is named', async () => {
  const manifest = loadManifest(file('toolwire.toml', "[tools.today]\ncommand = 'date'\nplain = true\n"));
  assert.throws(() => new Sessions({ onLog: 1 }), { code: 'bad_option', pointer: '/onLog' });
  await withSessions({}, async (sessions) => {
    for (const [tools, options, pointer] of [
      ['cat', { session: 'tty' }, '/session'],
      ['cat', { session: 'pipe', size: [80, 24] }, '/size'],
      ['cat', { session: 'pty', size: [1, 24] }, '/size'],
      ['cat', { session: 'pty', size: 80 }, '/size'],
      ['cat', { size: [80, 24] }, '/size'],
      ['cat', { name: 'dog' }, '/name'],
      ['cat', { session: 'pipe', name: 'a dog' }, '/name'],
      ['a cat', { session: 'pipe' }, '/name'],
      [manifest, { session: 'pipe' }, '/session'],
      [double, { session: 'pipe' }, '/session'],
    ]) await assert.rejects(sessions.add(tools, options), { code: 'bad_option', pointer }, JSON.stringify(options));
    await assert.rejects(sessions.add([double, 'cat']), { code: 'bad_argument', pointer: '/tools/1' });
    assert.deepEqual(await sessions.tools(), []);
    // A program that can't be started is a handle that has stopped.
    assert.deepEqual(await sessions.add('./no-such-program', { session: 'pipe' }), ['no-such-program']);
    const parsed = await sessions.handle('no-such-program', { action: 'spawn', id: 'a' });
    assert.equal(statusOf(parsed), 'stopped');
    assert.match(said(parsed), /no-such-program/);
  });
});
