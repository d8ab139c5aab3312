// Calling the tools of MCP servers: `toolwire serve` of the installed package, and servers that are written by hand.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Answer, connect, format, run } from 'toolwire';

const require = createRequire(import.meta.url);
const COMMAND = [process.execPath, join(dirname(require.resolve('toolwire/package.json')), 'command.cjs')];
const folder = mkdtempSync(join(dirname(fileURLToPath(import.meta.url)), 'connect-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** A file in the folder of this test, which finds the package. */
function file(name, text) {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const TOOLS = file(
  'tools.mjs',
  `import * as tw from 'toolwire';
  tw.tool({ name: 'greet', title: 'Greet', input: { properties: { times: { type: 'integer' } } } }, ({ times }, ctx) => {
    tw.progress(1, 2, 'half');
    tw.log('warning', 'careful', { logger: 'greeter' });
    console.error('to stderr');
    return tw.envelope([tw.text('Hello ' + ctx.answer('name', tw.string('Your name?'), { otherwise: 'nobody' }))], { structuredContent: { times } });
  });
  tw.tool({ name: 'wait' }, async () => {
    tw.progress(0);
    await new Promise((resolve) => setTimeout(resolve, 60_000));
  });
  await tw.main();`,
);
const SERVE = [...COMMAND, 'serve', TOOLS];

/** A server that answers as it is told: a program whose \`answer\` gets each request. */
const handwritten = (name, answer) => [
  process.execPath,
  file(
    name,
    `const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
    const answer = ${answer};
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, params } = JSON.parse(line);
      if (method === 'initialize') {
        say({ id, result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'by hand', version: '1' }, instructions: 'Be brief.' } });
      } else if (method === 'server/discover') {
        say({ id, error: { code: -32601, message: 'unknown' } });
      } else if (id !== undefined) answer({ id, method, params }, say);
    });`,
  ),
];

test('a server is listed and called, with answers, progress, log and stderr', async () => {
  const client = await connect(SERVE);
  try {
    assert.equal(client.revision, '2026-07-28');
    const tools = await client.listTools();
    assert.deepEqual(tools.map(({ name, title }) => [name, title]), [['greet', 'Greet'], ['wait', undefined]]);
    const progress = [];
    const logs = [];
    const { parsed, end, rounds, exitCode, answers } = await client.call('greet', { times: 12345678901234567890n }, {
      answerer: async (question) => {
        assert.match(question.text, /Your name\?/);
        return 'Ada';
      },
      onProgress: (each) => void progress.push(each),
      onLog: (each) => void logs.push(each),
    });
    assert.equal(format(parsed).split('\n')[0], 'Hello Ada');
    assert.equal(parsed.envelope.structuredContent.times, 12345678901234567890n);
    assert.deepEqual([end, rounds, exitCode], ['answered', 2, null]);
    assert.deepEqual(Object.values(answers).map(({ state, source }) => [state, source]), [['accepted', 'user']]);
    assert.deepEqual(progress.at(-1), { done: 1, total: 2, message: 'half' });
    assert.ok(logs.some(({ level, text }) => level === 'warning' && text === 'careful'), JSON.stringify(logs));
  } finally {
    await client.close();
  }
});

test('a result has the members of that of `run`', async () => {
  const client = await connect(SERVE);
  const options = { answerer: () => new Answer(undefined, { state: 'declined' }) };
  const [called, ran] = [await client.call('greet', {}, options), await run(TOOLS, { ...options, tool: 'greet' })];
  await client[Symbol.asyncDispose ?? Symbol.for('nodejs.asyncDispose')]();
  assert.deepEqual(Object.keys(called).sort(), Object.keys(ran).sort());
  assert.equal(format(called.parsed), format(ran.parsed));
  assert.equal(Object.values(called.answers)[0].state, 'declined');
});

test('calls go on at the same time', async () => {
  const client = await connect(SERVE);
  const calls = Array.from({ length: 8 }, (_, times) => client.call('greet', { times }, { unanswered: 'decline' }));
  const results = await Promise.all(calls);
  await client.close();
  assert.deepEqual(results.map(({ parsed }) => parsed.envelope.structuredContent.times), [0, 1, 2, 3, 4, 5, 6, 7]);
});

test('what a server says of itself, errors of the protocol, and tools that are not there', async () => {
  const client = await connect(handwritten('plain.cjs', `({ id, method }, say) => {
    if (method === 'tools/list') say({ id, result: { tools: [{ name: 'a', inputSchema: { type: 'object' } }] } });
    else say({ id, error: { code: -32602, message: 'no such thing' } });
  }`), { name: 'plain' });
  assert.deepEqual([client.revision, client.claimedName, client.instructions], ['2025-06-18', 'by hand', 'Be brief.']);
  const { parsed } = await client.call('missing');
  assert.ok(parsed.isError);
  assert.match(format(parsed), /no such thing/);
  assert.match(format(parsed), /plain/);
  await client.close();
});

test('a call ends by a signal or by its time-out, and the connection goes on', async () => {
  const client = await connect(SERVE, { timeout: 1000 });
  const slow = await client.call('wait');
  assert.equal(slow.stopped, 'timeout');
  assert.ok(slow.parsed.isError);
  const aborting = new AbortController();
  const waiting = client.call('wait', {}, { signal: aborting.signal, onProgress: () => aborting.abort(new Error('enough')) });
  await assert.rejects(waiting, { message: 'enough' });
  assert.equal((await client.listTools()).length, 2);
  await assert.rejects(client.listTools({ signal: AbortSignal.abort(new Error('no')) }), { message: 'no' });
  await client.close();
});

test('an exception of the answerer ends the call', async () => {
  const client = await connect(SERVE);
  await assert.rejects(client.call('greet', {}, { answerer: () => { throw new Error('mine'); } }), { message: 'mine' });
  await client.close();
});

test('a server that ends is lost, and a closed connection is closed', async () => {
  const client = await connect(handwritten('ending.cjs', `({ id, method }, say) => {
    if (method === 'tools/list') say({ id, result: { tools: [] } });
    else { console.error('out of memory'); process.exit(1); }
  }`));
  const { parsed } = await client.call('a');
  assert.ok(parsed.isError);
  await client.close();
  await client.close();
  await assert.rejects(client.call('a'), { name: 'ToolwireError', code: 'not_connected' });
  await assert.rejects(client.listTools(), { code: 'not_connected' });
});

test('a server by its URL, with headers that nobody else gets', async () => {
  const seen = [];
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization);
    let body = '';
    request.on('data', (piece) => (body += piece));
    request.on('end', () => {
      const { id, method } = JSON.parse(body || '{}');
      const results = {
        initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'web', version: '1' } },
        'tools/list': { tools: [{ name: 'a', inputSchema: { type: 'object' } }] },
        'tools/call': { content: [{ type: 'text', text: 'from afar' }] },
      };
      if (id === undefined) return response.writeHead(202).end();
      const said = results[method] ? { result: results[method] } : { error: { code: -32601, message: 'unknown' } };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, ...said }));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  try {
    const url = new URL(`http://127.0.0.1:${server.address().port}/mcp`);
    const client = await connect(url, { headers: { Authorization: 'Bearer 42', Other: undefined } });
    assert.equal(format((await client.call('a')).parsed), 'from afar');
    await client.close();
    assert.ok(seen.length > 2 && seen.every((value) => value === 'Bearer 42'), String(seen));
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('a server by its name in the file of a client', async () => {
  const [command, ...args] = handwritten('named.cjs', `({ id }, say) => say({ id, result: { tools: [], content: [{ type: 'text', text: process.env.COLOUR + process.env.SIZE } ] } })`);
  const config = file('mcp.json', JSON.stringify({ mcpServers: { mine: { command, args, env: { COLOUR: 'red', SIZE: '1' } } } }));
  const client = await connect('mine', { config, trust: true, env: { SIZE: '2' } });
  assert.equal(format((await client.call('a')).parsed), 'red2');
  await client.close();
  await assert.rejects(connect('mine', { config }), { code: 'untrusted_server' });
  await assert.rejects(connect('other', { config }), { code: 'unknown_server' });
  await assert.rejects(connect('mine', { config: file('bad.json', '{') }), { code: 'bad_config' });
});

test('a profile is compared with its server', async (t) => {
  const [command, ...args] = handwritten('expected.cjs', `({ id }, say) => say({ id, result: { tools: [{ name: 'a', inputSchema: { type: 'object' } }] } })`);
  const here = join(folder, '.toolwire', 'profiles', 'mcp', 'mine');
  mkdirSync(here, { recursive: true });
  const before = process.cwd();
  process.chdir(folder);
  t.after(() => process.chdir(before));
  const connected = async (tool, schema_validation) => {
    writeFileSync(join(here, '_meta.json'), JSON.stringify({ command, args, schema_validation, tools: { [tool]: {} } }));
    const warned = [];
    const listener = ({ code, message }) => warned.push([code, message]);
    process.on('warning', listener);
    const client = await connect('@mine', { trust: true });
    await client.close();
    await new Promise(setImmediate);
    process.off('warning', listener);
    assert.equal('warnings' in client, false);
    return warned;
  };
  assert.deepEqual(await connected('a'), []);
  const [[code, message]] = await connected('b');
  assert.equal(code, 'unexpected_tools');
  assert.match(message, /the server has no tool `b`/);
  assert.deepEqual(await connected('b', 'ignore'), []);
  await assert.rejects(connected('b', 'error'), { code: 'unexpected_tools', message: /toolwire profile diff mine/ });
});

test('a server that can not be used', async () => {
  for (const [server, code] of [
    [['no-such-program-here'], 'not_started'],
    ['./no/such/file', 'system_error'],
    [[process.execPath, '-e', ''], 'not_connected'],
    ['http://127.0.0.1:1/mcp', 'not_connected'],
  ]) {
    await assert.rejects(connect(server), { name: 'ToolwireError', code });
  }
  const silent = [process.execPath, '-e', 'process.stdin.resume()'];
  await assert.rejects(connect(silent, { connectTimeout: 300 }), { code: 'timeout' });
  await assert.rejects(connect(silent, { signal: AbortSignal.timeout(300) }), { name: 'TimeoutError' });
  await assert.rejects(connect(silent, { signal: AbortSignal.abort(new Error('no')) }), { message: 'no' });
});

test('misuse is named', async () => {
  for (const [misuse, code, pointer] of [
    [connect(7), 'bad_argument', '/server'],
    [connect(''), 'bad_argument', '/server'],
    [connect([]), 'bad_argument', '/program'],
    [connect('a', { shell: true }), 'bad_option', '/shell'],
    [connect('a', { headers: 'a' }), 'bad_option', '/headers'],
    [connect('a', { headers: { a: 1 } }), 'bad_option', '/headers/a'],
    [connect('a', { connectTimeout: 0 }), 'bad_option', '/connectTimeout'],
    [connect('a', { maxTimeout: '1' }), 'bad_option', '/maxTimeout'],
    [connect('a', { timeout: -1 }), 'bad_option', '/timeout'],
    [connect('a', { maxMessage: 0.5 }), 'bad_option', '/maxMessage'],
    [connect('a', { sendContext: 1 }), 'bad_option', '/sendContext'],
    [connect('a', { trust: 'yes' }), 'bad_option', '/trust'],
    [connect('a', { config: 1 }), 'bad_option', '/config'],
    [connect('a', { signal: 1 }), 'bad_option', '/signal'],
    [connect(['a'], { headers: { a: 'b' } }), 'bad_option', ''],
  ]) {
    await assert.rejects(misuse, { name: 'ToolwireError', code, pointer }, pointer);
  }
});

test('nothing is left of a server when the process ends, by itself or by a signal', { skip: process.platform === 'win32' }, async () => {
  for (const [ending, expected] of [['', [0, null]], ['process.exit(3)', [3, null]], ["process.kill(process.pid, 'SIGTERM')", [null, 'SIGTERM']]]) {
    const pids = join(folder, 'pid');
    writeFileSync(pids, '');
    const [command, script] = handwritten('stubborn.cjs', `(() => {
      process.on('SIGTERM', () => {});
      require('node:fs').writeFileSync(${JSON.stringify(pids)}, String(process.pid));
      setInterval(() => {}, 1000);
      return ({ id }, say) => say({ id, result: { tools: [] } });
    })()`);
    const host = file('host.mjs', `import { connect } from 'toolwire';
      const client = await connect(${JSON.stringify([command, script])});
      await client.listTools();
      ${ending}`);
    const started = spawn(process.execPath, [host], { stdio: ['ignore', 'inherit', 'inherit'] });
    assert.deepEqual(await once(started, 'exit'), expected, ending);
    const pid = Number(readFileSync(pids, 'utf8'));
    assert.ok(pid > 0);
    // What is killed is gone soon.
    for (let waited = 0; waited < 100 && lives(pid); waited += 1) await new Promise((resolve) => setTimeout(resolve, 50));
    assert.ok(!lives(pid), ending);
  }
});

function lives(pid) {
  try {
    process.kill(pid, 0);
    // One that nobody has waited for is dead all the same.
    return process.platform !== 'linux' || !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}
