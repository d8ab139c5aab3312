// A program that stays: a tool for each thing that a session or a warm call can do.
import { execFileSync, spawnSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { boolean, log, main, progress, SessionEnded, string, text, tool, ToolError } from 'toolwire';

const how = { input: { type: 'object', properties: { how: { type: 'string' } } } };

tool({ name: 'echo', actions: ['abort', 'apply'], description: 'Say again what is applied.' }, async (_, session) => {
  await session.emit('say something');
  for await (const said of session.inputs) {
    progress(1, undefined, said);
    setTimeout(() => log('info', said), 1);
    await wait(20);
    console.log('printed', said);
    await session.emit(text(`you said ${said}`));
    if (said === 'enough') break;
  }
  await session.emit('cleaned up');
  return `ended: ${session.ending.reason?.reason}`;
});

console.log('printed before there is a call');

tool({ name: 'asks', session: true, actions: ['apply'] }, async (_, session) => {
  await session.emit('this will restart it');
  const answer = await session.ask('restart', boolean('Restart it?'));
  if (answer.state === 'declined') return 'left alone';
  const name = (await session.ask('name', string('As whom?'), { person: true })).value;
  // Tasks go on while one waits.
  let ticks = 0;
  const clock = setInterval(() => (ticks += 1), 1);
  const { one, two } = await session.answers({ one: boolean('Sure?'), two: boolean('Sure?') });
  clearInterval(clock);
  return `${answer.value} ${name} ${one} ${two} ${ticks > 0}`;
});

tool({ name: 'wait', ...how, session: true }, async ({ how }, session) => {
  await session.emit('waiting');
  const ways = {
    sleep: () => session.sleep(600_000),
    receive: () => session.receive(),
    timeout: async () => {
      while ((await session.receive({ timeout: 1 })) === undefined);
    },
    ask: () => session.answer('go', string('Go on?')),
    signal: () => wait(600_000, undefined, { signal: session.ending }),
    wrapped: () =>
      session.sleep(600_000).catch((cause) => {
        throw new Error('the watch is over', { cause });
      }),
    tick: async () => `${await session.receive({ timeout: 1 })} ${await session.receive({ timeout: 1 })}`,
    'for ever': () => new Promise(() => setInterval(() => {}, 1000)),
  };
  return ways[how]();
});

tool({ name: 'fails', ...how, session: true }, async ({ how }, session) => {
  await session.emit('began');
  const ways = {
    throw: () => {
      throw new ToolError('the printer is on fire');
    },
    exit: () => process.exit(0),
    'exit 3': () => process.exit(3),
    rejected: async () => {
      Promise.reject(new ToolError('nobody caught it'));
      await wait(600_000);
    },
    question: () => session.emit({ type: 'question' }),
    twice: async () => {
      const both = [0, 1].map(() => session.ask('same', string('Which?')).then(() => 'answered', (error) => error.message));
      return session.emit(...(await Promise.all(both)));
    },
    large: async () => {
      const refused = await session.emit('a'.repeat(100_000)).catch((error) => error);
      await session.emit(`refused: ${refused.code}`);
    },
  };
  await ways[how]();
});

tool({ name: 'floods', session: true }, async (_, session) => {
  const line = 'a'.repeat(1000);
  while (!session.ending.aborted) await session.emit(line);
});

tool({ name: 'yields', session: true }, async function* (_, session) {
  yield 'one';
  await session.sleep(1);
  yield text('two');
});

tool({ name: 'deaf', session: true }, async (_, session) => {
  await session.emit('asleep');
  await session.ask('wake', boolean('Wake up?'));
  let count = 0;
  while ((await session.receive()) < 299) count += 1;
  return `${count} before the last`;
});

const gates = new Map();

tool({ name: 'tells', input: { type: 'object', properties: { how: { type: 'string' }, gate: { type: 'string' } } } }, async ({ how = '', gate }, context) => {
  const ways = {
    throw: () => {
      throw new ToolError('no luck today');
    },
    later: async () => {
      setTimeout(() => {
        throw new ToolError('thrown later');
      }, 1);
      await wait(600_000);
    },
    rejected: async () => {
      Promise.reject(new ToolError('nobody caught it'));
      await wait(600_000);
    },
    exit: () => process.exit(0),
    'exit 3': async () => {
      await wait(1);
      try {
        process.exit(3);
      } finally {
        gates.set('exited', true);
      }
    },
    sure: () => String(context.answer('sure', boolean('Sure?'))),
    cancelled: async () => {
      progress(0, undefined, 'waiting');
      await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
      return 'given up';
    },
    'for ever': () => {
      progress(0, undefined, 'busy');
      for (;;);
    },
    // Nobody goes on before the others are there.
    meets: async () => {
      console.log(`from ${gate}`);
      process.stderr.write(`${gate} `);
      progress(1, 2, gate);
      const others = gates.get(gate[0]) ?? [];
      gates.set(gate[0], others);
      await new Promise((resolve) => {
        others.push(resolve);
        if (others.length === 3) for (const go of others) go();
      });
      console.error(`and ${gate}`);
      return gate;
    },
    child: () => spawnSync('sh', ['-c', 'cat; echo printed'], { stdio: ['inherit', 'pipe', 'inherit'], encoding: 'utf8' }).stdout,
    inherited: () => {
      execFileSync('sh', ['-c', 'cat; echo a child'], { stdio: 'inherit' });
      return 'done';
    },
    large: () => 'a'.repeat(100_000),
    fast: () => {
      for (let nth = 0; nth < 1000; nth++) progress(nth, 999);
      return 'fast';
    },
    late: () => {
      setTimeout(() => console.log('too late'), 20);
      return 'early';
    },
    environment: () => `${process.env.TOOLWIRE_CALL} ${process.env.TOOLWIRE_RESULT}`,
  };
  if (how !== '') return ways[how]();
  return `${context.root} ${context.trace.traceparent} ${context.signal.aborted}`;
});

tool({ name: 'cold', warm: false }, () => 'cold');

export { SessionEnded };
await main();
