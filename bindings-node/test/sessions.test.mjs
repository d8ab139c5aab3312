// Tools that keep running, in a host (chapter 24).
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Answer, Sessions } from 'toolwire';

const folder = mkdtempSync(join(dirname(fileURLToPath(import.meta.url)), 'sessions-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** A file in the folder of this test, which finds the package. */
function file(name, text) {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const ONCE = file('once.mjs', `import * as tw from 'toolwire';
  tw.tool({ name: 'echo', input: { properties: { action: {}, id: {}, input: {} } } }, ({ action, id, input }) => \`\${action} \${id} \${input}\`);
  tw.tool({ name: 'other' }, () => 'other');
  await tw.main();`);

// A session in any language: lines on stdin and stdout (chapter 22).
const LINES = file('lines.mjs', `import { createInterface } from 'node:readline';
  const say = (line) => console.log(JSON.stringify(line));
  const text = (words) => say({ type: 'output', call: 1, blocks: [{ type: 'text', text: words }] });
  if (process.env.TOOLWIRE_CALL !== 'lines') {
    const tools = [{ name: 'git', inputSchema: { type: 'object' }, _meta: { 'dev.toolwire/actions': ['spawn', 'fetch', 'apply', 'abort'] } }];
    say({ content: [], structuredContent: { toolwire: 1, tools } });
    process.exit();
  }
  for await (const line of createInterface({ input: process.stdin })) {
    const said = JSON.parse(line);
    if (said.type === 'hello') say({ type: 'hello', toolwire: 1, version: 1 });
    if (said.type === 'call') {
      text('started ' + process.pid + ' ' + line.includes('9007199254740993'));
      const { ask } = said.document.tool.arguments;
      if (ask) say({ type: 'question', call: 1, question: { id: 'it', text: ask, schema: { type: 'string' } } });
    }
    if (said.type === 'input') text('got ' + JSON.stringify(said.input));
    if (said.type === 'answer') text('answered ' + said.answer.state + ' ' + said.answer.value);
    if (said.type === 'end') break;
  }
  text('bye');
  say({ type: 'result', call: 1, envelope: { content: [] } });`);

const said = (parsed) => parsed.envelope.content.filter(({ type }) => type === 'text').map(({ text }) => text).join('\n');
const refusal = (parsed) => JSON.parse(String(parsed.envelope))._meta['dev.toolwire/session'].refusal;

/** Runs with sessions of the tool, and closes them. */
async function withSessions(options, use) {
  const sessions = new Sessions({ firstWait: 30_000, ...options });
  try {
    assert.deepEqual(await sessions.add([process.execPath, LINES]), ['git']);
    return await use(sessions);
  } finally {
    await sessions.close();
  }
}

test('a model drives a tool', () => withSessions({}, async (sessions) => {
  const spawned = await sessions.handle('git', '{"action":"spawn","id":"a","n":9007199254740993}');
  assert.match(said(spawned), /^started \d+ true$/);
  assert.equal(said(await sessions.handle('git', { action: 'apply', id: 'a', input: 'y' })), 'got "y"');
  const again = await sessions.handle('git', { action: 'spawn', id: 'a' });
  assert.ok(again.isError);
  assert.deepEqual([refusal(again).code, refusal(again).possible], ['handle_exists', ['fetch', 'apply', 'abort']]);
  assert.match(said(await sessions.handle('git', { action: 'abort', id: 'a' })), /^bye/);
}));

test('the host itself uses handles', () => withSessions({}, async (sessions) => {
  const spawned = await sessions.spawn('a', 'git', {}, { label: 'the one' });
  const pid = Number(said(spawned.parsed).split(' ')[1]);
  const [{ since, ...handle }] = await sessions.list();
  assert.deepEqual(handle, { id: 'a', tool: 'git', state: 'running', label: 'the one', person: false });
  assert.ok(Math.abs(since - Date.now()) < 600_000);
  assert.equal(said((await sessions.apply('a', { input: { x: 1 } }, { until: 'got', wait: 30_000 })).parsed), 'got {"x":1}');
  assert.deepEqual(await sessions.wait(['a', 'b'], { any: true, time: 50 }), { a: 'running', b: 'absent' });
  assert.equal((await sessions.fetch('b')).refusal.code, 'unknown_handle');
  assert.deepEqual(await sessions.announcements(), []);
  await sessions.endOfTurn();
  assert.equal((await sessions.list())[0].state, 'stopped');
  assert.deepEqual((await sessions.announcements()).map(({ text }) => text), ['`a` has stopped: fetch it']);
  assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
  assert.deepEqual((await sessions.tools()).map(({ name }) => name), ['git']);
}));

test('a tool that runs once keeps its own arguments', async () => {
  const sessions = new Sessions();
  assert.deepEqual(await sessions.add([process.execPath, ONCE], { only: ['echo'] }), ['echo']);
  assert.equal(said(await sessions.handle('echo', { action: 'spawn', id: 'a', input: 1 })), 'spawn a 1');
  assert.deepEqual(await sessions.list(), []);
  assert.ok((await sessions.handle('other', {})).isError);
  await sessions.close();
});

test('questions for a person go to the answerer', async () => {
  const asked = [];
  const answerer = async (question) => {
    asked.push([question.id, question.secret !== undefined]);
    return new Answer('1234');
  };
  await withSessions({ answerer }, async (sessions) => {
    await sessions.handle('git', { action: 'spawn', id: 'a', ask: 'Your PIN, please' });
    await sessions.fetch('a', { after: 0, until: 'answered accepted 1234', wait: 30_000 });
    const told = await sessions.fetch('a', { after: 0, until: 'answered accepted 1234', wait: 30_000 });
    assert.deepEqual([asked, told.state], [[['it', true]], 'running']);
  });
  await withSessions({}, async (sessions) => {
    await sessions.handle('git', { action: 'spawn', id: 'a', ask: 'Your PIN, please' });
    const refused = await sessions.handle('git', { action: 'apply', id: 'a', input: '1234' });
    assert.equal(refusal(refused).code, 'person_only');
    const byHand = await sessions.apply('a', { answer: { state: 'declined' } }, { question: 'it', by: 'user' });
    assert.match(said(byHand.parsed), /answered declined/);
  });
});

test('what a model begins is approved', async () => {
  const requests = [];
  const approve = (request) => {
    requests.push(request);
    return request.id === 'bad' ? 'not today' : true;
  };
  await withSessions({ approve }, async (sessions) => {
    assert.match(said(await sessions.handle('git', { action: 'spawn', id: 'bad', n: 1 })), /not today/);
    assert.deepEqual(requests, [{ tool: 'git', id: 'bad', action: 'spawn', by: 'assistant', arguments: { n: 1 } }]);
    assert.equal((await sessions.handle('git', { action: 'spawn', id: 'good' })).isError, false);
  });
});

test('misuse is named', async () => {
  for (const [options, pointer] of [
    [{ maxHandles: 0 }, '/maxHandles'],
    [{ maxReply: 0 }, '/maxReply'],
    [{ keep: '1' }, '/keep'],
    [{ rules: { turn: 'stay' } }, '/turn'],
    [{ rules: { fun: 1 } }, '/fun'],
    [{ fun: 1 }, '/fun'],
    [{ answerer: 1 }, '/answerer'],
  ]) assert.throws(() => new Sessions(options), { code: 'bad_option', pointer });
  await withSessions({}, async (sessions) => {
    await assert.rejects(sessions.fetch('a', { after: -1 }), { code: 'bad_argument', pointer: '/after' });
    await assert.rejects(sessions.apply('a', {}), { pointer: '/input' });
    await assert.rejects(sessions.handle('git', '{},"by":"user"'), { code: 'bad_argument', pointer: '/arguments' });
    await assert.rejects(sessions.handle('git', 1), { code: 'bad_argument', pointer: '/arguments' });
    await assert.rejects(sessions.spawn('a', 'gti'), { code: 'unknown_tool' });
    await assert.rejects(sessions.add(file('none.mjs', 'console.log("hello")')), { code: 'describe_failed' });
  });
});
