import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as toolwire from 'toolwire';

const { audio, Block, Envelope, envelope, error, image, parse, question, resource, resourceFromBytes, resourceFromFile } = toolwire;
const { resourceLink, text, ToolwireError } = toolwire;

const refuses = (call, pointer, code = 'bad_argument') =>
  assert.throws(call, (refused) => {
    assert.ok(refused instanceof ToolwireError, String(refused?.stack));
    assert.deepEqual([refused.code, refused.pointer], [code, pointer], refused.message);
    return true;
  });

/** What every envelope must do: read as valid, survive reading. */
function answers(made, document) {
  assert.ok(made instanceof Envelope);
  assert.deepEqual(JSON.parse(String(made)), document);
  const read = parse(String(made));
  assert.equal(read.verdict, 'valid', String(read));
  assert.ok(read.envelope.equals(made) && made.equals(read.envelope));
  assert.equal(made.document, String(made));
  assert.ok(!String(made).includes('\n'));
  return made;
}

test('each builder makes a block that an envelope takes', () => {
  const blocks = [
    text('hi'),
    resource('file:///a.rs', { text: 'fn a() {}', mimeType: 'text/rust', name: 'a', title: 'A', description: 'first', formatted: 'A!' }),
    resource('file:///a.bin', { blob: Buffer.from([0, 255]) }),
    resourceFromBytes('/a.txt', Buffer.from('x')),
    image(Buffer.from('png'), 'image/png'),
    audio(new Uint8Array([1, 2]), 'audio/wav'),
    resourceLink('https://example.com/', 'home', { title: 'T', description: 'D', mimeType: 'text/html', size: 12 }),
  ];
  for (const block of blocks) {
    assert.ok(block instanceof Block);
    assert.equal(JSON.stringify(block), block.json);
    assert.equal(String(block), block.json);
  }
  const made = answers(envelope(blocks), {
    content: [
      { type: 'text', text: 'hi' },
      {
        type: 'resource',
        resource: { uri: 'file:///a.rs', text: 'fn a() {}', mimeType: 'text/rust', name: 'a', title: 'A', description: 'first' },
        formatted: 'A!',
      },
      { type: 'resource', resource: { uri: 'file:///a.bin', blob: 'AP8=' } },
      { type: 'resource', resource: { uri: 'file:///a.txt', text: 'x', mimeType: 'text/plain' } },
      { type: 'image', data: 'cG5n', mimeType: 'image/png' },
      { type: 'audio', data: 'AQI=', mimeType: 'audio/wav' },
      { type: 'resource_link', uri: 'https://example.com/', name: 'home', title: 'T', description: 'D', mimeType: 'text/html', size: 12 },
    ],
  });
  assert.deepEqual(made.blocks[2].bytes, Buffer.from([0, 255]));
  assert.deepEqual(made.content, JSON.parse(String(made)).content);
});

test('a block that was made reads like one that was parsed', () => {
  const made = resource('file:///a', { text: 'x', annotations: { audience: ['user'], priority: 0.5, lastModified: undefined }, meta: { a: 1 } });
  const [read] = parse(String(envelope([made]))).envelope.blocks;
  for (const block of [made, read]) {
    assert.deepEqual(
      [block.type, block.uri, block.text, block.audience, block.priority, block.lastModified, block.meta],
      ['resource', 'file:///a', 'x', ['user'], 0.5, undefined, { a: 1 }],
    );
    assert.deepEqual(block.contentBytes, Buffer.from('x'));
  }
  assert.ok(made.equals(read));
  assert.ok(!made.equals(text('x')));
  assert.notDeepEqual(made, text('x'));
});

test('questions keep null apart from nothing, and their schema', () => {
  const schema = { type: 'string', enum: ['main', 'develop'] };
  const ask = question('branch', 'Which?', schema, { default: 'main' });
  assert.deepEqual(ask.question.schema, schema);
  assert.equal(ask.question.default, 'main');
  assert.equal('default' in question('a', 'A?', {}).question, false);
  assert.equal(question('a', 'A?', {}, { default: null }).question.default, null);
  answers(envelope([ask], { status: 'waiting' }), {
    content: [{ type: 'question', question: { id: 'branch', text: 'Which?', schema, default: 'main' } }],
    _meta: { 'computer.jp/status': 'waiting' },
  });
});

test('what an envelope takes beside blocks', () => {
  answers(envelope(), { content: [] });
  answers(envelope(text('one')), { content: [{ type: 'text', text: 'one' }] });
  answers(envelope([], { structuredContent: null }), { content: [], structuredContent: null });
  answers(envelope([], { structuredContent: undefined, isError: undefined }), { content: [] });
  const made = answers(
    envelope([{ type: 'text', text: 'plain object' }], {
      structuredContent: { list: [1, 'a', null, true, { deep: 0.1 }] },
      isError: true,
      error: { transient: true, trace: ['why'] },
      meta: { 'example.com/x': 1 },
    }),
    {
      content: [{ type: 'text', text: 'plain object' }],
      structuredContent: { list: [1, 'a', null, true, { deep: 0.1 }] },
      isError: true,
      _meta: { 'computer.jp/error': { transient: true, trace: ['why'] }, 'example.com/x': 1 },
    },
  );
  assert.equal(made.isError, true);
  assert.deepEqual(made.structuredContent.list[4], { deep: 0.1 });
});

test('read blocks can be passed on, with fields that this version does not know', () => {
  const { envelope: read } = parse('{"content":[{"type":"text","text":"a","x-new":[1.50]}]}');
  assert.equal(String(envelope(read.blocks)), '{"content":[{"text":"a","type":"text","x-new":[1.5]}]}');
  assert.equal(String(envelope(read.content)), '{"content":[{"text":"a","type":"text","x-new":[1.5]}]}');
});

test('values that JSON has are written as they are', () => {
  const of = (structuredContent) => JSON.parse(String(envelope([], { structuredContent }))).structuredContent;
  assert.equal(of(-0), 0);
  assert.equal(of(5e-324), 5e-324);
  assert.equal(of(12n), 12);
  assert.equal(String(envelope([], { structuredContent: [9007199254740991n] })), '{"content":[],"structuredContent":[9007199254740991]}');
  assert.equal(of(new Date(0)), '1970-01-01T00:00:00.000Z');
  assert.deepEqual(of(Object.assign(Object.create(null), { a: 1 })), { a: 1 });
  assert.deepEqual(of({ '\u0000 "\\/\u2028': '\u007f😀' }), { '\u0000 "\\/\u2028': '\u007f😀' });
  assert.deepEqual(of(JSON.parse('{"__proto__":1}')), JSON.parse('{"__proto__":1}'));
  class Point {
    x = 1;
  }
  assert.deepEqual(of(new Point()), { x: 1 });
  assert.deepEqual(of({ toJSON: (key) => `was ${key}` }), 'was structuredContent');
  const twice = { a: 1 };
  assert.deepEqual(of([twice, twice]), [twice, twice], 'the same object twice is no cycle');
});

test('values that JSON does not have are refused where they stand', () => {
  const give = (structuredContent) => () => envelope([], { structuredContent });
  const cycle = { a: [] };
  cycle.a.push(cycle);
  for (const [value, pointer] of [
    [NaN, ''],
    [{ a: [0, Infinity] }, '/a/1'],
    [{ 'a/b': { '~': undefined } }, '/a~1b/~0'],
    [cycle, '/a/0'],
    [() => {}, ''],
    [{ s: Symbol('s') }, '/s'],
    [['ok', '\ud800'], '/1'],
    [{ '\udc00': 1 }, '/\udc00'],
    [new Map(), ''],
    [[new Set()], '/0'],
    [new Error('lost'), ''],
    [{ data: Buffer.from('x') }, '/data'],
    // eslint-disable-next-line no-sparse-arrays
    [[1, , 2], '/1'],
    [{ toJSON: () => undefined }, ''],
    [{ when: new Date(NaN) }, '/when'],
    [{ n: 10n ** 400n }, '/n'],
  ]) {
    refuses(give(value), `/structuredContent${pointer}`);
  }
  let deep = 1;
  for (let i = 0; i < 100_000; i += 1) deep = [deep];
  assert.throws(give(deep), { code: 'bad_argument' });
  refuses(() => question('a', 'A?', { const: NaN }), '/schema/const');
  refuses(() => text('a', { meta: { n: NaN } }), '/meta/n');
});

test('wrong arguments are refused with a pointer to the argument', () => {
  refuses(() => text(5), '/text');
  refuses(() => text(), '/text');
  refuses(() => text('\ud800'), '/text');
  refuses(() => text('a', { annotations: { priority: 2 } }), '/annotations/priority');
  refuses(() => text('a', { annotation: {} }), '/annotation');
  refuses(() => text('a', { text: 'b' }), '/text');
  refuses(() => text('a', 'b'), '');
  refuses(() => resource('file:///a', { blob: 'AAAA' }), '/blob');
  refuses(() => image('AAAA', 'image/png'), '/data');
  refuses(() => image(Buffer.from('x'), 5), '/mimeType');
  refuses(() => resourceLink('https://a/', 'a', { size: -1 }), '/size');
  refuses(() => resourceFromFile(5), '/path');
  assert.throws(() => resource('', { text: '' }), { code: 'bad_argument', pointer: '/uri' });
  assert.throws(() => resource('file:///a', {}), ToolwireError);
  assert.throws(() => resource('file:///a', { text: '', blob: Buffer.from('') }), ToolwireError);
  assert.throws(() => question('', 'A?', {}), { code: 'bad_argument', pointer: '/id' });
  assert.throws(() => envelope([{ type: 'hologram' }]), ToolwireError);
  refuses(() => envelope(['text']), '/content/0');
  refuses(() => envelope([text('a'), null]), '/content/1');
  refuses(() => envelope(envelope([])), '/content/0');
  refuses(() => envelope([[text('a')]]), '/content/0');
  refuses(() => envelope(text('a'), text('b')), '');
  refuses(() => resource('file:///a', 'text'), '');
  refuses(() => resourceFromFile(fileURLToPath(import.meta.url), 'text/plain'), '');
  assert.throws(() => envelope([], { status: 'done' }), { code: 'bad_argument', pointer: '/status' });
});

test('a message names the class of a wrong value', () => {
  assert.throws(() => text(Buffer.from('a')), { message: /`Buffer`/ });
  assert.throws(() => envelope(parse('a')), { message: /`Parsed`/ });
  assert.throws(() => parse(envelope([])), { message: /`Envelope`/ });
  assert.throws(() => parse({ get constructor() { throw new Error('no'); } }), { message: /`Object`/ });
  assert.throws(() => parse(Object.create(null)), { message: /`Object`/ });
});

test('resourceFromFile reads a file, by path or URL', () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolwire-'));
  try {
    const path = join(folder, 'main.rs');
    writeFileSync(path, 'fn main() {}\n');
    for (const given of [path, pathToFileURL(path)]) {
      const block = resourceFromFile(given);
      assert.equal(block.text, 'fn main() {}\n');
      assert.equal(block.uri, toolwire.normalizeUri(path));
      assert.match(block.uri, /^file:\/\/\/.*main\.rs$/);
      assert.match(block.mimeType, /rust/);
    }
    const named = resourceFromFile(path, { uri: 'https://example.com/source', title: 'Main' });
    assert.deepEqual([named.uri, named.title, named.text], ['https://example.com/source', 'Main', 'fn main() {}\n']);
    writeFileSync(path, Buffer.from([0, 1, 255]));
    assert.deepEqual(resourceFromFile(path, { mimeType: 'application/octet-stream' }).bytes, Buffer.from([0, 1, 255]));
    assert.throws(() => resourceFromFile(join(folder, 'absent')), { code: 'ENOENT' });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('an error from a message or from an error with its causes (API-14)', () => {
  answers(error('no such file'), { content: [{ type: 'text', text: 'no such file' }], isError: true });
  const document = (message, why) => ({
    content: [{ type: 'text', text: message }],
    isError: true,
    ...(why ? { _meta: { 'computer.jp/error': why } } : {}),
  });
  answers(error('busy', { transient: true, trace: ['a'] }), document('busy', { transient: true, trace: ['a'] }));
  answers(error('busy', { transient: false, trace: [] }), document('busy'));
  const root = new TypeError('no such host', { cause: 'dns' });
  const middle = new Error('connection failed', { cause: root });
  answers(error(new Error('cannot fetch', { cause: middle })), document('cannot fetch', { trace: ['connection failed', 'no such host', 'dns'] }));
  root.cause = middle;
  answers(error(new Error('round', { cause: middle })), document('round', { trace: ['connection failed', 'no such host'] }));
  answers(error(new RangeError()), document('RangeError'));
  answers(error(new Error('half \ud800')), document('half \ufffd'));
  answers(error(new Error('x', { cause: middle }), { trace: [] }), document('x'));
  answers(error(404), document('404'));
  answers(error(Object.create(null)), document('error'));
  answers(error(new Error('x', { cause: { message: Symbol('s') } })), document('x', { trace: ['error'] }));
  const both = new AggregateError([new Error('connect ::1', { cause: 'refused' }), 'connect 127.0.0.1'], 'no address answers');
  answers(error(both), document('no address answers', { trace: ['connect ::1', 'refused', 'connect 127.0.0.1'] }));
  const inner = new AggregateError([new Error('third'), both], 'second', { cause: 'fourth' });
  const outer = new AggregateError([new Error('first', { cause: inner }), inner], 'x', { cause: 'last' });
  both.cause = outer;
  const trace = ['first', 'second', 'third', 'no address answers', 'connect ::1', 'refused', 'connect 127.0.0.1', 'fourth', 'last'];
  answers(error(outer), document('x', { trace }));
  let endless = 'the end';
  for (let n = 0; n < 20_000; n++) endless = new Error(String(n), { cause: endless });
  assert.deepEqual(error(endless).trace, Array.from({ length: 100 }, (_, n) => String(19_998 - n)));
  assert.deepEqual(error(new AggregateError(Array.from({ length: 20_000 }, (_, n) => new Error(String(n))))).trace.length, 100);
  const coded = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' });
  answers(error(new TypeError('fetch failed', { cause: coded })), document('fetch failed', { trace: ['ECONNREFUSED'] }));
  answers(error({ reason: 3 }), document('{"reason":3}'));
  refuses(() => error(undefined), '/message');
  refuses(() => error('x', { retry: true }), '/retry');
  refuses(() => error('x', { transient: 'yes' }), '/transient');
});

test('integers past 2^53 keep their digits, written and read', () => {
  const id = 1234567890123456789n;
  const made = envelope([text('row', { meta: { id } })], { structuredContent: { id, ids: [-id, 1, 2n ** 53n], __proto__: null, ratio: 0.5 } });
  assert.equal(
    made.structuredContentText,
    '{"id":1234567890123456789,"ids":[-1234567890123456789,1,9007199254740992],"ratio":0.5}',
  );
  const { structuredContent, content, blocks } = parse(String(made)).envelope;
  assert.deepEqual(structuredContent, { id, ids: [-id, 1, 2n ** 53n], ratio: 0.5 });
  assert.equal(content[0]._meta.id, id);
  assert.equal(blocks[0].meta.id, id);
  assert.deepEqual(made.toJSON().structuredContent.id, id);
  // The size decides, not whether a double could hold it; a fraction or an exponent is a number.
  const document = '{"content":[],"structuredContent":{"__proto__":[9007199254740991,9007199254740992,1e20,"9007199254740993"]}}';
  assert.deepEqual(Object.values(Envelope.fromJson(document).structuredContent), [[9007199254740991, 9007199254740992n, 1e20, '9007199254740993']]);
  assert.equal(Envelope.fromJson('{"content":[],"structuredContent":-123456789012345678901234567890}').structuredContent, -123456789012345678901234567890n);
  // Written with all digits where Node can, and never rounded.
  if (JSON.rawJSON === undefined) assert.throws(() => JSON.stringify(made), TypeError);
  else assert.ok(JSON.stringify(made).includes('"id":1234567890123456789'));
  assert.ok(!made.equals(envelope([])));
});
