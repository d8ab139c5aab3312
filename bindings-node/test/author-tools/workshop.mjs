// One program with a tool for each thing that a tool can do. The tests call it as a host does.
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { envelope, error, main, parse, resource, text, tool, boolean, select, string } from 'toolwire';

// A program may look at its streams before it answers; that makes pipes not ready now and then.
if (process.env.TOUCH) console.error(process.stdin.isTTY, process.stdout.isTTY);

const path = { type: 'object', properties: { path: { type: 'string' }, limit: { type: 'integer', minimum: 1 } }, required: ['path'] };

tool(
  {
    name: 'rename',
    title: 'Rename a file',
    description: 'Rename a file.\n\n  It asks first.',
    input: { type: 'object', properties: { path: { type: 'string' }, to: { type: 'string' } }, required: ['path', 'to'] },
    destructive: true,
    idempotent: false,
    formatArguments: ({ path, to }) => text(`mv ${path} ${to}`),
  },
  async ({ path, to }, ctx) => {
    ctx.emit(`${path} is not under version control.`);
    if (!ctx.answer('confirm', boolean(`Rename ${path} to ${to}?`, { default: true }))) return envelope([text('Left as it was.')]);
    return `Renamed ${path} to ${to}.`;
  },
);

tool({ name: 'context', input: path, output: { type: 'object' } }, (args, ctx) => ({
  args, action: ctx.action, root: ctx.root ?? null, options: ctx.options, raw: ctx.arguments,
}));

const returned = {
  text: 'plain words',
  nothing: undefined,
  object: { b: [1, null], a: 10n },
  null: null,
  bytes: Buffer.from('bytes of a child'),
  binary: Buffer.from([0xff, 0xfe]),
  number: 3,
  block: resource('file:///project/a', { text: 'a' }),
  blocks: [text('one'), 'two'],
  none: [],
  strings: ['a', 'b'],
  envelope: envelope([text('whole')], { structuredContent: { whole: true } }),
  error: error('no such table', { transient: true }),
  parsed: parse('raw output of another tool'),
  wrong: { at: undefined },
};
tool({ name: 'returns', input: { type: 'object', properties: { what: { enum: Object.keys(returned) } }, required: ['what'] } }, async ({ what }) => returned[what]);
tool({ name: 'counts', output: { type: 'integer' } }, () => 3);
tool({ name: 'names', output: { type: 'array', items: { type: 'string' } } }, () => []);
tool({ name: 'word', output: { type: 'string' } }, () => 'a word');
tool({ name: 'yields' }, async function* () {
  yield 'one';
  yield text('two');
});
tool({ name: 'big' }, () => text('0123456789'.repeat(500_000)));

tool({ name: 'noisy' }, () => {
  console.log('a line for debugging');
  process.stdout.write('{"content":[]}\n');
  spawnSync(process.execPath, ['-e', 'console.log("a child")'], { stdio: 'inherit' });
  return 'the answer';
});
tool({ name: 'inherits' }, () => {
  const seen = spawnSync(process.execPath, ['-p', '[process.env.TOOLWIRE_CALL, process.env.TOOLWIRE_RESULT]'], { encoding: 'utf8' });
  return seen.stdout.trim();
});

class ServerError extends Error {
  constructor(status) {
    super('the server is busy');
    this.status = status;
  }
}
const failures = {
  chain: () => new Error('cannot read the page', { cause: new Error('not now', { cause: 'the modem' }) }),
  together: () => new AggregateError([new Error('first'), new Error('second')], 'both failed'),
  nameless: () => new RangeError(''),
  busy: () => new ServerError(503),
  missing: () => new ServerError(404),
  told: () => Object.assign(new ServerError(404), { transient: true }),
  known: () => Object.assign(new ServerError(503), { transient: false }),
  deep: () => new TypeError('fetch failed', { cause: Object.assign(new Error('reset by peer'), { code: 'ECONNRESET' }) }),
  words: () => 'just words',
  object: () => ({ reason: 'because' }),
  nothing: () => undefined,
};
tool({ name: 'fails', input: { type: 'object', properties: { how: { enum: Object.keys(failures) } }, required: ['how'] } }, ({ how }, ctx) => {
  ctx.emit('as far as it came');
  throw failures[how]();
});
tool({ name: 'connects' }, () => fetch('http://127.0.0.1:9/'));

const never = new Promise(() => {});
const endings = {
  exit0: (ctx) => {
    ctx.emit('as far as it came');
    process.exit();
  },
  exit3: () => process.exit(3),
  waits: () => never,
  later: () => {
    setTimeout(() => { throw new Error('thrown later'); }, 5);
    setInterval(() => {}, 1000);
    return never;
  },
  left: () => {
    Promise.reject(new Error('left alone'));
    setInterval(() => {}, 1000);
    return never;
  },
  heard: async () => {
    process.on('uncaughtException', () => {});
    setTimeout(() => { throw new Error('heard'); }, 1);
    await new Promise((resolve) => { setTimeout(resolve, 30); });
    return 'went on';
  },
  asked: () => {
    process.on('SIGTERM', () => process.exit(0));
    process.kill(process.pid, 'SIGTERM');
    setInterval(() => {}, 1000);
    return never;
  },
  killed: () => {
    process.kill(process.pid, 'SIGTERM');
    setInterval(() => {}, 1000);
    return never;
  },
  alive: () => {
    setInterval(() => {}, 1000);
    createServer().listen(0, '127.0.0.1');
    return 'done';
  },
};
tool({ name: 'ends', input: { type: 'object', properties: { how: { enum: Object.keys(endings) } }, required: ['how'] } }, ({ how }, ctx) => endings[how](ctx));

tool({ name: 'swallows', input: { type: 'object', properties: { end: { type: 'string' } } } }, ({ end }, ctx) => {
  try {
    ctx.answer('sure', boolean('Sure?'));
  } catch {
    if (end === 'throw') throw new Error('something else');
    if (end === 'exit') process.exit(4);
  }
  return 'done anyway';
});
tool({ name: 'lists' }, (_, ctx) => {
  const { branch, name } = ctx.answers({ branch: select('Which branch?', ['main', 'develop']), name: string('Name?') });
  return `${branch} ${name}`;
});
tool({ name: 'tells' }, (_, ctx) => {
  const { state, source, value, accepted } = ctx.ask('notify', boolean('Notify?'));
  return { state, source: source ?? null, value: value ?? null, accepted };
});
tool({ name: 'falls' }, (_, ctx) => String(ctx.answer('notify', boolean('Notify?'), { otherwise: 'nobody said' })));
tool({ name: 'confused' }, (_, ctx) => ctx.ask('notify', { text: 'Notify?' }));

await main();
