// `Tools`: whatever names tools under one object, and the answers to a model.
import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Tools, boolean, loadManifest, tool } from 'toolwire';

const double = tool({ name: 'math.double', description: 'Double.', input: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }, readOnly: true }, ({ n }) => String(2 * n));
const fails = tool({ name: 'fails', description: 'Fails.' }, () => {
  throw new Error('no luck');
});
const asks = tool({ name: 'asks', description: 'Asks.' }, (_, ctx) => (ctx.answer('sure', boolean('Really?')) ? 'Did.' : 'Kept.'));

function reply(stop_reason, ...calls) {
  return { stop_reason, content: calls.map(([name, input], at) => ({ type: 'tool_use', id: `toolu_${at}`, name, input })) };
}

test('a turn has everything that can happen', async () => {
  const tools = new Tools({ answerer: () => true });
  await tools.add([double, fails, asks]);
  const [, , mapped] = tools.definitions('anthropic').map(({ name }) => name);
  assert.match(mapped, /^math_double_/);
  const turn = await tools.respond('anthropic', reply('max_tokens', [mapped, { n: 21 }], ['fails', {}], ['asks', {}], ['nope', {}], ['asks', {}]));
  const [said, results] = turn.messages;
  assert.equal(said.content[0].name, mapped);
  assert.deepEqual(turn.calls.map(({ name }) => name), ['math.double', 'fails', 'asks', 'nope', 'asks']);
  assert.equal(results.content[0].content, '42');
  assert.match(results.content[1].content, /no luck/);
  assert.equal(results.content[2].content, 'Did.');
  assert.match(results.content[3].content, /there is no tool `nope`; there is `asks`/);
  assert.match(results.content[4].content, /was not run/);
  assert.deepEqual(results.content.map((block) => block.is_error ?? false), [false, true, false, true, true]);
  assert.equal(turn.results[2].envelope.blocks[0].text, 'Did.');
  assert.equal(turn.reports.length, 5);
  await tools.close();
});

test('the AI SDK has a turn of its own form', async () => {
  const tools = new Tools();
  await tools.add(double);
  const [{ name }] = tools.definitions('ai_sdk');
  const result = {
    finishReason: 'tool-calls',
    toolCalls: [{ type: 'tool-call', toolCallId: 'a', toolName: name, input: { n: 1 } }],
    response: { messages: [{ role: 'assistant', content: [] }] },
  };
  const { messages } = await tools.respond('ai_sdk', result);
  assert.deepEqual(messages.map(({ role }) => role), ['assistant', 'tool']);
  await tools.close();
});

test('folders, manifests and programs are sources', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolwire-tools-'));
  const file = join(folder, 'toolwire.toml');
  writeFileSync(file, '[tools.day]\ncommand = ["echo", "Monday"]\nplain = true\ndescription = "The day."\n');
  const tools = new Tools();
  assert.deepEqual(await tools.add(folder), ['day']);
  await assert.rejects(tools.add(file), { code: 'bad_option', message: /`day`.*`only`/ });
  assert.deepEqual(await tools.add(loadManifest(file)), ['day']);
  assert.equal((await tools.call('day', {})).envelope.blocks[0].text, 'Monday\n');
  assert.deepEqual(tools.list().map(({ name }) => name), ['day']);
  await tools.close();
});

test('mistakes of the host reject', async () => {
  const tools = new Tools();
  await assert.rejects(tools.respond('anthropic', { choices: [] }), { code: 'bad_argument' });
  await assert.rejects(tools.add('mcp+exec://some-server'), { code: 'untrusted_server' });
  assert.throws(() => tools.definitions('openrouter'), { code: 'bad_option' });
  await tools.close();
  assert.throws(() => tools.definitions('anthropic'), { code: 'not_connected' });
  await assert.rejects(tools.respond('anthropic', reply('end_turn')), { code: 'not_connected' });
});
