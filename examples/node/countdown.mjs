#!/usr/bin/env node
// Count down, second by second: a tool that keeps running.
//
// While it counts, a number that is applied to it is where it goes on. At the end it asks, and waits for the answer
// where it stands.

import { boolean, main, progress, tool } from 'toolwire';

tool(
  {
    name: 'countdown',
    description: 'Count down, and ask before the launch.',
    input: {
      type: 'object',
      properties: {
        from: { type: 'integer', minimum: 1, maximum: 1000, default: 10, description: 'Where to begin.' },
        step: { type: 'number', minimum: 0, maximum: 60, default: 1, description: 'How long a step takes, in seconds.' },
      },
    },
    actions: ['apply', 'abort'],
  },
  async ({ from = 10, step = 1 }, session) => {
    try {
      for (let left = from; left > 0; ) {
        progress(Math.max(from - left, 0), from);
        await session.emit(`${left}`);
        const input = await session.receive({ timeout: step * 1000 });
        if (input === undefined) left -= 1;
        else if (Number.isInteger(input) && input >= 1 && input <= 1000) left = input;
        else await session.emit(`a number from 1 to 1000 is needed, not ${JSON.stringify(input)}`);
      }
      return (await session.answer('launch', boolean('Launch?'))) ? 'Lift-off.' : 'Scrubbed.';
    } finally {
      // A real tool would stop its motors here.
      if (session.ending.aborted) await session.emit(`the tanks are drained (${session.ending.reason.reason})`);
    }
  },
);

await main();
