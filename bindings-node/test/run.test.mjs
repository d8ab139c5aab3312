import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import * as toolwire from 'toolwire';

const { Answer, Block, format, listTools, run, ToolwireError } = toolwire;
const { readCall } = toolwire.wire;

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolwire-run-')));
after(() => rmSync(folder, { recursive: true }));

/** A program in a shell; what follows are its arguments. */
const sh = (script, ...args) => ['sh', '-c', script, 'sh', ...args];

/** A tool that prints a question until the answer that it wants is in its call. */
const asks = (question, { wants = '"ok":true', then = 'echo Done.' } = {}) =>
  sh(`if grep -q '${wants}'; then ${then}; else printf '%s' "$1"; fi`, JSON.stringify({
    content: [{ type: 'text', text: 'About to begin.' }, { type: 'question', question }],
  }));
const OK = { id: 'ok', text: 'Go on?', schema: { type: 'boolean' }, default: true };

/** Keeps this thread busy. */
const block = (time) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, time);

const refuses = async (promise, code, pointer) => {
  let refused;
  await assert.rejects(promise, (error) => {
    refused = error;
    assert.ok(refused instanceof ToolwireError, String(refused?.stack));
    assert.deepEqual([refused.code, refused.pointer], [code, pointer], refused.message);
    return true;
  });
  return refused;
};

test('a tool gets its call and its words to the letter, and its answer is read', async () => {
  const words = ['$HOME; it\'s "so"', '', 'é😀'];
  const result = await run(sh('printf "%s|" "$@"; cat; printf "log\\n" >&2; exit 0', ...words), {
    tool: 'show', arguments: { path: 'a', n: [1, 12n] }, options: { key: null }, root: '/project',
  });
  const [first, second, third, call] = result.stdout.toString().split('|');
  assert.deepEqual([first, second, third], words);
  const { name, action, arguments: given, options, root, answers } = readCall(call);
  assert.deepEqual({ name, action, given, options, root, answers }, {
    name: 'show', action: 'run', given: { path: 'a', n: [1, 12] }, options: { key: null }, root: '/project', answers: {},
  });
  const { parsed, stdout, elapsed, ...others } = result;
  assert.ok(parsed instanceof toolwire.Parsed && parsed.isRaw && !parsed.isError && elapsed > 0);
  assert.deepEqual(parsed.raw, stdout);
  assert.equal(parsed.envelope.blocks[0].text, stdout.toString());
  assert.deepEqual(others, {
    answers: {}, rounds: 1, end: 'answered', diagnostics: [], exitCode: 0, signal: null,
    stderr: Buffer.from('log\n'), stderrTruncated: false, leftBehind: false,
  });
  const asked = await run(sh('cat'), { action: 'format_arguments' });
  assert.equal(readCall(asked.stdout).action, 'format_arguments');
  assert.equal(readCall(asked.stdout).name, 'sh');
});

test('a program is a path, a URL or words, run where and with what it is told', async () => {
  const file = join(folder, 'where am i.sh');
  writeFileSync(file, 'pwd; echo "$GIVEN-$SECRET-$TOOLWIRE_CALL"');
  process.env.SECRET = 'of the host';
  const expected = `${folder}\nhere--stdin\n`;
  for (const program of [file, pathToFileURL(file), [file], [pathToFileURL(file)]]) {
    for (const cwd of [folder, pathToFileURL(folder)]) {
      const { stdout } = await run(program, { cwd, env: { GIVEN: 'here', SECRET: undefined }, root: pathToFileURL(folder) });
      assert.equal(stdout.toString(), expected);
    }
  }
  const { stdout } = await run(file, { env: { GIVEN: 'x', SECRET: process.env.SECRET } });
  assert.match(stdout.toString(), /x-of the host-stdin/);
  const bare = await run(['/usr/bin/env'], { env: { ONLY: 'this' }, inherit: [] });
  assert.match(bare.stdout.toString(), /^(ONLY=this\n|TOOLWIRE_[A-Z]+=.*\n){3}$/);
});

test('what is inherited is what the words say', async () => {
  const file = join(folder, 'inherits.sh');
  writeFileSync(file, 'echo "${SECRET-none} ${LANG-none} ${HTTPS_PROXY-none} ${all_proxy-none}"');
  Object.assign(process.env, { SECRET: 's', LANG: 'C', HTTPS_PROXY: 'http://ada:p@ss@proxy:3128', all_proxy: 'http://ada:p/ss@proxy' });
  for (const [inherit, expected] of [
    [undefined, 'none C http://proxy:3128 none\n'],
    ['standard', 'none C http://proxy:3128 none\n'],
    ['all', 's C http://ada:p@ss@proxy:3128 http://ada:p/ss@proxy\n'],
    [['SECRET'], 's none none none\n'],
    [['standard', 'SECRET'], 's C http://proxy:3128 none\n'],
    [['all_proxy'], 'none none none http://ada:p/ss@proxy\n'],
  ]) {
    const { stdout } = await run(['sh', file], { inherit });
    assert.equal(stdout.toString(), expected, String(inherit));
  }
  await assert.rejects(run('true', { inherit: 'HOME' }), { message: '`inherit`: must be `all`, `standard` or a list of variable names, not `HOME`' });
});

test('how a tool ended is told', async () => {
  const failed = await run(sh('echo why >&2; exit 3'));
  assert.deepEqual([failed.exitCode, failed.signal, failed.parsed.isError], [3, null, true]);
  assert.deepEqual(failed.parsed.trace, ['the tool exited with status 3']);
  assert.equal(failed.parsed.envelope.content[0].text, 'why');
  const killed = await run(sh('kill -9 $$'));
  assert.deepEqual([killed.exitCode, killed.signal, killed.parsed.isError], [null, 'SIGKILL', true]);
  const slow = await run(['sleep', '60'], { timeout: 50 });
  assert.deepEqual([slow.stopped, slow.parsed.isError, slow.parsed.transient], ['timeout', true, true]);
  const much = await run(sh('while :; do echo more; done'), { maxOutput: 1000 });
  assert.deepEqual([much.stopped, much.stdout.length, much.parsed.isError], ['stdout_limit', 1000, true]);
  const channel = await run(sh('echo log; printf \'{"content":[]}\' > "$TOOLWIRE_RESULT"'));
  assert.deepEqual([channel.parsed.verdict, channel.stdout.toString(), channel.parsed.raw.toString()], ['valid', 'log\n', '{"content":[]}']);
  const deep = await run(sh('echo \'{"content":[]}\''), { limits: { maxDepth: 1 } });
  assert.equal(deep.parsed.isRaw, true);
  const binary = await run(sh('printf "\\377\\000"'));
  assert.deepEqual(binary.parsed.raw, Buffer.from([255, 0]));
});

test('a result is a reading like any other', async () => {
  const block = { type: 'resource', resource: { uri: 'file:///p/./a.rs', mimeType: 'text/rust', text: 'fn a() {}' } };
  const document = JSON.stringify({ content: [block, { type: 'hologram' }], structuredContent: { n: 1 } });
  const result = await run(asks(OK, { then: `echo '${document}'; exit 1` }), { answerer: () => true });
  const { parsed } = result;
  assert.deepEqual([parsed.verdict, parsed.isError, result.rounds], ['warnings', true, 2]);
  assert.deepEqual(parsed.diagnostics.map(({ code }) => code), ['unknown_block_type', 'nonzero_exit']);
  assert.equal(parsed.skipped[0].json, '{"type":"hologram"}');
  assert.match(format(parsed), /```rs\nfn a\(\) {}\n```/);
  assert.equal(toolwire.identify(parsed)[0].uri, 'file:///p/a.rs');
  assert.match(toolwire.explain(parsed), /hologram/);
  assert.equal(parsed.raw.toString(), `${document}\n`);
  const { envelope } = parsed;
  assert.deepEqual(envelope.structuredContent, { n: 1 });
  assert.deepEqual(envelope.meta['dev.toolwire/answers'], { ok: { state: 'accepted', source: 'user' } });
  assert.equal(envelope.isError, true);
  assert.equal(envelope.blocks[0].uri, 'file:///p/./a.rs');
  assert.deepEqual(JSON.parse(String(parsed)).envelope, envelope.toJSON());
});

test('what cannot be run is refused, and so are wrong options', async () => {
  await refuses(run(join(folder, 'absent')), 'tool_not_found', '');
  await refuses(run(folder), 'tool_is_directory', '');
  await refuses(listTools('no-such-tool-anywhere'), 'tool_not_found', '');
  writeFileSync(join(folder, 'plain.txt'), 'words');
  await refuses(run(join(folder, 'plain.txt')), 'tool_not_executable', '');
  await refuses(run('true', { cwd: join(folder, 'absent') }), 'bad_directory', '');
  await refuses(run(['true', 'a\0b']), 'bad_argument', '');
  await refuses(run(''), 'bad_argument', '/program');
  await refuses(run([]), 'bad_argument', '/program');
  await refuses(run(['true', 1]), 'bad_argument', '/program/1');
  await refuses(run(['true', '\ud800']), 'bad_argument', '/program/1');
  await refuses(run(), 'bad_argument', '/program');
  for (const [options, pointer] of [
    [{ tool: '' }, '/tool'], [{ tool: 1 }, '/tool'], [{ arguments: [] }, '/arguments'], [{ arguments: { a: [NaN] } }, '/arguments/a/0'],
    [{ options: 'x' }, '/options'], [{ root: '' }, '/root'], [{ action: 'describe' }, '/action'], [{ timeout: 0 }, '/timeout'],
    [{ timeout: '1' }, '/timeout'], [{ maxOutput: -1 }, '/maxOutput'], [{ env: { A: 1 } }, '/env/A'], [{ env: 'A=1' }, '/env'],
    [{ cwd: 1 }, '/cwd'], [{ inherit: 1 }, '/inherit'], [{ inherit: 'HOME' }, '/inherit'], [{ inherit: ['standart'] }, '/inherit'], [{ inherit: ['all', 'HOME'] }, '/inherit'], [{ inherit: ['HOME', 1] }, '/inherit/1'], [{ answerer: true }, '/answerer'], [{ onStderr: {} }, '/onStderr'], [{ signal: {} }, '/signal'],
    [{ host: '' }, '/host'], [{ unanswered: 'guess' }, '/unanswered'], [{ maxRounds: 0 }, '/maxRounds'], [{ given: [] }, '/given'],
    [{ limits: { maxDepth: -1 } }, '/maxDepth'], [{ onStdout: () => {} }, '/onStdout'],
  ]) {
    await refuses(run('true', options), 'bad_option', pointer);
  }
  await refuses(listTools('true', { answerer: () => {} }), 'bad_option', '/answerer');
  await refuses(run('true', 'fast'), 'bad_option', '');
  const none = { tool: null, arguments: null, options: null, root: null, env: null, timeout: null, answerer: null, signal: null, given: null };
  assert.equal((await run('true', none)).exitCode, 0);
});

test('a program tells its tools, or does its job', async () => {
  const tools = [{ name: 'now', description: 'The time.', inputSchema: { type: 'object' } }];
  const listed = await listTools(sh('cat >&2; printf "%s" "$1"', String(toolwire.wire.describe(tools))));
  assert.deepEqual(listed.tools, tools);
  assert.equal(readCall(listed.result.stderr).action, 'describe');
  const asked = 'the program failed when it was asked for its tools';
  const broken = await refuses(listTools(['node', '-e', 'require("./no-such-module")']), 'describe_failed', '');
  assert.equal(broken.message, `${asked} (exit status 1): Error: Cannot find module './no-such-module'`);
  assert.deepEqual([broken.result.exitCode, broken.result.parsed.isError], [1, true]);
  assert.match(broken.result.stderr.toString(), /Node\.js v/);
  const late = await refuses(listTools(['sleep', '60'], { timeout: 200 }), 'describe_failed', '');
  assert.deepEqual([late.message, late.result.stopped], [`${asked}: the tool did not end within 0.2 s and was stopped`, 'timeout']);
  const unaware = await listTools(['echo', 'hello']);
  assert.equal(unaware.tools, undefined);
  assert.deepEqual([unaware.result.stdout.toString(), unaware.result.parsed.isRaw, unaware.result.rounds], ['hello\n', true, 1]);
  await refuses(listTools(sh('echo \'{"content":[],"structuredContent":{"toolwire":1}}\'')), 'bad_description', '');
});

test('a question is answered at once or later, and the tool runs again', async () => {
  const questions = [];
  for (const answer of [true, Promise.resolve(true), new Answer(true, { source: 'assistant' })]) {
    const result = await run(asks(OK), {
      tool: 'rename', arguments: { path: 'a' },
      answerer(question) {
        questions.push(question);
        return answer;
      },
    });
    assert.equal(result.parsed.envelope.blocks[0].text, 'Done.\n');
    assert.ok(result.answers.ok instanceof Answer);
    assert.equal(result.answers.ok.source, answer instanceof Answer ? 'assistant' : 'user');
  }
  const [{ context, ...question }] = questions;
  assert.deepEqual(question, {
    id: 'ok', text: 'Go on?', schema: { type: 'boolean' }, default: true, prompt: { kind: 'boolean', default: true },
    shown: 0, mismatches: [], tool: 'rename', arguments: { path: 'a' }, round: 1,
  });
  assert.ok(context.length === 1 && context[0] instanceof Block);
  assert.equal(context[0].text, 'About to begin.');
});

test('an answer that does not fit is asked for again, so often', async () => {
  const seen = [];
  const answerer = ({ mismatches }) => seen.push(mismatches) > 2 || 'yes';
  const result = await run(asks(OK), { answerer });
  assert.deepEqual(seen.map((mismatches) => mismatches.map(({ pointer }) => pointer)), [[], [''], ['']]);
  assert.equal(result.answers.ok.value, true);
  let tries = 0;
  const { answers, diagnostics } = await run(asks(OK, { wants: 'unavailable' }), { answerer: () => `no ${++tries}`, maxTries: 2 });
  assert.deepEqual([tries, answers.ok.state], [2, 'unavailable']);
  assert.deepEqual(diagnostics.map(({ code, pointer }) => [code, pointer]), Array(2).fill(['answer_mismatch', '']));
});

test('where there is no answer, the tool learns why', async () => {
  const wants = (word) => asks(OK, { wants: `"state":"${word}"` });
  const declined = await run(wants('declined'), { answerer: () => new Answer(undefined, { state: 'declined' }) });
  assert.deepEqual({ ...declined.answers.ok }, { state: 'declined', source: 'user', value: undefined });
  assert.equal(declined.parsed.envelope.blocks[0].text, 'Done.\n');
  assert.equal((await run(wants('unavailable'))).answers.ok.source, 'policy');
  assert.equal((await run(wants('declined'), { unanswered: 'decline' })).rounds, 2);
  assert.equal((await run(asks(OK), { unanswered: 'defaults' })).answers.ok.source, 'default');
  assert.equal((await run(asks(OK), { given: { ok: true } })).answers.ok.source, 'policy');
  const refused = await run(asks(OK), { host: 'Ada' });
  assert.deepEqual([refused.end, refused.parsed.isError], ['answer_required', true]);
  assert.match(format(refused.parsed), /About to begin\.[^]*Ada/);
  assert.equal((await run(asks(OK), { unanswered: 'fail' })).end, 'unanswered');
  assert.equal((await run(asks(OK), { given: { ok: 1 } })).end, 'bad_given');
  const always = sh('printf "%s" "$1"', JSON.stringify({ content: [{ type: 'question', question: OK }] }));
  assert.equal((await run(always, { answerer: () => true })).end, 'repeated');
});

test('a question that declares a secret reaches no answerer', async () => {
  const secret = { id: 'login', text: 'Your password, please', schema: { type: 'string', format: 'password' } };
  const result = await run(asks(secret), { answerer: () => assert.fail('it was asked'), given: { login: 'hunter2' } });
  assert.deepEqual({ ...result.answers.login }, { state: 'unavailable', source: 'policy', value: undefined });
  assert.match(format(result.parsed), /password/);
});

test('a question that seems to ask for a secret is for a person alone, and its answer is kept nowhere', async () => {
  const secret = { id: 'login', text: 'Your password, please', schema: { type: 'string', minLength: 5 } };
  const asked = [];
  const answerer = (question) => {
    asked.push([question.secret?.tier, /main password/.test(question.warning), question.mismatches.map((m) => m.message)]);
    return asked.length === 1 ? 'abc' : 'hunter2';
  };
  const result = await run(asks(secret, { wants: 'hunter2' }), { answerer, given: { login: 'given' } });
  assert.deepEqual(asked, [
    ['suspected', true, []],
    ['suspected', true, ['the answer does not fit the schema']],
  ]);
  assert.deepEqual({ ...result.answers.login }, { state: 'accepted', source: 'user', value: null });
  assert.doesNotMatch(JSON.stringify(result.diagnostics), /abc|hunter2/);
  const model = () => new Answer('hunter2', { source: 'assistant' });
  const taken = await run(asks(secret, { wants: '"state":"unavailable"' }), { answerer: model });
  assert.deepEqual([taken.answers.login.state, taken.diagnostics[0].code], ['unavailable', 'secret_question']);
});

test('a host tells what to do where it does not ask', async () => {
  const secret = { id: 'login', text: 'Your password, please', schema: { type: 'string' } };
  const always = sh('printf "%s" "$1"', JSON.stringify({ content: [{ type: 'question', question: secret }] }));
  const { parsed, end } = await run(always, { refusals: { login: { service: 'Example', upFront: 'the variable KEY' } } });
  assert.equal(end, 'answer_required');
  assert.match(format(parsed), /a password for Example[^]*\(the variable KEY\)/);
  await assert.rejects(run(always, { refusals: { '*': { why: 'x' } } }), { code: 'bad_option', pointer: '/refusals/*' });
});

test('a question that an answerer returns nothing for is unavailable, and null is a value', async () => {
  const broken = new Answer(undefined, { state: 'unavailable', source: 'policy' });
  for (const answerer of [() => {}, async () => {}]) {
    const { answers, end } = await run(asks(OK, { wants: '"state":"unavailable"' }), { answerer });
    assert.deepEqual([answers.ok, end], [broken, 'answered']);
  }
  const nothing = { id: 'ok', text: 'Nothing?', schema: { type: 'null' } };
  const { answers } = await run(asks(nothing, { wants: '"ok":null' }), { answerer: () => null });
  assert.deepEqual({ ...answers.ok }, { state: 'accepted', source: 'user', value: null });
});

test('what an answerer throws is thrown, and so is an answer that is none', async () => {
  const thrown = new RangeError('no idea');
  const broken = [
    () => { throw thrown; },
    async () => { throw thrown; },
    () => ({ then: (_, reject) => reject(thrown) }),
  ];
  for (const answerer of broken) await assert.rejects(run(asks(OK), { answerer }), thrown);
  await refuses(run(asks(OK), { answerer: () => ({ n: NaN }) }), 'bad_argument', '/answer/n');
});

test('stderr is seen while the tool writes it, in order and whole', async () => {
  const pieces = [];
  let ended = false;
  execFileSync('mkfifo', [join(folder, 'go')]);
  const running = run(sh('echo one >&2; read go < "$1"; i=0; while [ $i -lt 500 ]; do echo $i >&2; i=$((i+1)); done', join(folder, 'go')), {
    onStderr(piece) {
      assert.ok(Buffer.isBuffer(piece) && !ended);
      // The tool waits for what is written here.
      if (pieces.length === 0) writeFileSync(join(folder, 'go'), 'on\n');
      pieces.push(piece);
    },
  });
  const { stderr } = await running;
  ended = true;
  assert.equal(Buffer.concat(pieces).toString(), stderr.toString());
  assert.equal(stderr.toString().split('\n').length, 502);
  const thrown = new Error('enough');
  await assert.rejects(run(sh('echo x >&2; sleep 60'), { onStderr() { throw thrown; } }), thrown);
});

test('a tool that floods stderr waits while nobody looks', async () => {
  const before = process.memoryUsage().rss;
  let seen = 0;
  const running = run(sh('head -c 300000000 /dev/zero >&2'), { onStderr: (piece) => (seen += piece.length) });
  await new Promise((resolve) => setTimeout(resolve, 50));
  // This thread does nothing else for a while.
  block(700);
  const grown = process.memoryUsage().rss - before;
  assert.ok(grown < 80e6, `${grown} bytes`);
  const { stderr, stderrTruncated } = await running;
  assert.deepEqual([seen, stderr.length, stderrTruncated], [300_000_000, 65536, true]);
});

test('a slow reader of stderr delays no time-out', async () => {
  const flood = sh('while :; do head -c 100000 /dev/zero >&2; done');
  let pieces = 0;
  const readers = [
    // Once for longer than the tool may take, then often.
    () => block(pieces++ === 0 ? 6000 : 100),
    () => new Promise((resolve) => setTimeout(resolve, pieces++ === 0 ? 6000 : 100)),
  ];
  for (const onStderr of readers) {
    pieces = 0;
    const { stopped, elapsed } = await run(flood, { onStderr, timeout: 300 });
    assert.equal(stopped, 'timeout');
    assert.ok(elapsed < 5500, `${elapsed} ms`);
    assert.ok(pieces < 5, `${pieces} pieces`);
  }
});

test('a slow reader of stderr makes the tool wait, and misses nothing', async () => {
  const readers = [
    () => block(100),
    async () => {
      await new Promise((resolve) => setTimeout(resolve, 100));
    },
  ];
  // The smaller one has ended before it is read.
  for (const [reader, size] of readers.flatMap((reader) => [[reader, 1_110_000], [reader, 5_000_000]])) {
    const sizes = [];
    let reading = 0;
    const started = Date.now();
    const { stdout } = await run(sh('head -c "$1" /dev/zero >&2; echo done', String(size)), {
      async onStderr(piece) {
        reading += 1;
        assert.equal(reading, 1, 'one piece at a time');
        await reader();
        sizes.push(piece.length);
        reading -= 1;
      },
    });
    assert.equal(stdout.toString(), 'done\n');
    assert.equal(sizes.reduce((sum, size) => sum + size, 0), size);
    assert.ok(Math.max(...sizes) <= 2 * 1024 * 1024);
    if (size > 2e6) assert.ok(Date.now() - started > 400, 'the tool waited');
  }
});

test('a tool that writes to stderr without end leaves everybody else their turn', async () => {
  const flood = sh('cat /dev/zero >&2');
  await assert.rejects(run(flood, { onStderr: () => block(20), signal: AbortSignal.timeout(200) }), { name: 'TimeoutError' });
});

test('who never comes to an end with stderr, or rejects, ends the call', async () => {
  const talks = sh('echo x >&2; sleep 60');
  const endless = () => new Promise(() => {});
  await assert.rejects(run(talks, { onStderr: endless, signal: AbortSignal.timeout(200) }), { name: 'TimeoutError' });
  const thrown = new Error('enough');
  await assert.rejects(run(talks, { onStderr: async () => { throw thrown; } }), thrown);
  await assert.rejects(listTools(talks, { onStderr: () => ({ then: (_, reject) => reject(thrown) }) }), thrown);
});

test('many tools run at once', async () => {
  const results = await Promise.all(Array.from({ length: 60 }, (_, n) => run(sh('sleep 0.1; echo "$1"', String(n)))));
  assert.deepEqual(results.map(({ stdout }) => Number(stdout)), Array.from({ length: 60 }, (_, n) => n));
});

test('a value is checked with a schema, and an answer with its question', () => {
  const { checkAnswer, checkQuestion, checkValue } = toolwire.schema;
  const schema = { type: 'object', properties: { n: { maximum: 9 } }, required: ['to'] };
  assert.deepEqual(checkValue(schema, { n: 3, to: 1 }), []);
  assert.deepEqual(checkValue(schema, { n: 30 }).map(({ pointer }) => pointer), ['/n', '/to']);
  assert.deepEqual(checkValue(JSON.stringify(schema), { to: 'a' }), []);
  assert.equal(checkValue(false, 1).length, 1);
  assert.throws(() => checkValue({ type: 'text' }, 1), { code: 'bad_schema', pointer: '/type' });
  assert.throws(() => checkValue(schema, NaN), { code: 'bad_argument', pointer: '/value' });
  assert.throws(() => checkValue('{', 1), ToolwireError);
  assert.deepEqual(checkAnswer(OK, true), []);
  assert.deepEqual(checkAnswer(OK, 'yes').map(({ pointer }) => pointer), ['']);
  assert.throws(() => checkAnswer({ ...OK, schema: { type: 'text' } }, 1), { code: 'bad_schema', pointer: '/schema/type' });
  assert.deepEqual(checkQuestion(OK), []);
  assert.deepEqual(checkQuestion({ ...OK, default: 1 }).map(({ code }) => code), ['default_mismatch']);
});

test('a model is shown a projection of a schema', () => {
  const integer = { type: 'integer', minimum: 1 };
  const { schema, wrapped, losses } = toolwire.schema.projectSchema(integer);
  assert.deepEqual([schema.properties.answer.type, wrapped, losses.map(({ pointer }) => pointer)], ['integer', true, ['/minimum']]);
  assert.equal(toolwire.schema.unwrapValue(integer, { answer: 3 }), 3);
  assert.throws(() => toolwire.schema.unwrapValue(integer, {}), { code: 'bad_argument', pointer: '/answer' });
  assert.equal(toolwire.schema.projectSchema('{"type":"object"}').wrapped, false);
  assert.equal(toolwire.schema.projectSchema('{"type":"object"}', { answer: true }).wrapped, true);
  assert.throws(() => toolwire.schema.projectSchema({}, { answer: 1 }), { code: 'bad_option', pointer: '/answer' });
  assert.throws(() => toolwire.schema.projectSchema('{'), ToolwireError);
});

test('an exchange says what to do and takes what came of it', () => {
  const call = { tool: { name: 'rename' }, context: { action: 'run' } };
  const asked = JSON.stringify({ content: [{ type: 'question', question: OK }] });
  for (const data of [call, JSON.stringify(call), Buffer.from(JSON.stringify(call))]) {
    const exchange = new toolwire.wire.Exchange(data, { host: 'Ada' });
    assert.equal(readCall(exchange.step().document).name, 'rename');
    exchange.handleResult(toolwire.parse(asked));
    assert.equal(exchange.step().asking.id, 'ok');
    assert.deepEqual(exchange.handleAnswer('ok', 1).map(({ pointer }) => pointer), ['']);
    assert.equal(exchange.handleAnswer('other', true).length, 1);
    assert.deepEqual(exchange.handleAnswer('ok', true), []);
    assert.equal(readCall(exchange.step().document).answers.ok.value, true);
    exchange.handleResult('Renamed.');
    assert.deepEqual(exchange.step(), { step: 'done' });
    const { parsed, answers, rounds, end, diagnostics } = exchange.finish();
    assert.deepEqual([format(parsed), answers.ok.value, rounds, end], ['Renamed.', true, 2, 'answered']);
    assert.deepEqual(diagnostics.map(({ code }) => code), ['answer_mismatch']);
    assert.throws(() => exchange.step(), { message: 'the exchange is over' });
  }
  const left = new toolwire.wire.Exchange(call);
  left.handleResult(asked);
  assert.equal(left.finish().end, 'cancelled');
  const refuse = (make, code, pointer) => assert.throws(make, (refused) => refused.code === code && refused.pointer === pointer);
  refuse(() => new toolwire.wire.Exchange({}), 'bad_call', '/tool');
  refuse(() => new toolwire.wire.Exchange(call, { hots: 1 }), 'bad_option', '/hots');
  refuse(() => new toolwire.wire.Exchange(call, { maxRounds: 0 }), 'bad_option', '/maxRounds');
  refuse(() => new toolwire.wire.Exchange(call).handleAnswer(1, 1), 'bad_argument', '/id');
  refuse(() => new toolwire.wire.Exchange(call).handleResult(1), 'bad_argument', '/data');
});

test('a file in JavaScript is run by the Node of the host, not by another one on the PATH', async () => {
  const bin = mkdtempSync(join(folder, 'bin-'));
  writeFileSync(join(bin, 'node'), '#!/bin/sh\necho another\n', { mode: 0o755 });
  for (const name of ['tool.mjs', 'tool.cjs', 'tool.js']) {
    const file = join(folder, name);
    writeFileSync(file, 'console.log(process.execPath)');
    const { stdout } = await run(file, { env: { PATH: bin } });
    assert.equal(stdout.toString(), `${process.execPath}\n`, name);
  }
});

test('TypeScript on a Node that cannot run it names the versions that can', async (t) => {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const runs = major > 23 || (major === 23 && minor >= 6) || (major === 22 && minor >= 18);
  if (runs || process.env.NODE_OPTIONS) return t.skip('this Node may run it');
  const file = join(folder, 'tool.ts');
  writeFileSync(file, "const text: string = 'typed'; console.log(text);");
  await assert.rejects(run(file), (error) => {
    assert.equal(error.code, 'interpreter_not_found');
    for (const part of ['22.18', '23.6', process.versions.node]) assert.ok(error.message.includes(part), error.message);
    return true;
  });
});
