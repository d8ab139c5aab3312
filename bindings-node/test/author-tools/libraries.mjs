// Tools whose schemas are of libraries.
import { type } from 'arktype';
import { main, tool } from 'toolwire';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import * as z from 'zod';

tool(
  {
    name: 'zod',
    input: z.object({
      path: z.string().describe('Which file'),
      limit: z.int().min(1).default(3),
      since: z.iso.date().transform((text) => new Date(text)).optional(),
      even: z.number().refine((number) => number % 2 === 0, 'not even').optional(),
    }),
    output: z.object({ path: z.string(), limit: z.number() }),
  },
  ({ path, limit, since }) => ({ path: since === undefined ? path : `${path} ${since.getUTCFullYear()}`, limit }),
);
tool({ name: 'slow', input: z.object({ path: z.string().refine(async (path) => path !== 'b', 'is taken') }) }, ({ path }) => path);
tool(
  { name: 'valibot', input: toStandardJsonSchema(v.object({ path: v.string(), limit: v.optional(v.pipe(v.number(), v.integer()), 3) })) },
  (args) => args,
);
tool({ name: 'arktype', input: type({ path: 'string', 'limit?': 'number.integer > 0' }) }, (args) => args);
// The pattern of JavaScript is none that the core's checker knows.
tool({ name: 'foreign', input: z.object({ path: z.string().regex(/^(?!\p{RGI_Emoji})[a-z]+$/v) }) }, ({ path }) => path);

await main();
