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
  .filter((name) => name.endsWith('.d.ts') && !['mcp-sdk.d.ts', 'providers.d.ts'].includes(name))
  .map((name) => readFileSync(join(installed, name), 'utf8'))
  .join('\n');

test('the version is the one of the Cargo workspace', () => {
  const [, version] = read('Cargo.toml').match(/\[workspace\.package\]\nversion = "([^"]+)"/);
  assert.equal(manifest.version, version);
});

test('the package holds what it needs and nothing else', () => {
  const expected = [
    'LICENSE-APACHE', 'LICENSE-MIT', 'README.md', 'author.d.ts', 'call.d.ts', 'command.cjs', 'contract.d.ts', 'index.cjs', 'index.d.mts', 'index.d.ts', 'index.mjs', 'mcp-sdk.cjs', 'mcp-sdk.d.mts', 'mcp-sdk.d.ts', 'mcp-sdk.mjs', 'mcp.d.ts', 'package.json', 'providers.cjs', 'providers.d.mts', 'providers.d.ts', 'providers.mjs', 'run.d.ts', 'session.d.ts', 'sessions.d.ts',
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

test('every name that the reference lists for Node is there', () => {
  const chapter = read('docs', 'reference', 'libraries.md');
  const column = (heading) => {
    const rows = chapter
      .slice(chapter.indexOf(heading))
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim()));
    const from = rows.findIndex((row) => row.includes('Node'));
    const to = rows.findIndex((row, index) => index > from && row.length < 3);
    const at = rows[from].indexOf('Node');
    return rows.slice(from + 2, to).map((row) => row[at].replaceAll('`', ''));
  };
  const functions = column('## Functions').filter((name) => name !== '—');
  assert.ok(functions.length >= 20, String(functions));
  for (const name of functions) assert.equal(typeof toolwire[name], 'function', name);
  const names = column('## Types');
  assert.ok(names.length >= 6, String(names));
  for (const name of names) assert.match(types, new RegExp(`export (declare )?(class|interface|type) ${name}\\b`), name);
  for (const name of ['Parsed', 'Envelope', 'Block', 'ToolwireError']) assert.equal(typeof toolwire[name], 'function', name);
});

test('every export is declared, and every declared value is exported', () => {
  const declared = [...types.matchAll(/^export (?:function|class) (\w+)/gm)];
  assert.deepEqual([...new Set(declared.map(([, name]) => name))].sort(), Object.keys(toolwire).sort());
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
