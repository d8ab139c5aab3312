// AUTH-36, with real processes: a program that has tools and never calls `main`, and what a tool
// throws on purpose.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

// Beside the tests, so that the package is found from there.
const folder = mkdtempSync(join(dirname(fileURLToPath(import.meta.url)), 'forgotten-'));
after(() => rmSync(folder, { recursive: true }));

function file(name, code) {
  const path = join(folder, name);
  writeFileSync(path, code);
  return path;
}

function start(program, { called = true, env = {}, name = 't', args = {} } = {}) {
  const { TOOLWIRE_CALL, TOOLWIRE_RESULT, NODE_TEST_CONTEXT, ...rest } = process.env;
  const input = called ? JSON.stringify({ tool: { name, arguments: args }, context: { action: 'run' } }) : '';
  const done = spawnSync(process.execPath, [].concat(program), {
    input, encoding: 'utf8', timeout: 60_000, env: { ...rest, ...(called && { TOOLWIRE_CALL: 'stdin' }), ...env },
  });
  return [done.status, done.stdout, done.stderr];
}

const TOOL = "tw.tool({ name: 't' }, () => 'a');\n";
const IMPORT = "import * as tw from 'toolwire';\n";
const NEVER = (name) => `toolwire: \`${name}\` makes tools and never calls \`main()\`; call it at the end of the file\n`;

test('a program that never calls main says so', () => {
  const modern = file('modern.mjs', IMPORT + TOOL);
  assert.deepEqual(start(modern), [2, '', NEVER('modern.mjs')]);
  assert.deepEqual(start(modern, { called: false }), [0, '', NEVER('modern.mjs')]);
  assert.deepEqual(start(modern, { env: { TOOLWIRE_RESULT: join(folder, 'result') } }), [2, '', NEVER('modern.mjs')]);
  const common = file('common.cjs', "const tw = require('toolwire');\n" + TOOL);
  assert.deepEqual(start(common), [2, '', NEVER('common.cjs')]);
});

test('a program whose tools are imported says so when it is called', () => {
  file('library.mjs', IMPORT + TOOL);
  const program = file('imports.mjs', "import './library.mjs';\n");
  assert.deepEqual(start(program), [2, '', NEVER('imports.mjs')]);
  // Nobody has called: it may use them for something of its own.
  assert.deepEqual(start(program, { called: false }), [0, '', '']);
});

test('who means it is not bothered', () => {
  const quiet = (more, status, options) => {
    const [ended, , stderr] = start(file('quiet.mjs', IMPORT + TOOL.replace('tw.tool', 'const t = tw.tool') + more), { called: false, ...options });
    assert.deepEqual([ended, stderr.includes('never calls')], [status, false], more);
  };
  quiet('await t.call();', 0);
  quiet('JSON.stringify(t);', 0);
  quiet('process.exit(0);', 0);
  quiet('process.exit(3);', 3, { called: true });
  quiet("throw new Error('no');", 1, { called: true });
  quiet('await tw.main();', 2);
  const typed = `const tw = require('toolwire');\n${TOOL}`;
  assert.deepEqual(start(['-e', typed], { called: false }), [0, '', '']);
});

test('what is thrown on purpose has no stack', () => {
  const program = file('throws.mjs', `${IMPORT}
    class NoBranch extends tw.ToolError {}
    tw.tool({ name: 't', input: { properties: { how: {} } } }, ({ how }) => {
      if (how === 'bug') undefined.nothing;
      if (how === 'own') throw new NoBranch('no branch x');
      throw new tw.ToolError('busy', { transient: true, cause: how === 'caused' ? new Error('locked') : undefined });
    });
    await tw.main();
  `);
  const answer = (document) => `${JSON.stringify(document)}\n`;
  const content = [{ text: 'busy', type: 'text' }];
  assert.deepEqual(start(program), [1, answer({ _meta: { 'computer.jp/error': { transient: true } }, content, isError: true }), '']);
  const caused = answer({ _meta: { 'computer.jp/error': { trace: ['locked'], transient: true } }, content, isError: true });
  assert.deepEqual(start(program, { args: { how: 'caused' } }), [1, caused, '']);
  assert.deepEqual(start(program, { args: { how: 'own' } })[2], '');
  const [status, stdout, stderr] = start(program, { args: { how: 'bug' } });
  assert.equal(status, 1);
  assert.match(stderr, /TypeError[^]*at .*throws\.mjs/);
  assert.doesNotMatch(stdout, /throws\.mjs/);
});
