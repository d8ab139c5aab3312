import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { read } from './repository.mjs';

const require = createRequire(import.meta.url);
const toolwire = require('toolwire');
const installed = dirname(require.resolve('toolwire/package.json'));
const manifest = require('toolwire/package.json');
const types = readdirSync(installed)
  .filter((name) => name.endsWith('.d.ts') && name !== 'mcp-sdk.d.ts')
  .map((name) => readFileSync(join(installed, name), 'utf8'))
  .join('\n');

test('the version is the one of the Cargo workspace', () => {
  const [, version] = read('Cargo.toml').match(/\[workspace\.package\]\nversion = "([^"]+)"/);
  assert.equal(manifest.version, version);
});

test('the package holds what it needs and nothing else', () => {
  const expected = [
    'LICENSE-APACHE', 'LICENSE-MIT', 'README.md', 'api.generated.d.ts', 'author.d.ts', 'call.d.ts', 'command.cjs', 'index.cjs', 'index.d.mts', 'index.d.ts', 'index.mjs', 'mcp-sdk.cjs', 'mcp-sdk.d.mts', 'mcp-sdk.d.ts', 'mcp-sdk.mjs', 'mcp.d.ts', 'package.json', 'run.d.ts', 'session.d.ts', 'sessions.d.ts', 'tools.d.ts',
    'types.generated.d.ts',
  ];
  assert.deepEqual(readdirSync(installed).sort(), expected.sort());
  assert.equal(manifest.dependencies, undefined);
  assert.equal(manifest.scripts, undefined, 'installing runs nothing');
});

test('the native library comes in a package of its own, which npm chooses', () => {
  const platforms = JSON.parse(read('bindings-node', 'platforms.json'));
  const expected = Object.keys(platforms).map((name) => [`@toolwire/${name}`, manifest.version]);
  assert.deepEqual(Object.entries(manifest.optionalDependencies), expected);
  const scope = join(installed, '..', '@toolwire');
  const [name, ...others] = readdirSync(scope);
  assert.deepEqual(others, []);
  assert.ok(name.startsWith(`${process.platform}-${process.arch}`), name);
  assert.deepEqual(readdirSync(join(scope, name)).sort(), ['LICENSE-APACHE', 'LICENSE-MIT', 'README.md', 'package.json', 'toolwire.node']);
  const own = JSON.parse(readFileSync(join(scope, name, 'package.json'), 'utf8'));
  assert.equal(own.version, manifest.version);
  assert.deepEqual([own.os, own.cpu, own.libc], [platforms[name].os, platforms[name].cpu, platforms[name].libc]);
  assert.equal(own.scripts, undefined);
});

test('every name of the API is there', () => {
  const api = JSON.parse(read('schema', 'api.json'));
  const [functions, named] = api.names.map(({ rows }) => rows.slice(1).map((row) => row[3]));
  for (const name of functions) assert.equal(typeof toolwire[name], 'function', name);
  for (const name of named) assert.match(types, new RegExp(`export (declare )?(class|interface|type) ${name.split('.').at(-1)}\\b`), name);
  for (const name of ['Parsed', 'Envelope', 'Block', 'ToolwireError']) assert.equal(typeof toolwire[name], 'function', name);
  const camel = (name) => name.replace(/_(.)/g, (_, letter) => letter.toUpperCase());
  for (const [module, { classes = [] }] of Object.entries(api.modules)) {
    const own = Object.entries(api.functions).filter(([, made]) => made.module === module).map(([name]) => camel(name));
    assert.deepEqual(Object.keys(toolwire[module]), [...own, ...classes]);
    for (const name of Object.keys(toolwire[module])) assert.equal(typeof toolwire[module][name], 'function', name);
  }
});

test('every export is declared, and every declared value is exported', () => {
  // Those of session.d.ts are in a namespace.
  const declared = [...types.matchAll(/^export (?:function|class|declare namespace) (\w+)/gm)].map(([, name]) => name);
  const names = declared.filter((name) => !['Exchange', 'SessionMachine'].includes(name));
  assert.deepEqual([...new Set(names)].sort(), Object.keys(toolwire).sort());
});

test('the functions for the SDKs are the same for both kinds of modules', async () => {
  const { ask, result } = await import('toolwire/mcp-sdk');
  assert.deepEqual(require('toolwire/mcp-sdk'), { ask, result });
});

test('every diagnostic code has its place in the types', () => {
  for (const { code } of JSON.parse(read('schema', 'diagnostics.json')).codes) assert.match(types, new RegExp(`['"]${code}['"]`), code);
});

/** Runs an example of the README and compares what it prints with the lines that begin with an arrow. */
function runExample(language, source, name) {
  const folder = mkdtempSync(join(dirname(fileURLToPath(import.meta.url)), 'example-'));
  try {
    const file = join(folder, `${name}.${language === 'cjs' ? 'cjs' : 'mjs'}`);
    writeFileSync(file, source);
    const printed = execFileSync(process.execPath, [file], { cwd: folder, encoding: 'utf8' }).trimEnd();
    const expected = source.split('\n').filter((line) => /^ *\/\/ →/.test(line));
    assert.ok(expected.length > 0, 'an example shows what it prints');
    assert.deepEqual(printed.split('\n'), expected.map((line) => line.replace(/^ *\/\/ → ?/, '')));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const examples = [...readFileSync(join(installed, 'README.md'), 'utf8').matchAll(/^```(js|cjs)\n([^]*?)^```/gm)];
assert.ok(examples.length >= 6);
for (const [index, [, language, source]] of examples.entries()) {
  test(`example ${index + 1} of the README prints what it says`, () => runExample(language, source, `example-${index + 1}`));
}
