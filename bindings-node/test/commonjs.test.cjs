'use strict';
const assert = require('node:assert/strict');
const { execFileSync } = require('node:child_process');
const { test } = require('node:test');
const toolwire = require('toolwire');

test('import gives the very objects that require gives', async () => {
  const imported = await import('toolwire');
  const names = Object.keys(toolwire).sort();
  assert.deepEqual(Object.keys(imported).sort(), names);
  for (const name of names) assert.equal(imported[name], toolwire[name], name);
  const parsed = imported.parse('{"content":[]}');
  assert.ok(parsed instanceof toolwire.Parsed);
});

test('loading loads nothing that most tools do not need', () => {
  const script = `
    // What Node loads of its own accord to read an exports map is internal.
    const loaded = () => process.moduleLoadList.filter((name) => /^NativeModule (?!internal\\/)/.test(name));
    const before = new Set(loaded());
    require('toolwire');
    const own = Object.keys(require.cache).filter((file) => file.includes('toolwire'));
    console.log(JSON.stringify({ builtin: loaded().filter((name) => !before.has(name)), own: own.length }));`;
  const { builtin, own } = JSON.parse(execFileSync(process.execPath, ['-e', script], { cwd: __dirname }));
  assert.deepEqual(builtin, []);
  assert.ok(own <= 10, `${own} files`);
});

test('it works in a worker, and in several', async () => {
  const { Worker } = require('node:worker_threads');
  const script = `
    const { parse } = require('toolwire');
    require('node:worker_threads').parentPort.postMessage(parse('{"content":[{"type":"text","text":"a"}]}').envelope.blocks[0].text);`;
  const run = () =>
    new Promise((resolve, reject) => new Worker(script, { eval: true }).on('message', resolve).on('error', reject));
  assert.deepEqual(await Promise.all([run(), run(), run()]), ['a', 'a', 'a']);
});
