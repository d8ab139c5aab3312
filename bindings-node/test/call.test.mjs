import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as toolwire from 'toolwire';

const { Answer, Block, Envelope, envelope, parse, question, text, ToolwireError } = toolwire;
const { findSecret, prompt, readQuestion, readTemplate, refusal, template } = toolwire.questions;
const { describe, parseArguments, readCall, readDescription } = toolwire.wire;

const refuses = (call, code, pointer) =>
  assert.throws(call, (refused) => {
    assert.ok(refused instanceof ToolwireError, String(refused?.stack));
    assert.deepEqual([refused.code, refused.pointer], [code, pointer], refused.message);
    return true;
  });

const CALL = {
  tool: {
    name: 'rename',
    arguments: { path: 'a', count: 2 },
    answers: { confirm: null },
    'dev.toolwire/answers': { confirm: { state: 'accepted', source: 'user' }, why: { state: 'declined' } },
  },
  context: { action: 'Run', root: '/project' },
};

test('a call is read from a document and from the _meta of a request', () => {
  const expected = {
    name: 'rename',
    action: 'run',
    root: '/project',
    arguments: { path: 'a', count: 2 },
    options: {},
  };
  for (const data of [JSON.stringify(CALL), Buffer.from(JSON.stringify(CALL))]) {
    const { text, metaText, answers, ...call } = readCall(data);
    assert.deepEqual(call, expected);
    assert.deepEqual(Object.keys(answers), ['confirm', 'why']);
    const { confirm, why } = answers;
    assert.ok(confirm instanceof Answer && why instanceof Answer);
    assert.deepEqual([confirm.state, confirm.source, confirm.value, confirm.accepted], ['accepted', 'user', null, true]);
    assert.deepEqual([why.state, why.source, why.value, why.accepted], ['declined', undefined, undefined, false]);
    assert.equal(readCall(text).text, text);
    assert.equal(readCall(metaText, { carrier: 'meta' }).text, text);
  }
  assert.deepEqual(readCall('{"tool":{},"context":{"action":"describe"}}').name, undefined);
  refuses(() => readCall('{"tool":{"name":"t"}}'), 'bad_call', '/context');
  refuses(() => readCall('{"tool":{"name":"t"},"context":{"action":"walk"}}'), 'unknown_action', '/context/action');
  refuses(() => readCall(JSON.stringify(CALL), { limits: { maxDepth: 2 } }), 'limit_depth', '');
  refuses(() => readCall('{}', { carrier: 'pigeon' }), 'bad_option', '/carrier');
  refuses(() => readCall('{}', { meta: true }), 'bad_option', '/meta');
  assert.equal(readCall(CALL).name, 'rename');
  refuses(() => readCall(7), 'bad_argument', '/data');
  const odd = readCall('{"tool":{"name":"t","answers":{"__proto__":1}},"context":{"action":"run"}}').answers;
  assert.equal(Object.getOwnPropertyDescriptor(odd, '__proto__').value.value, 1);
});

test('an answer has a value exactly if it is accepted', () => {
  const answer = new Answer([1], { source: 'policy' });
  assert.deepEqual({ ...answer }, { state: 'accepted', source: 'policy', value: [1] });
  assert.deepEqual({ ...new Answer(null) }, { state: 'accepted', source: 'user', value: null });
  assert.equal(new Answer(undefined, { state: 'cancelled' }).accepted, false);
  assert.throws(() => {
    'use strict';
    answer.state = 'declined';
  }, TypeError);
  refuses(() => new Answer(), 'bad_argument', '/value');
  refuses(() => new Answer(1, { state: 'declined' }), 'bad_argument', '/value');
  refuses(() => new Answer(undefined, { state: 'accepted' }), 'bad_argument', '/value');
  refuses(() => new Answer(1, { state: 'maybe' }), 'bad_argument', '/state');
  refuses(() => new Answer(1, { source: 'mother' }), 'bad_argument', '/source');
  refuses(() => new Answer(1, { from: 'user' }), 'bad_option', '/from');
});

const TOOL = { name: 'now', description: 'The time.\nIn UTC.', inputSchema: { type: 'object' }, 'x-new': [1] };

test('what describes tools is read as the same tools', () => {
  const made = describe([TOOL]);
  assert.ok(made instanceof Envelope);
  assert.equal(made.blocks[0].text, 'now: The time.');
  for (const given of [made, String(made), parse(String(made))]) assert.deepEqual(readDescription(given), [TOOL]);
  assert.deepEqual(readDescription(describe([])), []);
  assert.equal(readDescription('usage: now [-u]'), undefined);
  assert.equal(readDescription(toolwire.error('no')), undefined);
  refuses(() => describe([TOOL, { ...TOOL, name: 'a b' }]), 'bad_description', '/structuredContent/tools/1/name');
  refuses(() => describe([TOOL, TOOL]), 'bad_description', '/structuredContent/tools/1/name');
  refuses(() => describe([{ ...TOOL, title: undefined }]), 'bad_argument', '/tools/0/title');
  refuses(() => describe(TOOL), 'bad_argument', '/tools');
  let deep = {};
  for (let depth = 0; depth < 1021; depth += 1) deep = { deep };
  refuses(() => describe([{ ...TOOL, deep }]), 'limit_depth', '');
  refuses(() => readDescription('{"content":[],"structuredContent":{"toolwire":2}}'), 'bad_description', '/structuredContent/toolwire');
});

test('words become arguments by their schema', () => {
  const schema = { type: 'object', properties: { path: { type: 'string' }, limit: { type: 'integer' } }, required: ['path'] };
  assert.deepEqual(parseArguments(['path=1', 'limit=3'], schema), { path: '1', limit: 3 });
  assert.deepEqual(parseArguments(['path=1'], JSON.stringify(schema)), { path: '1' });
  assert.deepEqual(parseArguments(['__proto__=1'], '{}'), JSON.parse('{"__proto__":1}'));
  assert.throws(() => parseArguments(['path=1', 'limit=many'], schema), {
    code: 'bad_argument', pointer: '/limit', message: '`limit` must be a whole number, not `many`',
  });
  refuses(() => parseArguments([], schema), 'bad_argument', '/path');
  refuses(() => parseArguments('path=1', schema), 'bad_argument', '/words');
  refuses(() => parseArguments([1], schema), 'bad_argument', '/words/0');
  refuses(() => parseArguments(['a=\ud800'], schema), 'bad_argument', '/words/0');
  refuses(() => parseArguments([], 5), 'bad_argument', '/schema');
  refuses(() => parseArguments([], '{"type":'), 'json_truncated', '');
  refuses(() => parseArguments([], Buffer.from([0x22, 0xff, 0x22])), 'invalid_utf8', '');
});

const ASK = { id: 'branch', text: 'Which branch?', schema: { type: 'string', enum: ['main', 'develop'] }, default: 'main' };

test('a question is taken as a block, an object, or its JSON text', () => {
  const block = question(ASK.id, ASK.text, ASK.schema, { default: ASK.default });
  assert.ok(block instanceof Block);
  const read = parse(String(envelope([block]))).envelope.blocks[0];
  for (const given of [ASK, block, read, block.question, JSON.stringify(ASK), Buffer.from(JSON.stringify(ASK))]) {
    const { schemaText, defaultText, ...asked } = readQuestion(given);
    assert.deepEqual(asked, ASK);
    assert.deepEqual([JSON.parse(schemaText), JSON.parse(defaultText)], [ASK.schema, 'main']);
    assert.deepEqual(prompt(given), {
      kind: 'select', choices: [{ value: 'main', label: 'main' }, { value: 'develop', label: 'develop' }], default: 'main',
    });
    assert.equal(findSecret(given), undefined);
  }
  assert.equal('default' in readQuestion({ ...ASK, default: undefined }), false);
  assert.equal(readQuestion({ ...ASK, default: null }).default, null);
  refuses(() => readQuestion(text('a')), 'bad_argument', '/question');
  refuses(() => prompt(envelope([block])), 'bad_argument', '/question');
  refuses(() => prompt(null), 'bad_argument', '/question');
  refuses(() => prompt({ ...ASK, id: '' }), 'bad_argument', '/id');
  refuses(() => prompt({ ...ASK, schema: { const: NaN } }), 'bad_argument', '/schema/const');
  refuses(() => prompt('{'), 'json_truncated', '');
});

test('a question for a secret reaches no prompt', () => {
  const secret = { id: 'login', text: 'Your password, please', schema: { type: 'string' } };
  const wording = { reason: 'wording', about: 'password', tier: 'suspected' };
  assert.deepEqual(findSecret(secret), { pointer: '/text', ...wording });
  assert.equal(prompt(secret).kind, 'text');
  const bland = { ...secret, text: 'Continue' };
  assert.equal(findSecret(bland), undefined);
  assert.deepEqual(findSecret(bland, ['', 'Enter your password below.']), { pointer: '/context/1', ...wording });
  refuses(() => findSecret(bland, 'a'), 'bad_argument', '/context');
  const declared = { ...secret, schema: { type: 'string', format: 'password' } };
  assert.deepEqual(findSecret(declared), { pointer: '/schema/format', reason: 'format', about: 'password', tier: 'declared' });
  refuses(() => prompt(declared), 'secret_question', '/schema/format');
});

test('a template is answered, or cancelled', () => {
  const edited = template({ id: 'tags', text: 'Which tags?', schema: { type: 'array' }, default: [1.5] });
  assert.match(edited, /^\/\/ Which tags\?\n/);
  assert.deepEqual(readTemplate(edited), new Answer([1.5]));
  assert.equal(readTemplate(edited).valueText, '[\n  1.5\n]');
  assert.equal(readTemplate('// no\n1.50').valueText, '1.50');
  assert.equal(readTemplate('null').value, null);
  assert.equal(readTemplate('// nothing left\n').state, 'cancelled');
  assert.throws(() => readTemplate('// a\n[1,]'), { code: 'json_syntax', offset: 8 });
  refuses(() => readTemplate('"\ud800"'), 'invalid_utf8', '');
});

test('what is said where there is no answer', () => {
  const made = refusal({ host: 'Ada', about: 'password', service: 'Bluesky', url: undefined });
  assert.ok(made instanceof Envelope && made.isError);
  assert.match(made.blocks[0].text, /Never use the main password of your Bluesky account/);
  refuses(() => refusal({}), 'bad_option', '/host');
  refuses(() => refusal(), 'bad_option', '/host');
  refuses(() => refusal({ host: 'Ada', about: 'love' }), 'bad_option', '/about');
  refuses(() => refusal({ host: 'Ada', hots: 1 }), 'bad_option', '/hots');
});
