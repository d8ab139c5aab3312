// Compiled, never run: what a user writes must type-check, and what would fail must not.
import * as toolwire from 'toolwire';
import { result } from 'toolwire/mcp-sdk';
import type { BlockDocument, Diagnostic, EnvelopeDocument, Identity, Json, Summary } from 'toolwire';

const parsed: toolwire.Parsed = toolwire.parse(Buffer.from('{}'), { limits: { maxDepth: 8 } });
const verdict: 'valid' | 'warnings' | 'raw' = parsed.verdict;
const raw: Buffer = parsed.raw;
const findings: readonly Diagnostic[] = parsed.diagnostics;
const offset: number | undefined = findings[0]?.offset;
for (const skipped of [...parsed.skipped, ...parsed.envelope.skipped]) console.log(skipped.index, skipped.json.length);

const { envelope } = parsed;
const data: Json | undefined = envelope.structuredContent;
const document: EnvelopeDocument = envelope.toJSON();
for (const block of envelope.content) {
  // The shapes are told apart by their type.
  if (block.type === 'text') console.log(block.text.length);
  if (block.type === 'resource') console.log(block.resource.uri, block.formatted?.length);
  if (block.type === 'question') console.log(block.question.id);
  if (block.type === 'image') console.log(block.data, block.mimeType);
}
for (const block of envelope.blocks) console.log(block.bytes?.length ?? block.text, block.question?.schema);

const plain: BlockDocument = { type: 'text', text: 'hi', annotations: { audience: ['user'], priority: 1 } };
const answer: toolwire.Envelope = toolwire.envelope(
  [
    toolwire.text('hi'),
    toolwire.resource('file:///a', { text: 'x', mimeType: 'text/plain' }),
    toolwire.resource('file:///a', { blob: new Uint8Array(2) }),
    toolwire.question('id', 'Sure?', { type: 'boolean' }, { default: true }),
    plain,
  ],
  { structuredContent: { count: 10n, at: new Date() }, status: 'waiting' },
);
const printed: string = String(answer);
const uri: string = `${toolwire.fileUri('src/main.rs')}${toolwire.fileUri(new URL('file:///a')).length}`;
const identities: Identity[] = toolwire.identify(answer, { root: '/w', known: [{ uri: 'file:///a', digest: 'sha256:…' }] });
const summary: Summary = toolwire.summarize('…');
const often: number | undefined = summary.byCode.duplicate_name;
for (const line of toolwire.parseLines(raw)) console.log(line.number, line.parsed.verdict);
const received = toolwire.receive({ stdout: raw, exitCode: null, signal: 'SIGTERM', stderr: '' });
const shown: string = toolwire.format(received, { target: 'terminal', audience: 'user', maxBytes: 100 });

try {
  toolwire.validate('x');
} catch (error) {
  if (error instanceof toolwire.ToolwireError && error.code === 'duplicate_name') console.log(error.pointer, error.offset);
  console.log(String(toolwire.error(error, { transient: true })));
}

const call: toolwire.Call = toolwire.wire.readCall(raw, { carrier: 'meta', limits: { maxDepth: 8 } });
const confirmed: Json | undefined = call.answers.confirm?.value;
const described: toolwire.Envelope = toolwire.wire.describe([{ name: 'now', inputSchema: { type: 'object' } }]);
const tools: toolwire.ToolDocument[] | undefined = toolwire.wire.readDescription(described);
const given: { [name: string]: Json } = toolwire.wire.parseArguments(['a=1'], tools?.[0]?.inputSchema ?? '{}');
const asked = toolwire.questions.readQuestion({ id: 'go', text: 'Go on?', schema: { type: 'boolean' } });
const shownAs = toolwire.questions.prompt(asked);
if (shownAs.kind === 'select') for (const choice of shownAs.choices) console.log(choice.label, choice.value);
if (shownAs.kind === 'editor') console.log(shownAs.template, toolwire.questions.readTemplate(shownAs.template).valueText);
const reason: 'write_only' | 'format' | 'name' | 'wording' | undefined = toolwire.questions.findSecret('{}')?.reason;
console.log(toolwire.questions.refusal({ host: 'Ada', reason: 'cancelled' }), new toolwire.Answer(1, { source: 'user' }).accepted);

const ran: toolwire.RunResult = await toolwire.run(['./tool.mjs', '--fast'], {
  tool: 'rename',
  arguments: { path: 'a', count: 2n },
  signal: AbortSignal.timeout(1000),
  env: process.env,
  onStderr: (piece) => console.error(piece.toString()),
  onProgress: ({ done, total }) => console.error(done / (total ?? 1)),
  async onLog(message: toolwire.Message) {
    const level: toolwire.Level = message.level;
    console.error(level, message.text);
  },
  answerer: async (question) => (question.mismatches.length === 0 ? question.default : new toolwire.Answer(undefined, { state: 'declined' })),
});
const status: number | null = ran.exitCode;
if (ran.stopped === 'timeout' || ran.end === 'answer_required') console.log(ran.parsed.trace, ran.answers.confirm?.state, ran.elapsed);
const answerNothing: toolwire.Answerer = (question: toolwire.PendingQuestion) => console.log(question.text);
const listed: toolwire.ToolList = await toolwire.listTools(new URL('file:///a'), {
  cwd: '/',
  inherit: ['standard', 'GITHUB_TOKEN'],
  async onStderr(piece) {
    await Promise.resolve(piece);
  },
});
for (const held of listed.tools ?? []) console.log(held.name, held.inputSchema);
const exchange = new toolwire.wire.Exchange({ tool: { name: 'now' }, context: { action: 'run' } }, { host: 'Ada', maxRounds: 2, refusals: { '*': { service: 'Example' } } });
const next = exchange.step();
if (next.step === 'call') exchange.handleResult(next.document);
if (next.step === 'ask') for (const { pointer, message } of exchange.handleAnswer(next.asking.id, true)) console.log(pointer, message);
console.log(exchange.finish().rounds, toolwire.schema.checkValue({ type: 'string' }, 1).length, toolwire.schema.unwrapValue(true, toolwire.schema.projectSchema(true).schema));
toolwire.run('a').catch((error: unknown) => error instanceof toolwire.ToolwireError && error.code === 'tool_not_found');

const client: toolwire.Client = await toolwire.connect(new URL('https://example.org/mcp'), { headers: { Authorization: process.env.TOKEN }, timeout: 1000 });
const revision: toolwire.McpRevision = client.revision;
const ofServer: toolwire.RunResult = await client.call((await client.listTools())[0]?.name ?? revision, { a: 1n }, { answerer: answerNothing, onProgress() {} });
const serving: toolwire.Serving = await toolwire.serve({ tools: [toolwire.tool({ name: 'a' }, (_, ctx) => String(ctx.signal.aborted))], programs: [['a', 'b'], 'c'], http: { address: 0 } });
console.log(serving.url?.length, ofServer.end);
await serving.close();
// @ts-expect-error a server has no action
client.call('a', {}, { action: 'run' });
// @ts-expect-error headers are texts
toolwire.connect('a', { headers: { a: 1 } });
// @ts-expect-error that is no tool
toolwire.serve({ tools: ['a'] });

// Of SDKs there is nothing but shapes; conformance/mcp/types has the real ones.
console.log(result({ getClientCapabilities: () => undefined, getClientVersion: () => undefined, elicitInput: async () => ({}) }, { requestId: 1, signal: AbortSignal.timeout(1) }, answer).content);

toolwire.run(['a', 'b'].slice());
// @ts-expect-error there is no such option
toolwire.run('a', { onStdout: () => {} });
// @ts-expect-error nobody answers where only tools are listed
toolwire.listTools('a', { answerer: () => true });
// @ts-expect-error a body is needed
toolwire.resource('file:///a', {});
// @ts-expect-error only one body
toolwire.resource('file:///a', { text: '', blob: new Uint8Array() });
// @ts-expect-error several blocks go into one array
toolwire.envelope(toolwire.text('a'), toolwire.text('b'));
// @ts-expect-error there is no such style
toolwire.format(parsed, { style: 'html' });
// @ts-expect-error there is no such limit
toolwire.parse('', { limits: { maxDepht: 3 } });
// @ts-expect-error base64 is not bytes
toolwire.image('AAAA', 'image/png');
// @ts-expect-error views are made by the package
new toolwire.Envelope();
// @ts-expect-error who refuses has a name
toolwire.questions.refusal({});
// @ts-expect-error there is no such state
new toolwire.Answer(undefined, { state: 'maybe' });
// @ts-expect-error a diagnostic code is one of the registry's
if (findings[0]?.code === 'no_such_code') console.log();

export { answer, confirmed, data, document, given, identities, offset, often, printed, reason, shown, status, summary, uri, verdict };
