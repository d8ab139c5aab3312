import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import vm from 'node:vm';
import * as toolwire from 'toolwire';

const { Block, Envelope, Parsed, ToolwireError } = toolwire;
const bytes = (text) => Buffer.from(text);
const refuses = (call, code, pointer) =>
  assert.throws(call, (error) => {
    assert.ok(error instanceof ToolwireError && error instanceof Error, String(error?.stack));
    assert.deepEqual([error.code, error.pointer], [code, pointer], error.message);
    return true;
  });

const MIXED = JSON.stringify({
  content: [
    { type: 'text', text: 'one' },
    { type: 'hologram', shape: 'cube' },
    {
      type: 'resource',
      resource: { uri: 'file:///a.bin', blob: 'AP8=', title: 5, annotations: { priority: 0.5 } },
      annotations: { audience: ['user'] },
    },
  ],
  isError: true,
  _meta: { 'computer.jp/error': { transient: true, trace: ['a', 'b'] }, 'computer.jp/status': 'running' },
});

test('the same reading from a string, a Buffer, a Uint8Array, a view and another realm', () => {
  const padded = Buffer.from(`xx${MIXED}yy`);
  const inputs = [
    MIXED,
    bytes(MIXED),
    new Uint8Array(bytes(MIXED)),
    new Uint8Array(padded.buffer, padded.byteOffset + 2, MIXED.length),
    vm.runInNewContext('Uint8Array.from(values)', { values: [...bytes(MIXED)] }),
  ];
  const shared = new Uint8Array(new SharedArrayBuffer(MIXED.length));
  shared.set(bytes(MIXED));
  for (const input of [...inputs, shared]) {
    const parsed = toolwire.parse(input);
    assert.equal(String(parsed), String(toolwire.parse(MIXED)));
    assert.ok(Buffer.isBuffer(parsed.raw));
    assert.equal(parsed.raw.toString(), MIXED);
    assert.ok(!(parsed.raw.buffer instanceof SharedArrayBuffer), 'another thread could change it');
  }
  assert.equal(toolwire.parse(inputs[1]).raw, inputs[1], 'bytes are not copied');
});

test('a parsed output answers what an envelope says of itself', () => {
  const parsed = toolwire.parse(MIXED);
  assert.ok(parsed instanceof Parsed && parsed.envelope instanceof Envelope);
  assert.equal(parsed.verdict, 'warnings');
  assert.equal(parsed.isRaw, false);
  assert.equal(parsed.isError, true);
  assert.equal(parsed.status, 'running');
  assert.equal(parsed.transient, true);
  assert.deepEqual(parsed.trace, ['a', 'b']);
  assert.deepEqual(parsed.skipped, [{ index: 1, json: '{"type":"hologram","shape":"cube"}' }]);
  assert.deepEqual(
    parsed.diagnostics.map(({ code, severity, pointer }) => [code, severity, pointer]),
    [
      ['unknown_block_type', 'warning', '/content/1/type'],
      ['ignored_field', 'warning', '/content/2/resource/title'],
    ],
  );
  assert.equal(parsed.diagnostics[0].raw, '{"type":"hologram","shape":"cube"}');
  assert.equal(typeof parsed.diagnostics[0].offset, 'number');
});

test('an envelope has its blocks as they were written and as they are read', () => {
  const { envelope } = toolwire.parse(MIXED);
  assert.deepEqual(envelope.content, [JSON.parse(MIXED).content[0], JSON.parse(MIXED).content[2]]);
  const [text, resource] = envelope.blocks;
  assert.ok(text instanceof Block);
  assert.deepEqual([text.type, text.text, text.index, text.pointer], ['text', 'one', 0, '/content/0']);
  assert.deepEqual(text.contentBytes, bytes('one'));
  assert.equal(text.bytes, undefined);
  assert.deepEqual([resource.type, resource.uri, resource.index], ['resource', 'file:///a.bin', 2]);
  assert.deepEqual(resource.bytes, Buffer.from([0, 255]));
  assert.deepEqual(resource.contentBytes, Buffer.from([0, 255]));
  assert.equal(resource.title, undefined);
  assert.deepEqual([resource.priority, resource.audience], [0.5, ['user']]);
  assert.equal(resource.json, JSON.stringify(JSON.parse(MIXED).content[2]));
  assert.deepEqual(resource.toJSON(), JSON.parse(MIXED).content[2]);
  assert.deepEqual(envelope.meta, JSON.parse(MIXED)._meta);
  assert.deepEqual([envelope.isError, envelope.status], [true, 'running']);
  assert.deepEqual(envelope.toJSON(), JSON.parse(MIXED));
});

test('a valid envelope has nothing to tell', () => {
  const parsed = toolwire.parse('{"content":[]}');
  assert.equal(parsed.verdict, 'valid');
  assert.deepEqual([parsed.diagnostics, parsed.trace, parsed.skipped], [[], [], []]);
  assert.deepEqual([parsed.isError, parsed.status, parsed.transient], [false, 'stopped', false]);
  assert.equal(parsed.envelope.meta, undefined);
});

test('raw text is an envelope with one text block, and its bytes are kept', () => {
  const parsed = toolwire.parse('plain words\n');
  assert.equal(parsed.isRaw, true);
  assert.equal(parsed.diagnostics[0].code, 'plain_text');
  assert.deepEqual(parsed.envelope.content, [{ text: 'plain words\n', type: 'text' }]);
  const broken = Buffer.from([0x7b, 0xff]);
  assert.deepEqual(toolwire.parse(broken).raw, broken);
  assert.equal(toolwire.parse(broken).diagnostics[0].code, 'invalid_utf8');
  assert.deepEqual(toolwire.parse('').envelope.content, []);
});

test('half of a surrogate pair in a string is invalid UTF-8 at its first byte, and is not lost', () => {
  const cases = [
    ['{"content":"é\ud800"}', 14, [0xed, 0xa0, 0x80]],
    ['{"content":"é\udfff!', 14, [0xed, 0xbf, 0xbf]],
    ['\udc00\ud83d', 0, [0xed, 0xb0, 0x80, 0xed, 0xa0, 0xbd]],
  ];
  for (const [text, offset, raw] of cases) {
    const parsed = toolwire.parse(text);
    assert.deepEqual([parsed.diagnostics[0].code, parsed.diagnostics[0].offset], ['invalid_utf8', offset]);
    assert.deepEqual(parsed.raw.subarray(offset, offset + raw.length), Buffer.from(raw));
    assert.equal(String(parsed), String(toolwire.parse(parsed.raw)), 'a string reads as its bytes do');
    refuses(() => toolwire.validate(text), 'invalid_utf8', '');
    refuses(() => toolwire.digest(text), 'invalid_utf8', '');
  }
  // A whole pair is a character; its escape is judged by the core.
  assert.equal(toolwire.parse('{"content":[{"type":"text","text":"😀"}]}').verdict, 'valid');
  assert.equal(toolwire.parse('{"content":["\\ud800"]}').diagnostics[0].code, 'lone_surrogate');
});

test('what JSON.parse accepts or changes is judged strictly', () => {
  for (const [text, code] of [
    ['{"content":[],"content":[]}', 'duplicate_name'],
    ['{"content":[1e400]}', 'number_range'],
    ['{"content":[NaN]}', 'non_finite'],
    ['{"content":[]} {}', 'trailing_data'],
  ]) {
    assert.equal(toolwire.parse(text).diagnostics[0].code, code, text);
    refuses(() => toolwire.validate(text), code, '');
  }
});

test('numbers keep their text', () => {
  const text = '{"content":[{"type":"text","text":"","n":1.50}],"structuredContent":{"id":12345678901234567890}}';
  const { envelope, diagnostics } = toolwire.parse(` ${text}\n`);
  assert.equal(diagnostics[0].code, 'big_integer');
  assert.equal(envelope.document, text);
  assert.equal(envelope.structuredContentText, '{"id":12345678901234567890}');
  assert.equal(envelope.blocks[0].json, '{"type":"text","text":"","n":1.50}');
});

test('structured content: null is a value', () => {
  // The result of reading has it too, as in Python.
  for (const of of [(text) => toolwire.parse(text).envelope, (text) => toolwire.parse(text)]) {
    assert.equal(of('{"content":[]}').structuredContent, undefined);
    assert.equal(of('{"content":[]}').structuredContentText, undefined);
    assert.equal(of('{"content":[],"structuredContent":null}').structuredContent, null);
    assert.equal(of('{"content":[],"structuredContent":null}').structuredContentText, 'null');
    assert.equal(of('raw').structuredContent, undefined);
  }
});

test('a name such as __proto__ is data', () => {
  const { envelope } = toolwire.parse('{"content":[],"structuredContent":{"__proto__":{"polluted":true}}}');
  assert.equal({}.polluted, undefined);
  assert.equal(envelope.structuredContent.polluted, undefined);
  assert.deepEqual(Object.keys(envelope.structuredContent), ['__proto__']);
});

test('a question, with its default', () => {
  const ask = (rest) =>
    toolwire.parse(`{"content":[{"type":"question","question":{"id":"a","text":"A?","schema":{"const":1.0}${rest}}}]}`).envelope
      .blocks[0].question;
  assert.deepEqual(ask(''), { id: 'a', text: 'A?', schema: { const: 1 }, schemaText: '{"const":1.0}' });
  assert.deepEqual(ask(',"default":null').default, null);
  assert.deepEqual(ask(',"default":1.0').defaultText, '1.0');
});

test('what is given out can be changed without changing the envelope', () => {
  const { envelope } = toolwire.parse(MIXED);
  const before = String(envelope);
  envelope.content[0].text = 'changed';
  envelope.meta.more = 1;
  assert.equal(String(envelope), before);
});

test('the text form of an envelope that was read is what was written, and not an answer of our own', () => {
  const written = '{ "content" : [ {"type":"text","text":"\\u00e9"} ] }';
  const { envelope } = toolwire.parse(` ${written}\n`);
  assert.equal(String(envelope), written);
  assert.equal(`${envelope}`, envelope.document);
  assert.equal(toolwire.canonicalize(envelope).toString(), '{"content":[{"text":"é","type":"text"}]}');
  assert.equal(toolwire.digest(envelope), toolwire.digest(written));
  // To be compared does not change it.
  assert.ok(envelope.equals(toolwire.envelope([toolwire.text('é')])));
  assert.equal(String(envelope), written);
  // Of raw text, and of a process, the envelope is the reader's own.
  assert.equal(String(toolwire.parse('é').envelope), '{"content":[{"text":"é","type":"text"}]}');
  assert.ok(toolwire.receive({ stdout: written, exitCode: 1 }).envelope.isError);
});

test('an envelope tells what was skipped, as the reading does', () => {
  const parsed = toolwire.parse('{"content":[{"type":"text","text":"a"},{"type" : "nope"},7]}');
  assert.deepEqual(parsed.envelope.skipped, [{ index: 1, json: '{"type" : "nope"}' }, { index: 2, json: '7' }]);
  assert.deepEqual(parsed.envelope.skipped, parsed.skipped);
  assert.deepEqual(toolwire.parse('words').envelope.skipped, []);
  assert.deepEqual(toolwire.envelope([toolwire.text('a')]).skipped, []);
  assert.deepEqual(toolwire.receive({ stdout: '{"content":[1,{"type":"text","text":""}]}', exitCode: 1 }).envelope.skipped, [
    { index: 0, json: '1' },
  ]);
});

test('a path becomes a file URI, literally', () => {
  const { fileUri, normalizeUri } = toolwire;
  assert.equal(fileUri('a b#1%.txt'), `${fileUri('.')}/a%20b%231%25.txt`);
  assert.equal(fileUri('x/../a'), fileUri('a'));
  assert.equal(fileUri(new URL('file:///tmp/a%20b')), fileUri('/tmp/a b'));
  assert.equal(fileUri(import.meta.filename), normalizeUri(import.meta.url));
  assert.equal(fileUri('C:\\a\\b.txt'), 'file:///C:/a/b.txt');
  assert.equal(fileUri('file:a'), fileUri('./file:a'));
  if (process.platform !== 'win32') assert.equal(fileUri('/tmp/x'), 'file:///tmp/x');
  refuses(() => fileUri(''), 'bad_uri', '');
  refuses(() => fileUri('a\0'), 'bad_uri', '');
  refuses(() => fileUri(7), 'bad_argument', '/path');
  refuses(() => fileUri('\ud800'), 'bad_argument', '/path');
});

test('equality is that of the canonical bytes', () => {
  const of = (text) => toolwire.parse(text).envelope;
  const a = of('{"content":[{"type":"text","text":"a"}]}');
  const same = of('{"content": [{"text":"\\u0061","type":"text"}]}');
  const other = of('{"content":[{"type":"text","text":"b"}]}');
  assert.ok(a.equals(same) && a.blocks[0].equals(same.blocks[0]));
  assert.ok(!a.equals(other) && !a.blocks[0].equals(other.blocks[0]));
  assert.ok(!a.equals(a.document) && !a.equals(null) && !a.blocks[0].equals(a));
  // Tools that compare by properties must not find everything equal.
  assert.deepEqual(a, of('{"content":[{"type":"text","text":"a"}]}'));
  assert.notDeepEqual(a, other);
  assert.notDeepEqual(a.blocks[0], other.blocks[0]);
  assert.notDeepEqual(toolwire.parse('a'), toolwire.parse('b'));
});

test('JSON.stringify and inspect show what is inside', () => {
  const parsed = toolwire.parse(MIXED);
  assert.deepEqual(JSON.parse(JSON.stringify(parsed)), JSON.parse(String(parsed)));
  assert.deepEqual(JSON.parse(JSON.stringify(parsed.envelope)), JSON.parse(MIXED));
  assert.match(inspect(parsed), /^Parsed \{\n\s+verdict: 'warnings',\n\s+isError: true/);
  assert.match(inspect(parsed, { depth: 5 }), /envelope: Envelope \{\n\s+content: \[\n\s+\{ type: 'text', text: 'one' \}/);
  assert.match(inspect(toolwire.parse('words')), /verdict: 'raw'/);
  assert.match(inspect(parsed.envelope.blocks[0]), /^Block \{ type: 'text', text: 'one' \}$/);
  assert.match(inspect({ a: { b: { parsed } } }, { depth: 1 }), /\[Object\]/);
  assert.match(inspect({ parsed }, { depth: 0 }), /\[Parsed\]/);
});

test('an envelope from JSON text that must be one', () => {
  const envelope = Envelope.fromJson(' {"content":[{"type":"nope"}],"x":1.50} ');
  assert.ok(envelope instanceof Envelope);
  assert.equal(envelope.document, '{"content":[{"type":"nope"}],"x":1.50}');
  assert.equal(String(envelope), envelope.document);
  refuses(() => Envelope.fromJson('words'), 'not_an_envelope', '');
  refuses(() => Envelope.fromJson('{"content":{}}'), 'not_an_envelope', '/content');
  refuses(() => Envelope.fromJson('{"content":[],"content":[]}'), 'duplicate_name', '');
  refuses(() => Envelope.fromJson(Buffer.from([0x7b, 0xff])), 'invalid_utf8', '');
});

test('validate returns nothing or throws the first finding, with all of them', () => {
  assert.equal(toolwire.validate('{"content":[]}'), undefined);
  assert.throws(
    () => toolwire.validate(MIXED),
    (error) => {
      assert.equal(error.name, 'ToolwireError');
      assert.equal(error.code, 'unknown_block_type');
      assert.equal(error.pointer, '/content/1/type');
      assert.equal(error.offset, MIXED.indexOf('"hologram"'));
      assert.deepEqual(error.diagnostics, toolwire.parse(MIXED).diagnostics);
      assert.match(error.stack, /read\.test\.mjs/);
      assert.match(inspect(error), /ToolwireError: .*\n[^]*code: 'unknown_block_type'/);
      return true;
    },
  );
  refuses(() => toolwire.validate('plain'), 'plain_text', '');
});

test('canonical bytes, short and long, from text, bytes and envelopes', () => {
  assert.deepEqual(toolwire.canonicalize('{"b":1.0,"a":"\\u00e9"}'), bytes('{"a":"é","b":1}'));
  const first = toolwire.canonicalize('[1]');
  for (let i = 0; i < 2000; i += 1) toolwire.canonicalize(`["${'x'.repeat(i % 300)}"]`);
  assert.deepEqual(first, bytes('[1]'), 'a later call must not write over an earlier answer');
  for (const length of [2, 8191, 8192, 8193, 57_000, 65_535, 65_536, 65_537, 3_000_000]) {
    const text = `"${'y'.repeat(length - 2)}"`;
    assert.equal(toolwire.canonicalize(text).toString(), text);
  }
  const { envelope } = toolwire.parse('{"content":[] }');
  assert.equal(toolwire.canonicalize(envelope).toString(), '{"content":[]}');
  assert.equal(toolwire.digest(envelope), toolwire.digest('{"content":[]}'));
  assert.match(toolwire.digest('{}'), /^sha256:[0-9a-f]{64}$/);
  refuses(() => toolwire.canonicalize('{"a":1e999}'), 'number_range', '');
});

test('limits hold, and wrong ones are refused', () => {
  const limits = { maxDepth: 2, maxBytes: undefined };
  assert.equal(toolwire.parse('{"content":[]}', { limits }).verdict, 'valid');
  const over = toolwire.parse('{"content":[{"type":"text","text":"a"}]}', { limits });
  assert.equal(over.diagnostics[0].code, 'limit_depth');
  assert.equal(over.isRaw, true);
  refuses(() => toolwire.parse('', { limits: { maxDepht: 2 } }), 'bad_option', '/maxDepht');
  refuses(() => toolwire.parse('', { limits: { maxDepth: -1 } }), 'bad_option', '/maxDepth');
  refuses(() => toolwire.parse('', { limits: { maxDepth: 1025 } }), 'bad_option', '/maxDepth');
  refuses(() => toolwire.parse('', { limits: { maxBytes: NaN } }), 'bad_option', '/maxBytes');
  refuses(() => toolwire.parse('', { limits: { maxBytes: Infinity } }), 'bad_option', '/maxBytes');
  refuses(() => toolwire.parse('', { limit: {} }), 'bad_option', '/limit');
  refuses(() => toolwire.parse('', { limits: 3 }), 'bad_option', '');
  refuses(() => toolwire.parse('', 'fast'), 'bad_option', '');
});

test('input of another kind is refused', () => {
  for (const input of [undefined, null, 1, {}, [], new Uint16Array(2), new ArrayBuffer(2)]) {
    refuses(() => toolwire.parse(input), 'bad_argument', '/data');
    refuses(() => toolwire.canonicalize(input), 'bad_argument', '/data');
  }
});

test('format', () => {
  const parsed = toolwire.parse(
    '{"content":[{"type":"resource","resource":{"uri":"file:///a.rs","mimeType":"text/rust","text":"fn a() {}"}}]}',
  );
  const fenced = '```rs\nfn a() {}\n```';
  for (const input of [parsed, parsed.envelope, parsed.raw, parsed.raw.toString()]) {
    assert.equal(toolwire.format(input).trimEnd(), fenced);
  }
  assert.match(toolwire.format(parsed, { style: 'xml' }), /^<resource/);
  assert.doesNotMatch(toolwire.format('\u001b[2Jhi', { target: 'terminal' }), /\u001b\[2J/);
  refuses(() => toolwire.format(parsed, { style: 'html' }), 'bad_option', '/style');
  refuses(() => toolwire.format(parsed, { styl: 'xml' }), 'bad_option', '/styl');
  refuses(() => toolwire.format(parsed, 'xml'), 'bad_option', '');
  refuses(() => toolwire.format(MIXED, { limits: { maxDepth: 'a' } }), 'bad_option', '/maxDepth');
});

test('explain', () => {
  assert.match(toolwire.explain('{"content":['), /json_truncated/);
  assert.doesNotMatch(toolwire.explain('{"content":['), /\u001b/);
  assert.match(toolwire.explain(toolwire.parse('{"content":['), { color: true }), /\u001b/);
  refuses(() => toolwire.explain('', { color: 'yes' }), 'bad_option', '/color');
});

test('identify and normalizeUri', () => {
  const parsed = toolwire.parse('{"content":[{"type":"resource","resource":{"uri":"src/./a.rs","text":"x"}}]}');
  const [identity] = toolwire.identify(parsed, { root: '/home' });
  assert.equal(identity.uri, 'file:///home/src/a.rs');
  assert.equal(identity.status, 'new');
  assert.equal(identity.size, 1);
  assert.match(identity.digest, /^sha256:/);
  const again = (digest) => toolwire.identify(parsed, { root: '/home', known: [{ uri: identity.uri, digest }] })[0];
  assert.equal(again(identity.digest).status, 'repeat');
  assert.equal(again(`sha256:${'0'.repeat(64)}`).status, 'changed');
  refuses(() => toolwire.identify(parsed, { rot: '/' }), 'bad_option', '/rot');
  assert.equal(toolwire.normalizeUri('HTTP://EXAMPLE.com:80/%7Ea/../b'), 'http://example.com/b');
  assert.equal(toolwire.normalizeUri('a/../b', { root: 'file:///r' }), 'file:///r/b');
  assert.throws(() => toolwire.normalizeUri(''), { code: 'bad_uri' });
  refuses(() => toolwire.normalizeUri('a\ud800'), 'bad_argument', '/uri');
  refuses(() => toolwire.normalizeUri(3), 'bad_argument', '/uri');
  refuses(() => toolwire.normalizeUri('a', { root: 3 }), 'bad_option', '/root');
});

test('receive reads what a process left behind', () => {
  const fine = toolwire.receive({ stdout: 'log line\n', result: '{"content":[]}', exitCode: 0, signal: null, stderr: bytes('') });
  assert.equal(fine.verdict, 'valid');
  assert.equal(fine.raw.toString(), '{"content":[]}');
  const failed = toolwire.receive({ stdout: '', stderr: 'boom\n', exitCode: 2, signal: null });
  assert.equal(failed.isError, true);
  assert.deepEqual([failed.envelope.content[0].text, failed.trace], ['boom', ['the tool exited with status 2']]);
  assert.ok(failed.diagnostics.some(({ code }) => code === 'nonzero_exit'));
  const flagged = toolwire.receive({ stdout: '{"content":[{"type":"text","text":"partial"}]}', exitCode: 1 });
  assert.equal(flagged.isError, true);
  assert.equal(flagged.envelope.isError, true);
  assert.equal(flagged.envelope.blocks[0].text, 'partial');
  const killed = toolwire.receive({ stdout: '', exitCode: null, signal: 'SIGTERM' });
  assert.equal(killed.isError, true);
  assert.match(killed.diagnostics.at(-1).message, /15/);
  assert.deepEqual(toolwire.receive({ exitCode: 0xc0000005 }).trace, ['the tool exited with status 3221225477']);
  for (const exitCode of [2 ** 32, -(2 ** 31) - 1, 1e300]) refuses(() => toolwire.receive({ exitCode }), 'bad_option', '/exitCode');
  for (const signal of [0, 128, -9]) refuses(() => toolwire.receive({ signal }), 'bad_option', '/signal');
  assert.equal(toolwire.receive({ stdout: '{"content":[[]]}' }, { limits: { maxDepth: 2 } }).diagnostics[0].code, 'limit_depth');
  refuses(() => toolwire.receive({ signal: 'SIGNOTHING' }), 'bad_option', '/signal');
  refuses(() => toolwire.receive({ exitCode: 1.5 }), 'bad_option', '/exitCode');
  refuses(() => toolwire.receive({ exitCode: 0, signal: 'SIGTERM' }), 'bad_option', '/signal');
  refuses(() => toolwire.receive({ exit: 1 }), 'bad_option', '/exit');
});

test('lines of a log', () => {
  const log = '{"content":[]}\nplain\n\n{"content":[{"type":"nope"}]}\r\n{"content":[],"content":[]}';
  const lines = [...toolwire.parseLines(log)];
  assert.deepEqual(
    lines.map(({ number, offset, parsed }) => [number, offset, parsed.verdict, parsed.diagnostics[0]?.code]),
    [
      [1, 0, 'valid', undefined],
      [2, 15, 'raw', 'plain_text'],
      [4, 22, 'warnings', 'unknown_block_type'],
      [5, 53, 'raw', 'duplicate_name'],
    ],
  );
  assert.equal(lines[1].parsed.raw.toString(), 'plain');
  assert.deepEqual(toolwire.summarize(bytes(log)), {
    lines: 4,
    valid: 1,
    warnings: 1,
    raw: 2,
    errors: 0,
    transient: 0,
    byCode: { duplicate_name: 1, plain_text: 1, unknown_block_type: 1 },
  });
  refuses(() => toolwire.parseLines(3), 'bad_argument', '/data');
});

test('no panic and no crash for hostile input', () => {
  for (const text of ['['.repeat(100_000), '{"content":'.repeat(50_000), '\0'.repeat(10), `{"content":[${'{},'.repeat(9999)}{}]}`]) {
    const parsed = toolwire.parse(text);
    assert.equal(parsed.envelope.equals(parsed.envelope), true);
    assert.equal(typeof toolwire.format(parsed), 'string');
    assert.equal(typeof toolwire.explain(parsed), 'string');
  }
});
