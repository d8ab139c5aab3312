// The tools of a folder, with real programs.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Answer, loadManifest, ToolwireError } from 'toolwire';
import { read } from './repository.mjs';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwire-manifest-')));
after(() => rmSync(folder, { recursive: true }));
process.env.XDG_CONFIG_HOME = join(folder, 'config');
delete process.env.TOOLWIRE_TRUSTED_MANIFESTS;

const file = join(folder, 'toolwire.toml');
const write = (text) => {
  writeFileSync(file, text);
  return loadManifest(file);
};

/** A program that asks whether to go on, and says what it was given. */
writeFileSync(join(folder, 'asks.sh'), `#!/bin/sh
# toolwire-tool: 1
call=$(cat)
case $call in
  *'"action":"describe"'*) echo '{"content":[],"structuredContent":{"toolwire":1,"tools":[{"name":"inner","title":"Inner","inputSchema":{"type":"object"}}]}}' ;;
  *'"answers":{}'*) echo '{"content":[{"type":"question","question":{"id":"go","text":"Go on?","schema":{"type":"boolean"}}}]}' ;;
  *) echo "$call" ;;
esac
`);
chmodSync(join(folder, 'asks.sh'), 0o755);

const MANIFEST = `
[tools.ask]
command = "./asks.sh"
arguments = { path = "a" }

[tools.sure]
command = "./asks.sh"
title = "Sure"
questions = { go = { value = true } }

[tools.show]
description = "Say something."
command = ["printf", "%s|", "{text}", ["-n", "{count}"]]
parameters = { text = { type = "string" }, count = { type = "integer", optional = true } }
`;

const text = ({ parsed }) => parsed.envelope.blocks[0].text;

const fails = async (promise, code) => {
  let found;
  await assert.rejects(promise, (error) => {
    assert.ok(error instanceof ToolwireError, String(error?.stack));
    assert.equal(error.code, code, error.message);
    found = error.message;
    return true;
  });
  return found;
};

test('a tool is run by its name with what the manifest says', async () => {
  const manifest = write(MANIFEST);
  const asked = [];
  const answerer = ({ id, who }) => {
    asked.push([id, who]);
    return true;
  };
  const done = await manifest.run('ask', { more: 1n }, { answerer });
  assert.match(text(done), /"arguments":\{"more":1,"path":"a"\}/);
  assert.match(text(done), /"name":"inner"/);
  assert.equal(done.rounds, 2);
  const sure = await manifest.run('sure', {}, { answerer });
  assert.equal(sure.answers.go.source, 'policy');
  const left = await manifest.run('sure', {}, { given: { go: false } });
  assert.equal(left.answers.go.value, false);
  assert.equal(text(await manifest.run('show', { text: "$HOME; it's" })), "$HOME; it's|");
  assert.deepEqual(asked, [['go', undefined]]);
});

test('arguments that do not fit are answered and nothing runs', async () => {
  const manifest = write(MANIFEST);
  const wrong = await manifest.run('show', { txt: 'a' });
  assert.deepEqual([wrong.parsed.isError, wrong.exitCode], [true, null]);
  assert.match(text(wrong), /`\/txt`.*did you mean `text`\?/);
  assert.match(await fails(manifest.run('shw'), 'unknown_tool'), /did you mean `show`\?/);
  await fails(manifest.run(7), 'bad_argument');
  await fails(manifest.run('show', {}, { tool: 'other' }), 'bad_option');
});

test('what a host gives comes before what the manifest says', async () => {
  const manifest = write(`
[tools.slow]
command = ["sleep", "60"]
plain = true
timeout = "1h"
[tools.where]
command = ["sh", "-c", "pwd; echo $A-$B-$SECRET"]
plain = true
cwd = "/"
env = { A = "a", B = "b" }
`);
  assert.equal((await manifest.run('slow', {}, { timeout: 100 })).stopped, 'timeout');
  process.env.SECRET = 's';
  assert.equal(text(await manifest.run('where')), '/\na-b-\n');
  assert.equal(text(await manifest.run('where', {}, { inherit: 'all' })), '/\na-b-s\n');
  assert.equal(text(await manifest.run('where', {}, { env: { B: 'c' }, cwd: '/usr' })), '/usr\na-c-\n');
  delete process.env.SECRET;
});

test('a model does not answer for a person', async () => {
  const manifest = write('[tools.ask]\ncommand = "./asks.sh"\nquestions.go = "user"\n');
  const by = async (source) => {
    const done = await manifest.run('ask', {}, {
      answerer: ({ who }) => {
        assert.equal(who, 'user');
        return new Answer(true, { source });
      },
    });
    return done.answers.go.state;
  };
  assert.equal(await by('assistant'), 'unavailable');
  assert.equal(await by('user'), 'accepted');
});

test('the tools are described under the names of the manifest', async () => {
  const manifest = write(MANIFEST);
  const [ask, show, sure] = await manifest.listTools();
  assert.deepEqual(manifest.names, ['ask', 'show', 'sure']);
  assert.deepEqual([ask.name, ask.title, sure.name, sure.title], ['ask', 'Inner', 'sure', 'Sure']);
  assert.deepEqual([show.description, show.inputSchema.required], ['Say something.', ['text']]);
  const broken = '[tools.a]\ncommand = ["sh", "-c", "echo no license >&2; exit 3"]\ndescribe = true\n';
  const listed = await write(`${broken}[tools.b]\ncommand = "true"\n[tools.c]\ncommand = "true"\nplain = true\n`).listTools();
  assert.deepEqual([listed.map(({ name }) => name), Object.keys(listed.problems)], [['c'], ['a', 'b']]);
  assert.match(listed.problems.a, /`a`.*no license/);
  assert.match(listed.problems.b, /`b`.*`parameters`/);
  const slow = write('[tools.a]\ncommand = ["sleep", "60"]\ndescribe = true\n');
  await assert.rejects(slow.listTools({ signal: AbortSignal.timeout(100) }), { name: 'TimeoutError' });
});

test('a manifest is the one that was named, or the nearest that is trusted', async () => {
  write(MANIFEST);
  assert.equal(loadManifest(pathToFileURL(file)).path, file);
  const wrong = async () => write("[tools.a]\ncommand = 'git log'\n");
  const message = await fails(wrong(), 'bad_manifest');
  assert.ok(message.startsWith(`${file}:2:1: \`tools.a.command\`: `) && message.includes('["git", "log"]'), message);
  await fails((async () => loadManifest(join(folder, 'absent.toml')))(), 'manifest_not_found');
  await fails((async () => loadManifest(7))(), 'bad_argument');
  write(MANIFEST);
  const here = process.cwd();
  const deep = join(folder, 'a', 'b');
  mkdirSync(deep, { recursive: true });
  process.chdir(deep);
  try {
    assert.equal(loadManifest().path, file);
    chmodSync(file, 0o666);
    assert.match(await fails((async () => loadManifest())(), 'untrusted_manifest'), /everybody can write it.*toolwire trust/);
    assert.equal(loadManifest(file).names.length, 3);
  } finally {
    process.chdir(here);
  }
});

test('the host of the examples has a model answer', async () => {
  const replies = [{ content: '{"answer":true}' }, { content: null, refusal: 'no' }];
  const asked = [];
  const server = createServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString());
    asked.push([request.url, request.headers.authorization, body]);
    response.end(JSON.stringify({ choices: [{ message: replies.shift() }] }));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  chmodSync(file, 0o644);
  write('[tools.ask]\ncommand = "./asks.sh"\n[tools.mine]\ncommand = "./asks.sh"\nquestions.go = "user"\n');
  const place = mkdtempSync(join(dirname(fileURLToPath(import.meta.url)), 'example-'));
  const program = join(place, 'ask-a-model.mjs');
  writeFileSync(program, read('examples', 'host', 'ask-a-model.mjs'));
  const host = (...words) =>
    new Promise((resolve) => {
      const env = { ...process.env, OPENAI_API_KEY: 'key', OPENAI_BASE_URL: `http://127.0.0.1:${server.address().port}/v1` };
      execFile(process.execPath, [program, ...words], { cwd: folder, env }, (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }));
    });
  try {
    const done = await host('ask', 'path=a');
    assert.match(done.stdout, /"answers":\{"go":true\}/);
    assert.deepEqual([done.code, done.stderr], [0, 'go: accepted, from assistant\n']);
    const [url, key, body] = asked[0];
    assert.deepEqual([url, key, body.model], ['/v1/chat/completions', 'Bearer key', 'gpt-5-mini']);
    assert.equal(body.response_format.json_schema.schema.properties.answer.type, 'boolean');
    assert.match(body.messages[1].content, /Go on\?/);
    assert.match((await host('ask')).stderr, /go: declined, from assistant/);
    assert.match((await host('mine')).stderr, /go: unavailable, from policy/);
    assert.equal(asked.length, 2);
    assert.match((await host('mnie')).stderr, /did you mean `mine`\?/);
  } finally {
    server.close();
    rmSync(place, { recursive: true });
  }
});
