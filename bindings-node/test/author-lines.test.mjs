// A program that takes its calls as lines, each time with a real process, whose host writes them by hand.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { boolean, string, tool } from 'toolwire';

const program = fileURLToPath(new URL('author-tools/staying.mjs', import.meta.url));
const HELLO = { type: 'hello', toolwire: 1, versions: [1], maxLine: 67108864 };

/** A host that writes lines by hand. */
class Host {
  #lines;
  log = '';

  constructor(t, hello = HELLO) {
    this.child = spawn(process.execPath, [program], { env: { ...process.env, TOOLWIRE_CALL: 'lines' } });
    t.after(() => this.child.kill('SIGKILL'));
    this.child.stderr.setEncoding('utf8').on('data', (data) => (this.log += data));
    this.child.stdin.on('error', () => {});
    this.ended = new Promise((resolve) => this.child.on('close', (code, signal) => resolve({ code, signal })));
    this.#lines = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
    if (hello !== undefined) this.say(hello);
  }

  /** A host that has been greeted, and has begun a session. */
  static async session(t, name, args = {}, hello = HELLO) {
    const host = new Host(t, hello);
    await host.greeted();
    host.call(1, name, args, { session: true });
    return host;
  }

  async greeted() {
    assert.deepEqual(await this.hear(), { type: 'hello', toolwire: 1, version: 1, calls: 32, maxLine: 67108864 });
  }

  say(line) {
    this.child.stdin.write(`${JSON.stringify(line)}\n`);
  }

  call(call, name, args = {}, rest = {}) {
    this.say({ type: 'call', call, document: { tool: { name, arguments: args }, context: { action: 'run', root: '/project' } }, ...rest });
  }

  answer(id, answer) {
    this.say({ type: 'answer', call: 1, id, answer: { source: 'user', ...answer } });
  }

  /** The next line; nothing at the end. */
  async hear() {
    const { value, done } = await this.#lines.next();
    return done ? undefined : JSON.parse(value);
  }

  async hears(expected) {
    assert.deepEqual(await this.hear(), expected, this.log);
  }

  async hearsText(text) {
    await this.hears({ type: 'output', call: 1, blocks: [{ type: 'text', text }] });
  }

  /** The result of a call, and what was said before it, without it. */
  async result(call) {
    const before = [];
    for (;;) {
      const line = await this.hear();
      assert.notEqual(line, undefined, this.log);
      if (line.type === 'result' && line.call === call) return { ...line.envelope, before };
      before.push(line);
    }
  }

  async ends(status = 0) {
    assert.equal(await this.hear(), undefined);
    assert.deepEqual(await this.ended, { code: status, signal: null }, this.log);
  }
}

const said = (text) => ({ content: [{ type: 'text', text }] });
const result = (call, envelope) => ({ type: 'result', call, envelope });
const failed = (text) => ({ ...said(text), isError: true });

test('a session says and takes things until it is to end', async (t) => {
  const host = await Host.session(t, 'echo');
  await host.hearsText('say something');
  for (const input of ['one', 'two']) {
    host.say({ type: 'input', call: 1, input });
    await host.hears({ type: 'event', call: 1, event: { type: 'progress', done: 1, message: input } });
    await host.hears({ type: 'event', call: 1, event: { type: 'log', level: 'info', message: input } });
    await host.hears({ type: 'stderr', call: 1, text: `printed ${input}\n` });
    await host.hearsText(`you said ${input}`);
  }
  // What is for no call of it is nothing to it.
  host.say({ type: 'input', call: 2, input: 'three' });
  host.say({ type: 'from the future', call: 1 });
  host.say({ type: 'end', call: 1, reason: 'aborted' });
  await host.hearsText('cleaned up');
  await host.hears(result(1, said('ended: aborted')));
  await host.ends();
  assert.equal(host.log, 'printed before there is a call\n');
});

test('a session waits for its answers where it stands', async (t) => {
  const host = await Host.session(t, 'asks');
  await host.hearsText('this will restart it');
  await host.hears({ type: 'question', call: 1, question: { id: 'restart', text: 'Restart it?', schema: { type: 'boolean' } } });
  host.answer('name', { state: 'declined' });
  host.answer('restart', { state: 'accepted', value: true });
  await host.hears({ type: 'question', call: 1, question: { id: 'name', text: 'As whom?', schema: { type: 'string' } }, person: true });
  host.answer('name', { state: 'accepted', value: 'ada' });
  assert.equal((await host.hear()).question.id, 'one');
  assert.equal((await host.hear()).question.id, 'two');
  host.answer('two', { state: 'accepted', value: false });
  await new Promise((resolve) => setTimeout(resolve, 30));
  host.answer('one', { state: 'accepted', value: true });
  await host.hears(result(1, said('true ada true false true')));
  await host.ends();

  const declined = await Host.session(t, 'asks');
  await declined.hear();
  await declined.hear();
  declined.answer('restart', { state: 'declined' });
  await declined.hears(result(1, said('left alone')));

  // An answer that does not fit, from a host that does not look; and none where one is needed.
  const wrong = await Host.session(t, 'asks');
  await wrong.hear();
  await wrong.hear();
  wrong.answer('restart', { state: 'accepted', value: 'y' });
  assert.match((await wrong.hear()).envelope.content[0].text, /^the answer to `restart` does not fit: /);
  await wrong.ends(1);
  const none = await Host.session(t, 'wait', { how: 'ask' });
  await none.hear();
  await none.hear();
  none.answer('go', { state: 'declined' });
  await none.hears(result(1, failed('the tool needs an answer to `go`, and there is none: it was declined')));
});

test('whatever waits ends when the session is to end, and that is no failure', async (t) => {
  for (const how of ['sleep', 'receive', 'timeout', 'ask', 'signal', 'wrapped']) {
    const host = await Host.session(t, 'wait', { how });
    await host.hearsText('waiting');
    if (how === 'ask') assert.equal((await host.hear()).type, 'question');
    host.say({ type: 'end', call: 1, reason: 'timed_out' });
    await host.hears(result(1, { content: [] }));
    await host.ends();
  }
  // A host may answer the question itself.
  const host = await Host.session(t, 'wait', { how: 'ask' });
  await host.hear();
  await host.hear();
  host.answer('go', { state: 'cancelled', source: 'policy' });
  await host.hears(result(1, { content: [] }));
});

test('a generator is a session too', async (t) => {
  const host = await Host.session(t, 'yields');
  await host.hearsText('one');
  await host.hearsText('two');
  await host.hears(result(1, { content: [] }));
  await host.ends();
});

test('the end of the host is the end of its sessions', async (t) => {
  const host = await Host.session(t, 'echo');
  await host.hearsText('say something');
  host.child.stdin.end();
  await host.hearsText('cleaned up');
  await host.hears(result(1, said('ended: host_ended')));
  await host.ends();

  const unread = await Host.session(t, 'floods');
  await unread.hear();
  unread.child.stdout.destroy();
  unread.child.stdin.end();
  assert.equal((await unread.ended).code, 0);

  const ignores = await Host.session(t, 'wait', { how: 'for ever' });
  await ignores.hearsText('waiting');
  ignores.child.stdin.end();
  assert.deepEqual(await ignores.ended, { code: null, signal: 'SIGTERM' });
});

test('what goes wrong in a session is its result', async (t) => {
  const begun = async (how, hello) => {
    const host = await Host.session(t, 'fails', { how }, hello);
    await host.hearsText('began');
    return host;
  };
  const thrown = await begun('throw');
  await thrown.hears(result(1, failed('the printer is on fire')));
  await thrown.ends(1);

  const rejected = await begun('rejected');
  await rejected.hears(result(1, failed('nobody caught it')));
  await rejected.ends(1);

  const exits = await begun('exit');
  await exits.hears(result(1, { content: [] }));
  await exits.ends();
  const fails = await begun('exit 3');
  await fails.hears(result(1, failed('the tool exited with status 3')));
  await fails.ends(3);

  assert.match((await (await begun('question')).result(1)).content[0].text, /a tool emits blocks/);

  const twice = await begun('twice');
  assert.equal((await twice.hear()).question.id, 'same');
  twice.answer('same', { state: 'declined' });
  await twice.hearsText('answered');
  await twice.hearsText('another question has the id `same`: give each its own');

  const large = await begun('large', { ...HELLO, maxLine: 300 });
  await large.hearsText('refused: over_budget');
  await large.hears(result(1, { content: [] }));
});

test('whoever does not read makes the other wait', async (t) => {
  const host = await Host.session(t, 'floods');
  await host.hear();
  host.child.stdout.pause();
  await new Promise((resolve) => setTimeout(resolve, 500));
  const memory = () => Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${host.child.pid}/status`, 'utf8'))[1]);
  if (process.platform === 'linux') assert.ok(memory() < 200 * 1024, `${memory()} KiB`);
  host.say({ type: 'end', call: 1, reason: 'aborted' });
  host.child.stdout.resume();
  assert.deepEqual((await host.result(1)).content, []);

  // More inputs than wait: the rest is in the pipe until the tool takes them.
  const deaf = await Host.session(t, 'deaf');
  await deaf.hearsText('asleep');
  await deaf.hear();
  deaf.answer('wake', { state: 'declined' });
  for (let input = 0; input < 300; input++) deaf.say({ type: 'input', call: 1, input });
  await deaf.hears(result(1, said('299 before the last')));
});

test('answers and the end pass inputs that nobody takes', async (t) => {
  const flood = (host, count) => {
    for (let nth = 0; nth < count; nth++) host.say({ type: 'input', call: 1, input: 'one more' });
  };
  let host = await Host.session(t, 'wait', { how: 'ask' });
  await host.hearsText('waiting');
  assert.equal((await host.hear()).type, 'question');
  flood(host, 500);
  host.answer('go', { state: 'accepted', value: 'on' });
  await host.hears(result(1, said('on')));
  await host.ends();
  assert.equal(host.log.includes('lost'), false, host.log);

  host = await Host.session(t, 'wait', { how: 'sleep' });
  await host.hearsText('waiting');
  flood(host, 10_500);
  host.say({ type: 'end', call: 1, reason: 'aborted' });
  await host.hears(result(1, { content: [] }));
  await host.ends();
  assert.equal(host.log.match(/input is lost/g)?.length, 1, host.log);
});

test('a session whose result is longer than the host takes ends with status 1', async (t) => {
  const host = await Host.session(t, 'wait', { how: 'ask' }, { ...HELLO, maxLine: 300 });
  await host.hearsText('waiting');
  await host.hear();
  host.answer('go', { state: 'accepted', value: 'a'.repeat(1000) });
  const { content, isError } = (await host.hear()).envelope;
  assert.ok(isError && content[0].text.includes('the host takes lines of at most 300 bytes'), content[0].text);
  await host.ends(1);
});

test('calls of a program that stays run side by side and do not mix', async (t) => {
  const host = new Host(t);
  await host.greeted();
  for (const [index, gate] of ['a1', 'a2', 'a3'].entries()) host.call(index + 1, 'tells', { how: 'meets', gate });
  const lines = [];
  while (lines.filter(({ type }) => type === 'result').length < 3) lines.push(await host.hear());
  for (const [index, gate] of ['a1', 'a2', 'a3'].entries()) {
    const call = index + 1;
    const own = lines.filter((line) => line.call === call);
    const printed = own.filter(({ type }) => type === 'stderr').map(({ text }) => text).join('');
    assert.equal(printed, `from ${gate}\n${gate} and ${gate}\n`);
    assert.deepEqual(own.filter(({ type }) => type === 'event').map(({ event }) => event.message), [gate]);
    assert.deepEqual(own.at(-1), result(call, said(gate)));
  }
  assert.equal(host.log, 'printed before there is a call\n');
  host.child.stdin.end();
  await host.ends();
});

test('what goes wrong in one call ends no other', async (t) => {
  const host = new Host(t);
  await host.greeted();
  // It waits for two more all the time.
  host.call(1, 'tells', { how: 'meets', gate: 'b1' });
  host.call(2, 'tells', { how: 'throw' });
  assert.deepEqual((({ content, isError }) => ({ content, isError }))(await host.result(2)), failed('no luck today'));
  host.call(3, 'tells', { how: 'later' });
  assert.equal((await host.result(3)).content[0].text, 'thrown later');
  host.call(4, 'tells', { how: 'rejected' });
  assert.equal((await host.result(4)).content[0].text, 'nobody caught it');
  host.call(5, 'tells', { how: 'exit' });
  assert.deepEqual(await host.result(5), { content: [], before: [] });
  host.call(6, 'tells', { how: 'exit 3' });
  assert.equal((await host.result(6)).content[0].text, 'the tool exited with status 3');
  host.call(7, 'no such tool');
  assert.match((await host.result(7)).content[0].text, /there is no tool `no such tool`/);
  host.call(8, 'tells', { how: 1 });
  assert.match((await host.result(8)).content[0].text, /the arguments of `tells` do not fit/);
  // A call that is given up is told so, and still answers.
  host.call(9, 'tells', { how: 'cancelled' });
  assert.equal((await host.hear()).event.message, 'waiting');
  host.say({ type: 'end', call: 9, reason: 'aborted' });
  assert.equal((await host.result(9)).content[0].text, 'given up');
  for (const [call, gate] of [[10, 'b2'], [11, 'b3']]) host.call(call, 'tells', { how: 'meets', gate });
  assert.equal((await host.result(1)).content[0].text, 'b1');
});

test('a call as a line has the answer of one that its program was started for', async (t) => {
  const host = new Host(t);
  await host.greeted();
  host.call(1, 'tells', {}, { trace: { traceparent: '00-1' } });
  assert.equal((await host.result(1)).content[0].text, '/project 00-1 false');
  host.call(2, 'tells', { how: 'sure' });
  assert.equal((await host.result(2)).content[0].question.id, 'sure');
  host.say({ type: 'call', call: 3, document: { tool: { name: 'tells', arguments: { how: 'sure' }, answers: { sure: true } }, context: { action: 'run' } } });
  assert.equal((await host.result(3)).content[0].text, 'true');
  host.call(4, 'tells', { how: 'environment' });
  assert.equal((await host.result(4)).content[0].text, 'undefined undefined');
  host.call(5, 'tells', { how: 'fast' });
  const events = (await host.result(5)).before.length;
  assert.ok(events >= 20 && events < 100, `${events} events`);
  host.call(6, 'tells', { how: 'late' });
  assert.equal((await host.result(6)).content[0].text, 'early');
  // What it prints later is nobody's.
  while (!host.log.includes('too late')) await new Promise((resolve) => setTimeout(resolve, 5));
  // A session tool that is called once says all at once, and gets no input.
  host.call(7, 'echo');
  assert.deepEqual((await host.result(7)).content.map(({ text }) => text), ['say something', 'cleaned up', 'ended: turn_ended']);
  host.say({ type: 'call', call: 8, document: { tool: { name: 'echo' }, context: { action: 'describe' } } });
  assert.deepEqual((await host.result(8)).structuredContent.tools[0]._meta, { 'dev.toolwire/actions': ['spawn', 'fetch', 'apply', 'abort'], 'dev.toolwire/warm': true });
  host.child.stdin.end();
  await host.ends();
});

test('a child has no part in the lines', { skip: process.platform === 'win32' }, async (t) => {
  const host = new Host(t);
  await host.greeted();
  host.call(1, 'tells', { how: 'child' });
  assert.equal((await host.result(1)).content[0].text, 'printed\n');
  host.call(2, 'tells', { how: 'inherited' });
  await host.hears(result(2, said('done')));
  host.child.stdin.end();
  await host.ended;
  assert.match(host.log, /a child/);
});

test('no line is longer than the host takes', async (t) => {
  const host = new Host(t, { ...HELLO, maxLine: 300 });
  await host.greeted();
  host.call(1, 'tells', { how: 'large' });
  assert.match((await host.result(1)).content[0].text, /the host takes lines of at most 300 bytes/);
  host.call(2, 'cold');
  await host.hears(result(2, said('cold')));
});

test('a host that is none is not listened to', async (t) => {
  const silent = new Host(t, undefined);
  silent.child.stdin.end('hello\n');
  assert.equal((await silent.ended).code, 2);
  assert.match(silent.log, /the host's lines can't be read/);
  const host = await Host.session(t, 'echo');
  await host.hearsText('say something');
  host.child.stdin.write('hello\n');
  await host.hearsText('cleaned up');
  await host.hears(result(1, said('ended: host_ended')));
});

test('a session tool can run once, and tests give it what it takes', async () => {
  const once = (document) => spawnSync(process.execPath, [program], { input: JSON.stringify(document), env: { ...process.env, TOOLWIRE_CALL: 'stdin' }, encoding: 'utf8' });
  const tick = once({ tool: { name: 'wait', arguments: { how: 'tick' } }, context: { action: 'run' } });
  assert.deepEqual(JSON.parse(tick.stdout).content.map(({ text }) => text), ['waiting', 'undefined undefined']);
  const asks = once({ tool: { name: 'asks', arguments: {} }, context: { action: 'run' } });
  assert.deepEqual(JSON.parse(asks.stdout).content.map(({ type }) => type), ['text', 'question']);

  const echo = tool({ name: 'echo', actions: ['apply'] }, async (_, session) => {
    assert.equal(session.isLive, false);
    const sure = await session.answer('sure', boolean('Sure?'));
    for await (const said of session.inputs) await session.emit(`${said}`);
    return `${sure} ${session.ending.reason.reason}`;
  });
  const answer = await echo.call({}, { inputs: [1, { two: 2 }], answers: { sure: true } });
  assert.deepEqual(answer.blocks.map(({ text }) => text), ['1', '[object Object]', 'true turn_ended']);
  assert.deepEqual((await echo.call()).blocks.map(({ question }) => question.id), ['sure']);
  await assert.rejects(echo.call({}, { inputs: 'one' }), { code: 'bad_argument', pointer: '/inputs' });
});

test('what makes no sense is refused', async () => {
  const refuses = (definition, pointer) => assert.throws(() => tool({ name: 'a', ...definition }, () => {}), { code: 'bad_argument', pointer });
  refuses({ session: 'yes' }, '/session');
  refuses({ warm: 1 }, '/warm');
  refuses({ actions: 'apply' }, '/actions');
  refuses({ actions: ['apply', 'walk'] }, '/actions/1');
  refuses({ session: false, actions: [] }, '/actions');
  assert.deepEqual(tool({ name: 'b', actions: [] }, () => {}).toJSON()._meta, { 'dev.toolwire/actions': ['spawn', 'fetch'], 'dev.toolwire/warm': true });
  assert.equal(tool({ name: 'c', warm: false }, () => {}).toJSON()._meta, undefined);
  const misused = (use) => tool({ name: 'd', session: true }, (_, session) => use(session)).call();
  for (const [use, pointer] of [
    [(session) => session.emit(1), '/block'],
    [(session) => session.sleep(-1), '/time'],
    [(session) => session.receive({ timeout: 'soon' }), '/timeout'],
    [(session) => session.ask(1, string('A?')), '/id'],
    [(session) => session.ask('a', 'A?'), '/ask'],
    [(session) => session.ask('a', string('A?'), { person: 'me' }), '/person'],
    [(session) => session.answers([string('A?')]), '/asks'],
  ]) {
    let thrown;
    await misused(async (session) => {
      await use(session).catch((error) => (thrown = error));
    });
    assert.deepEqual([thrown?.code, thrown?.pointer], ['bad_argument', pointer], String(use));
  }
});
