// A tool in TypeScript, run by Node itself where it takes the types out.
import { main, tool, type Context } from 'toolwire';

interface Greeting {
  name: string;
}

tool(
  { name: 'greet', input: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } },
  ({ name }: Greeting, ctx: Context): string => `Hello ${name}, ${ctx.action}.`,
);

await main();
