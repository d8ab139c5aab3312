// Messages of providers; what becomes of each block is shown by the conformance cases.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { envelope, image, parse, providers, text } from 'toolwire';

const { fromCall, toHistory, toMessage, toTools, toTurn } = providers;
const tools = [{ name: 'files.list', inputSchema: { type: 'object', properties: { path: { type: 'string' } } } }];

test('a turn, from the definitions to the next message', () => {
  const made = toTools(tools, 'openai_chat');
  const { name } = made.tools[0].function;
  assert.deepEqual(made.names, [{ tool: 'files.list', name }]);
  const calls = ['{"path":"a"}', '{"path":"/v'].map((args, index) => ({ id: `${index}`, type: 'function', function: { name, arguments: args } }));
  const read = calls.map((call, index) => fromCall(call, 'openai_chat', { stopReason: 'length', isLast: index === 1, tools }));
  assert.deepEqual(read.map((one) => one.call.name), ['files.list', 'files.list']);
  assert.deepEqual(read.map((one) => one.refusal === null), [true, false]);
  assert.deepEqual(read.map((one) => one.history), calls);
  const picture = envelope([text('look'), image(Buffer.from('89504e470d0a1a0a', 'hex'), 'image/png')]);
  const turn = toTurn(read.map((one) => one.call), [picture, read[1].refusal], 'openai_chat');
  assert.deepEqual(turn.messages.map((message) => message.role), ['tool', 'tool', 'user']);
  assert.match(turn.messages[1].content, /^\[error\]\n\n`files.list` was not run/);
});

test('an output is anything that can be read', () => {
  const call = { id: '1', name: 'now' };
  for (const data of ['12:00', Buffer.from('12:00'), parse('12:00'), envelope([text('12:00')])]) {
    assert.equal(toMessage(data, call, 'openai').message.output, '12:00');
    assert.equal(toTurn([call], [data], 'openai').messages[0].output, '12:00');
  }
  assert.throws(() => toMessage('', call, 'openrouter'), { code: 'bad_option', pointer: '/provider' });
  assert.deepEqual(toHistory({ ...call, arguments: {} }, 'bedrock'), { toolUse: { toolUseId: '1', name: 'now', input: {} } });
});
