// The conformance harness for Node: the package `toolwire`, as it is installed, behind the protocol
// of spec/08-conformance.md. `node harness.mjs` from a folder where the package is found.
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
// The package is looked up from the current folder, so that the installed one is tested.
const require = createRequire(join(process.cwd(), 'harness.cjs'));
const toolwire = require('toolwire');
const from64 = (text) => (text == null ? text : Buffer.from(text, 'base64'));
const FIELDS = ['index', 'type', 'text', 'uri', 'name', 'title', 'description', 'mimeType', 'formatted', 'size', 'audience', 'priority', 'lastModified'];
const blockOf = (block) => ({
  ...Object.fromEntries(FIELDS.map((name) => [name, block[name]])),
  bytes: block.bytes?.toString('base64'),
  question: block.question && { id: block.question.id, text: block.question.text, schema: block.question.schemaText, default: block.question.defaultText },
});

const readingOf = (parsed) => ({
  verdict: parsed.verdict, isError: parsed.isError, status: parsed.status, transient: parsed.transient, trace: parsed.trace,
  structuredContent: parsed.envelope.structuredContentText, document: parsed.envelope.document,
  rawSha256: parsed.isRaw ? createHash('sha256').update(parsed.raw).digest('hex') : undefined,
  blocks: parsed.envelope.blocks.map(blockOf),
  diagnostics: parsed.diagnostics.map(({ code, severity, pointer, offset, raw }) => ({ code, severity, pointer, offset, raw })),
});

const make = {
  text: ({ text, ...options }) => toolwire.text(text, options),
  resource: ({ uri, blob, ...options }) => toolwire.resource(uri, { ...options, blob: from64(blob) }),
  resource_from_bytes: ({ path, bytes, ...options }) => toolwire.resourceFromBytes(path, from64(bytes), options),
  image: ({ data, mimeType, ...options }) => toolwire.image(from64(data), mimeType, options),
  audio: ({ data, mimeType, ...options }) => toolwire.audio(from64(data), mimeType, options),
  resource_link: ({ uri, name, ...options }) => toolwire.resourceLink(uri, name, options),
  question: ({ id, text, schema, ...options }) => toolwire.question(id, text, schema, options),
};

function build(calls) {
  const { fn, args = {} } = calls.at(-1);
  if (fn === 'error') return toolwire.error(args.message, { transient: args.transient, trace: args.trace, meta: args.meta });
  return toolwire.envelope(calls.slice(0, -1).map((call) => make[call.fn](call.args)), args);
}

const ops = {
  parse: (input, options) => readingOf(toolwire.parse(input, options)),
  receive: (stdout, { limits, stderr, result, ...exit }) => readingOf(
    toolwire.receive({ stdout, stderr: from64(stderr), result: from64(result), ...exit }, { limits })),
  validate: (input, options) => toolwire.validate(input, options) ?? {},
  canonicalize: (input, options) => ({ text: toolwire.canonicalize(input, options).toString() }),
  digest: (input, options) => ({ digest: toolwire.digest(input, options) }),
  format: (input, options) => ({ text: toolwire.format(input, options) }),
  explain: (input, options) => ({ text: toolwire.explain(input, options) }),
  identify: (input, options) => ({ identities: toolwire.identify(input, options) }),
  normalize_uri: (input, options) => ({ uri: toolwire.normalizeUri(input.toString(), options) }),
  read_envelope: (input) => ({ text: toolwire.canonicalize(toolwire.Envelope.fromJson(input)).toString() }),
  summarize: (input, options) => toolwire.summarize(input, options),
  build: (input, { calls }) => ({ text: String(build(calls)) }),
  read_call: (input, options) => {
    const { text, metaText, ...call } = toolwire.readCall(input, options);
    const answers = Object.entries(call.answers).map(([id, { state, source, value }]) => ({ id, state, source, value }));
    // JavaScript has names that are numbers first.
    return { ...call, answers: answers.sort((a, b) => Buffer.compare(Buffer.from(a.id), Buffer.from(b.id))), text, meta: metaText };
  },
  describe: (input, options) => {
    const tools = toolwire.readDescription(input, options);
    return tools ? { tools, text: String(toolwire.describe(tools)) } : {};
  },
  find_secret: (input) => toolwire.findSecret(input) ?? {},
  prompt: (input) => toolwire.prompt(input),
  read_template: (input) => ({ value: toolwire.readTemplate(input)?.text }),
  refusal: (input, options) => ({ text: String(toolwire.refusal(options)) }),
  parse_arguments: (input, { words }) => ({ text: toolwire.canonicalize(JSON.stringify(toolwire.parseArguments(words, input))).toString() }),
};

function brief(name, value) {
  if (Array.isArray(value) && value.length > 1000) return { items: value.length };
  if (typeof value !== 'string' || Buffer.byteLength(value) <= 4096) return value;
  return { sha256: createHash('sha256').update(value).digest('hex'), bytes: Buffer.byteLength(value) };
}

// What the package has no functions for.
const lacks = ['check_answer', 'exchange', 'author', 'ask', 'tidy_schema'];
const implementation = { name: 'toolwire', language: 'node', version: require('toolwire/package.json').version };

function answer({ cmd, op, input, options }) {
  if (cmd === 'start') return { protocol: 1, implementation, ops: Object.keys(ops), lacks };
  try {
    return { result: ops[op](from64(input), options) };
  } catch (error) {
    if (error instanceof toolwire.ToolwireError) return { error: { code: error.code, pointer: error.pointer, offset: error.offset ?? null } };
    return { errored: String(error?.stack ?? error) };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  if (request.cmd === 'stop') break;
  process.stdout.write(`${JSON.stringify({ seq: request.seq, ...answer(request) }, brief)}\n`);
}
