// Results, tools and calls as MCP has them; what the mapping does is shown by the conformance cases.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { envelope, mcp, parse, text, wire } from 'toolwire';
const { callFromMeta, callToMeta, fromResult, fromTool, toResult, toTool } = mcp;
const { readCall } = wire;

const DIGITS = '{"content":[],"structuredContent":{"n":0.1234567890123456789,"o":12345678901234567890}}';

for (const revision of ['2025-06-18', '2025-11-25', '2026-07-28']) {
  test(`an envelope comes back from ${revision} with all its digits`, () => {
    const mapped = toResult(DIGITS, { revision });
    assert.equal(mapped.result.structuredContent.o, 12345678901234567890n);
    assert.ok(mapped.report.every(({ fate }) => fate === 'kept'));
    const { parsed, report } = fromResult(mapped.text);
    assert.equal(String(parsed.envelope), DIGITS);
    assert.ok(report.some(({ pointer, fate }) => pointer === '/_meta/dev.toolwire~1patch' && fate === 'moved'));
  });
}

test('what was built or read is taken as it is', () => {
  const built = envelope([text('a')]);
  const [one, two, three] = [built, parse(String(built)), String(built)].map((each) => toResult(each, { revision: '2025-06-18' }));
  assert.deepEqual(one, two);
  assert.deepEqual(two, three);
});

test('limits are those of reading', () => {
  assert.equal(toResult(DIGITS, { revision: '2025-06-18', limits: { maxBytes: 9 } }).result.content[0].text, DIGITS);
  assert.ok(fromResult(DIGITS, { limits: { maxBytes: 9 } }).parsed.isRaw);
});

test('misuse is named', () => {
  for (const [misuse, code, pointer] of [
    [() => toResult('a'), 'bad_option', '/revision'],
    [() => toResult('a', { revision: '2024-11-05' }), 'bad_option', '/revision'],
    [() => toResult('a', { revision: '2025-06-18', mirror: 1 }), 'bad_option', '/mirror'],
    [() => toResult('a', { revision: '2025-06-18', wrap: true }), 'bad_option', '/wrap'],
    [() => fromResult(7), 'bad_argument', '/result'],
    [() => toTool({}, { revision: '2025-06-18' }), 'bad_description', '/name'],
    [() => fromTool(7), 'bad_argument', '/listed'],
    [() => callFromMeta('a', [1]), 'bad_call', '/arguments'],
    [() => callFromMeta(1, {}), 'bad_argument', '/name'],
    [() => callFromMeta('a', {}, { 'computer.jp/tool': 1 }), 'bad_call', '/computer.jp~1tool'],
    [() => callToMeta({}), 'bad_call', '/tool'],
  ]) {
    assert.throws(misuse, { name: 'ToolwireError', code, pointer });
  }
});

test('a call goes and comes', () => {
  const call = readCall('{"tool":{"name":"a","arguments":{"n":1},"answers":{"q":2}},"context":{"action":"run","root":"/w"}}');
  assert.deepEqual(callFromMeta('a', call.arguments, callToMeta(call)), call);
  assert.equal(callToMeta({ tool: { name: 'a' }, context: { action: 'run' } }), undefined);
});
