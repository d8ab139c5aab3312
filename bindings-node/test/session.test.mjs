// The state machine of sessions as Node has it; what it does is shown by the conformance cases.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SessionMachine } from 'toolwire';

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
