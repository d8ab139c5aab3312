// Compiled, never run: what an author writes must type-check, and what would fail must not.
import * as tw from 'toolwire';
import { type } from 'arktype';
import * as v from 'valibot';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import * as z from 'zod';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function same<A, B>(_: Same<A, B>): void {}

// The arguments are typed by the schema: of zod, with what it makes of them.
const rename = tw.tool(
  {
    name: 'rename',
    title: 'Rename',
    description: 'Rename a file.',
    input: z.object({ path: z.string(), to: z.string(), times: z.number().default(1), since: z.string().transform((text) => new Date(text)).optional() }),
    destructive: true,
    formatArguments: ({ path, to }) => `${path} → ${to}`,
  },
  async (args, ctx) => {
    same<typeof args, { path: string; to: string; times: number; since?: Date | undefined }>(true);
    if (!ctx.answer('confirm', tw.boolean(`Rename ${args.path}?`, { default: true }))) return 'Left as it was.';
    ctx.emit(tw.text('Renaming.'), 'Still renaming.');
    const root: string | undefined = ctx.root;
    return tw.envelope([tw.text(root ?? '')]);
  },
);
const answer: tw.Envelope = await rename.call({ path: 'a', to: 'b' }, { answers: { confirm: true }, states: { other: 'declined' }, root: '/project' });
// @ts-expect-error an argument is missing
await rename.call({ path: 'a' });
// @ts-expect-error an answer that was accepted has a value
await rename.call({ path: 'a', to: 'b' }, { states: { confirm: 'accepted' } });

// Of arktype and valibot.
tw.tool({ name: 'ark', input: type({ path: 'string', 'limit?': 'number' }) }, (args) => {
  same<typeof args, { path: string; limit?: number }>(true);
});
tw.tool({ name: 'valibot', input: toStandardJsonSchema(v.object({ path: v.string(), limit: v.optional(v.number(), 3) })) }, (args) => {
  same<typeof args, { path: string; limit: number }>(true);
});

// Of a JSON Schema that stands there, without a library and without `as const`.
tw.tool(
  {
    name: 'plain',
    input: {
      type: 'object',
      properties: {
        path: { type: 'string' },
        mode: { enum: ['fast', 'safe'] },
        limit: { type: ['integer', 'null'] },
        tags: { type: 'array', items: { type: 'string' } },
        author: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      },
      required: ['path', 'mode'],
    },
  },
  (args) => {
    const path: string = args.path;
    same<typeof args.mode, 'fast' | 'safe'>(true);
    same<typeof args.limit, number | null | undefined>(true);
    same<typeof args.tags, string[] | undefined>(true);
    const name: string | undefined = args.author?.name;
    // @ts-expect-error there is no such argument
    args.pth;
    return [tw.text(path), name ?? ''];
  },
);
// Of one that comes from elsewhere nothing is known; the author says it.
const loaded: tw.JsonSchema = JSON.parse('{}');
tw.tool({ name: 'loaded', input: loaded }, ({ path }: { path: string }) => path);

// Without an input there are no arguments.
tw.tool({ name: 'now' }, (args) => {
  // @ts-expect-error there is none
  const at: string = args.at;
  return { at, nested: [1, null, true] };
});

// With an output the returned value is checked; a whole envelope is one's own matter.
const Count = z.object({ lines: z.number() });
tw.tool({ name: 'count', output: Count }, () => ({ lines: 3 }));
tw.tool({ name: 'count', output: Count }, async () => tw.envelope([], { structuredContent: { lines: 3 } }));
tw.tool({ name: 'names', output: { type: 'array', items: { type: 'string' } } }, () => ['a', 'b']);
// @ts-expect-error that is no count
tw.tool({ name: 'count', output: Count }, () => ({ lines: 'three' }));
// @ts-expect-error there is no such hint
tw.tool({ name: 'hint', readonly: true }, () => 'a');
// @ts-expect-error a tool has a function
tw.tool({ name: 'nothing' });

// Answers have the types of what is asked.
tw.tool({ name: 'ask' }, (_, ctx) => {
  same<boolean, ReturnType<typeof yes>>(true);
  function yes() {
    return ctx.answer('yes', tw.boolean('Sure?'));
  }
  const branch: 'main' | 'develop' = ctx.answer('branch', tw.select('Which?', ['main', { value: 'develop', label: 'Develop' }], { default: 'main' }));
  const some: ('a' | 'b')[] = ctx.answer('some', tw.multiSelect('Which?', ['a', 'b'], { minItems: 1, default: ['a'] }));
  const count: number = ctx.answer('count', tw.integer('How many?', { minimum: 1 }));
  const ratio: number | null = ctx.answer('ratio', tw.number('How much?'), { otherwise: null });
  const name: string = ctx.answer('name', tw.string('Name?', { maxLength: 10 }));
  const author = ctx.answer('author', tw.form('Who?', z.object({ name: z.string(), age: z.number().default(1) })));
  same<typeof author, { name: string; age?: number | undefined }>(true);
  const told = ctx.ask('notify', tw.boolean('Notify?'));
  if (told.accepted) same<typeof told.value, boolean>(true);
  else same<typeof told.state, 'opened' | 'declined' | 'cancelled' | 'unavailable'>(true);
  const signedIn: boolean = ctx.answer('login', tw.page('Sign in', 'https://example.org/'));
  if (!signedIn) ctx.ask('login', tw.page('Sign in', 'https://example.org/'), { again: true });
  const both = ctx.answers({ name: tw.string('Name?'), sure: tw.boolean('Sure?') });
  same<typeof both.name, string>(true);
  same<typeof both.sure, boolean>(true);
  // @ts-expect-error the default is one of the choices
  tw.select('Which?', ['a', 'b'], { default: 'c' });
  // @ts-expect-error that is not how many
  tw.integer('How many?', { default: 'three' });
  return String([branch, some, count, ratio, name, both]);
});

tw.progress(1, 2, 'half');
tw.log('warning', 'hm', { logger: 'db' });
// @ts-expect-error that is no level
tw.log('warn', 'hm');

const stopped = (error: unknown): boolean => error instanceof tw.Stop;
// @ts-expect-error it is thrown by a context alone
new tw.Stop();
// @ts-expect-error that is no tool
const never: never = await tw.main('rename');

const refused: tw.ToolError = new tw.ToolError('busy', { transient: true, cause: new Error('locked') });
const passes: boolean | undefined = refused.transient;
// @ts-expect-error it is a yes or a no
new tw.ToolError('busy', { transient: 'yes' });

export { answer, stopped, never, passes };

// A tool that keeps running.
const watch = tw.tool({ name: 'watch', input: z.object({ path: z.string() }), actions: ['apply', 'abort'], warm: false }, async ({ path }, session) => {
  same<typeof session, tw.Session>(true);
  await session.emit(path, tw.text('begun'));
  for await (const input of session.inputs) await session.emit(`${input} ${session.root}`);
  const answer = await session.ask('name', tw.string('As whom?'), { person: true });
  const name: string | undefined = answer.accepted ? answer.value : undefined;
  const sure: boolean | 'no' = await session.answer('sure', tw.boolean('Sure?'), { otherwise: 'no' as const });
  const { one }: { one: number } = await session.answers({ one: tw.integer('How many?') });
  await session.sleep(1000);
  await fetch('https://example.org/', { signal: session.ending });
  if ((await session.receive({ timeout: 1000 })) === undefined) return `${name} ${sure} ${one} ${session.trace.traceparent}`;
  const reason: unknown = session.ending.reason;
  return reason instanceof tw.SessionEnded ? reason.reason : '';
});
await watch.call({ path: 'a' }, { inputs: ['y', { key: 'ctrl-c' }] });
tw.tool({ name: 'counts', session: true }, async function* (_, session) {
  yield `${session.isLive}`;
});
// @ts-expect-error there is no such action
tw.tool({ name: 'walks', actions: ['walk'] }, async (_, session) => session.emit('a'));
// @ts-expect-error a tool that runs once waits for nothing
tw.tool({ name: 'once' }, async (_, context) => context.sleep(1));
tw.tool({ name: 'traced', warm: false }, (_, context) => `${context.trace.traceparent} ${context.signal.aborted}`);
