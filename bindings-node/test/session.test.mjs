// The state machine of sessions as Node has it; what it does is shown by the conformance cases.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { schema, wire } from 'toolwire';
const { SessionMachine, actionSchema, readCommand } = wire;
const { lintSchema, projectSchema } = schema;

const SPAWN = { event: 'spawn', by: 'assistant' };
const ASK = { event: 'question', question: { id: 'ok', text: 'Ok?', schema: { type: 'boolean' }, default: true } };

test('a session goes on', () => {
  const machine = new SessionMachine('staging', { actions: ['spawn', 'fetch', 'apply'] });
  assert.deepEqual([machine.state, machine.question, machine.possible('assistant')], ['absent', undefined, ['spawn']]);
  for (const event of [SPAWN, JSON.stringify(ASK), Buffer.from('{"event":"progress","done":1}')]) machine.handle(event);
  assert.deepEqual([machine.state, machine.question.id, machine.question.default], ['waiting', 'ok', true]);
  const { refusal } = machine.handle({ event: 'apply', by: 'assistant', input: 'yes' });
  assert.deepEqual(refusal.mismatches, [{ pointer: '', message: 'the value must be true or false, not `"yes"`' }]);
  machine.handle({ event: 'apply', by: 'assistant', answer: { state: 'accepted', value: true } });
  assert.deepEqual([machine.state, machine.question], ['running', undefined]);
});

test('input keeps its digits', () => {
  const machine = new SessionMachine('a', { actions: ['apply'] });
  machine.handle({ event: 'spawn', by: 'user' });
  const { effects } = machine.handle({ event: 'apply', by: 'user', input: 2n ** 64n });
  assert.deepEqual(effects, [{ effect: 'input', value: 2n ** 64n }]);
});

test('wrong values are refused', () => {
  const refuse = (make, code, pointer) => assert.throws(make, (refused) => refused.code === code && refused.pointer === pointer);
  refuse(() => new SessionMachine(''), 'bad_argument', '/id');
  refuse(() => new SessionMachine(7), 'bad_argument', '/id');
  refuse(() => new SessionMachine('a', { actions: 'spawn' }), 'bad_option', '/actions');
  refuse(() => new SessionMachine('a', { maxBytes: 0 }), 'bad_option', '/maxBytes');
  refuse(() => new SessionMachine('a', { maxBites: 1 }), 'bad_option', '/maxBites');
  const machine = new SessionMachine('a');
  refuse(() => machine.handle(7), 'bad_argument', '/event');
  refuse(() => machine.handle({}), 'bad_argument', '/event');
  refuse(() => machine.handle(Buffer.from([0xff])), 'invalid_utf8', '');
  refuse(() => machine.handle('{'), 'json_truncated', '');
  refuse(() => machine.possible('me'), 'bad_argument', '/by');
  assert.equal(machine.state, 'absent');
});

const GIT = {
  name: 'git',
  inputSchema: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
  _meta: { 'dev.toolwire/actions': ['spawn', 'fetch'] },
};

test('a model calls', () => {
  for (const args of [{ action: 'spawn', id: 'a', command: 'add', size: 2n ** 64n }, '{"action":"spawn","id":"a","command":"add","size":18446744073709551616}']) {
    assert.deepEqual(readCommand(args, GIT), { action: 'spawn', id: 'a', arguments: { command: 'add', size: 2n ** 64n } });
  }
  assert.equal(readCommand({ action: 'fetch', id: 'a', wait: 1 }, JSON.stringify(GIT)).wait, 1);
  for (const provider of ['common', 'openai', 'openai_strict', 'anthropic', 'anthropic_strict', 'google']) {
    for (const style of ['flat', 'one_of']) {
      const { schema, wrapped } = projectSchema(actionSchema(GIT, { style }), { provider });
      assert.deepEqual([lintSchema(schema, { provider }), wrapped], [[], style === 'one_of']);
    }
  }
  assert.deepEqual(actionSchema(GIT), actionSchema(GIT, { style: 'flat' }));
  const [{ code, pointer }] = lintSchema(actionSchema(GIT, { style: 'one_of' }), { provider: 'anthropic' });
  assert.deepEqual([code, pointer], ['schema_refused', '/oneOf']);
});

test('wrong calls are refused', () => {
  const refuse = (make, code, pointer) => assert.throws(make, (refused) => refused.code === code && refused.pointer === pointer);
  refuse(() => readCommand({ action: 'abort', id: 'a' }, GIT), 'action_not_offered', '/action');
  refuse(() => readCommand({ action: 'fetch' }, GIT), 'bad_argument', '/id');
  refuse(() => readCommand(undefined, GIT), 'bad_argument', '/arguments');
  refuse(() => readCommand({}, { name: 'git' }), 'bad_description', '/inputSchema');
  refuse(() => actionSchema(GIT, { style: 'deep' }), 'bad_option', '/style');
  refuse(() => actionSchema(GIT, { style: 7 }), 'bad_option', '/style');
  refuse(() => actionSchema(GIT, { kind: 'flat' }), 'bad_option', '/kind');
  refuse(() => projectSchema({}, { provider: 'acme' }), 'bad_option', '/provider');
  refuse(() => lintSchema({}, { provider: ['openai'] }), 'bad_option', '/provider');
  refuse(() => lintSchema('{'), 'json_truncated', '');
});
