// Contracts of tools; what the functions find is shown by the conformance cases.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contract } from 'toolwire';
const { checkLock, compareProfile, convertServer, diffTools, findHidden, fingerprint, formatLaunchUri, formatProfileWord, jnHash, parseLaunchUri, parseProfileWord, projectTool, readLock, readProfile, readProfileFiles, showHidden, updateLock, writeLock, writeProfile } = contract;

const TOOL = { name: 'find', inputSchema: { type: 'object', properties: { q: { type: 'string' } } } };
const LESS = { name: 'find', inputSchema: { type: 'object', properties: {} } };
const EMPTY = { lockVersion: 1, sources: {} };

test('a document is an object, its text or the bytes of that', () => {
  const text = JSON.stringify(TOOL);
  const [first, ...others] = [TOOL, text, Buffer.from(text)].map((way) => fingerprint(way));
  for (const other of others) assert.deepEqual(other, first);
  for (const old of [TOOL, [TOOL], { tools: [TOOL] }, `[${text}]`]) {
    for (const now of [LESS, [LESS]]) assert.equal(diffTools(old, now).verdict, 'breaking');
  }
});

test('text keeps all digits, and so does a BigInt', () => {
  const text = '{"name":"a","inputSchema":{"properties":{"n":{"maximum":0.12345678901234567890123}}}}';
  assert.match(projectTool(text).contract, /0\.12345678901234567890123/);
  assert.notDeepEqual(fingerprint(text), fingerprint(JSON.parse(text)));
  assert.match(projectTool({ name: 'a', inputSchema: { maximum: 12345678901234567891n } }).contract, /12345678901234567891/);
  const lock = updateLock(EMPTY, 's', `{"tools":[${text}]}`);
  assert.match(writeLock(lock), /0\.12345678901234567890123/);
  assert.equal(checkLock(lock, `{"sources":{"s":{"tools":[${text}]}}}`).verdict, 'same');
});

test('facts of a launch are safety', () => {
  const plain = fingerprint(TOOL);
  const launched = fingerprint(TOOL, { launch: parseLaunchUri('mcp+uvx://biomcp-python').facts });
  assert.deepEqual(Object.keys(plain).filter((name) => plain[name] !== launched[name]), ['safety']);
});

test('the MD5 of JN and what a text hides', () => {
  assert.equal(jnHash([{ name: 'now', inputSchema: { properties: {} } }]), '9c9839c5bd05ef71ddd43a5c94b15743');
  assert.deepEqual(findHidden('de\u200blete'), [{ kind: 'invisible', offset: 2, length: 3, name: 'ZERO WIDTH SPACE' }]);
  assert.equal(showHidden('de\u200blete'), 'de<U+200B ZERO WIDTH SPACE>lete');
});

test('open takes schemas to the letter', () => {
  assert.equal(diffTools(TOOL, LESS, { open: true }).verdict, 'compatible');
  assert.equal(diffTools(TOOL, LESS, { open: undefined, budget: null }).verdict, 'breaking');
});

test('a launch URI goes there and back', () => {
  const uri = 'mcp+https://example.com/mcp?header=Authorization';
  const { launch, command, version } = parseLaunchUri(uri);
  assert.deepEqual([command, version], [null, null]);
  assert.equal(formatLaunchUri(launch), uri);
  assert.equal(formatLaunchUri(JSON.stringify(launch)), uri);
  const { word, text } = parseProfileWord('@biomcp/search?gene=BRAF');
  assert.equal(formatProfileWord(word), text);
});

test('a lock is made, read and checked', () => {
  const now = { tools: [TOOL], instructions: 'Ask first.', launch: { transport: 'stdio' } };
  const text = updateLock(EMPTY, 'finder', now);
  const { lock, diagnostics } = readLock(text);
  assert.deepEqual(diagnostics, []);
  assert.equal(writeLock(lock), text);
  assert.equal(checkLock(lock, { sources: { finder: now } }).verdict, 'same');
  const report = checkLock(lock, { sources: { finder: { ...now, tools: [LESS] } } });
  assert.deepEqual([report.verdict, report.sources[0].tools[0].name], ['breaking', 'find']);
  const offline = checkLock(text, { sources: { finder: { launch: now.launch } } }, { offline: true });
  assert.equal(offline.sources[0].notVerified, 1);
  const [warning] = readLock('{"lockVersion": 1, "sources": {}, "mine": 1}').diagnostics;
  assert.deepEqual([warning.code, warning.pointer], ['unknown_lock_member', '/mine']);
});

test('a profile is written as files and read again', () => {
  const profile = '{"command": "biomcp", // what is started\n "tools": {"search": {"parameters": {"gene": {"type": "string", "required": true}}}}}';
  const files = writeProfile(profile);
  const read = readProfileFiles(files);
  assert.deepEqual(read.tools[0].inputSchema, readProfile(profile).tools[0].inputSchema);
  assert.deepEqual(JSON.parse(read.tools[0].inputSchemaText), read.tools[0].inputSchema);
  assert.deepEqual(writeProfile(read.text, files), files);
  assert.deepEqual(compareProfile(profile, []).map(({ what }) => what), ['gone']);
});

test('a secret does not come along', () => {
  const entry = { command: 'uvx', args: ['biomcp-python'], env: { API_KEY: 's3cr3t' } };
  const converted = convertServer(entry, 'mcpServers', 'launch-uri', { name: 'bio' });
  assert.doesNotMatch(JSON.stringify(converted), /s3cr3t/);
  assert.match(converted.text, /env=API_KEY/);
});

for (const [what, misuse, code, pointer] of [
  ['no tool', () => fingerprint({}), 'bad_tool'],
  ['a wrong limit', () => fingerprint(TOOL, { maxSchemas: -1 }), 'bad_option', '/maxSchemas'],
  ['a limit that is reached', () => fingerprint(TOOL, { maxSchemas: 0 }), 'limit_schemas'],
  ['a launch that is no object', () => fingerprint(TOOL, { launch: 'uvx' }), 'bad_option', '/launch'],
  ['an unknown option', () => fingerprint(TOOL, { lunch: {} }), 'bad_option', '/lunch'],
  ['a number as a tool', () => fingerprint(1), 'bad_argument', '/tool'],
  ['no MD5', () => jnHash([{ name: 'a', inputSchema: true }]), 'no_jn_hash'],
  ['a function in a list', () => jnHash([() => 1]), 'bad_argument', '/tools/0'],
  ['a word as a flag', () => diffTools(TOOL, LESS, { open: 'yes' }), 'bad_option', '/open'],
  ['half a step', () => diffTools(TOOL, LESS, { budget: 1.5 }), 'bad_option', '/budget'],
  ['bytes as a URI', () => parseLaunchUri(Buffer.from('mcp+uvx://a')), 'bad_argument', '/uri'],
  ['an option as a package', () => parseLaunchUri('mcp+uvx://--help'), 'bad_launch_uri'],
  ['half a pair', () => findHidden('\ud800'), 'bad_argument', '/text'],
  ['a newer lock', () => readLock('{"lockVersion": 2, "sources": {}}'), 'newer_lock', '/lockVersion'],
  ['a number as a flag', () => checkLock(EMPTY, { sources: {} }, { offline: 1 }), 'bad_option', '/offline'],
  ['a file that is no text', () => readProfileFiles({ '_meta.json': 1 }), 'bad_argument', '/_meta.json'],
  ['an unknown form', () => convertServer('{}', 'mcpServers', 'emacs'), 'bad_option', '/to'],
  ['no form', () => convertServer('{}', '', 'zed'), 'bad_option', '/from'],
  ['a name that is no text', () => convertServer('{}', 'mcpServers', 'zed', { name: 1 }), 'bad_option', '/name'],
]) {
  test(`${what} is refused`, () => assert.throws(misuse, { name: 'ToolwireError', code, ...(pointer === undefined ? {} : { pointer }) }));
}
