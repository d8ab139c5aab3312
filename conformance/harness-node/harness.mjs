// The conformance harness for Node: the package `toolwire`, as it is installed, behind the protocol
// of spec/08-conformance.md. `node harness.mjs` from a folder where the package is found.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
// The package is looked up from the current folder, so that the installed one is tested.
const require = createRequire(join(process.cwd(), 'harness.cjs'));
const toolwire = require('toolwire');
// A turn and a tidy schema have no functions of their own in Node: `tool` and `main` are made of these.
const scope = join(dirname(require.resolve('toolwire')), '..', '@toolwire');
const native = require(join(scope, readdirSync(scope)[0]));
// Integers past 2^53 on the line of the protocol (CONF-12).
const isBig = (digits) => /^-?[1-9]\d*$/.test(digits) && !Number.isSafeInteger(Number(digits));
const revive = (name, value) => (isBig(value?.integer) && Object.keys(value).length === 1 ? BigInt(value.integer) : value);
const replace = (name, value) => (typeof value === 'bigint' ? { integer: String(value) } : value);
// The text of a JSON value as the package writes it.
const valueOf = (text) => toolwire.Envelope.fromJson(`{"content":[],"structuredContent":${text}}`).structuredContent;
const textOf = (value) => toolwire.envelope([], { structuredContent: value }).structuredContentText;
const sorted = (value) => (Array.isArray(value) ? value.map(sorted)
  : value?.constructor !== Object ? value
  : Object.fromEntries(Object.keys(value).sort().map((name) => [name, sorted(value[name])])));
const from64 = (text) => (text == null ? text : Buffer.from(text, 'base64'));
const tools = fileURLToPath(new URL('../tools/parity.mjs', import.meta.url));
const FIELDS = ['index', 'type', 'text', 'uri', 'name', 'title', 'description', 'mimeType', 'formatted', 'size', 'audience', 'priority', 'lastModified'];
const blockOf = (block) => ({
  ...Object.fromEntries(FIELDS.map((name) => [name, block[name]])),
  bytes: block.bytes?.toString('base64'),
  question: block.question && { id: block.question.id, text: block.question.text, schema: block.question.schemaText, default: block.question.defaultText, url: block.question.url },
});

const withoutReasons = (made) => ({ ...made, report: made.report && fates(made.report), reports: made.reports?.map(fates) });

const readingOf = (parsed) => ({
  verdict: parsed.verdict, isError: parsed.isError, status: parsed.status, transient: parsed.transient, trace: parsed.trace,
  structuredContent: parsed.envelope.structuredContentText, document: parsed.envelope.document,
  rawSha256: parsed.isRaw ? createHash('sha256').update(parsed.raw).digest('hex') : undefined,
  blocks: parsed.envelope.blocks.map(blockOf),
  diagnostics: diagnosticsOf(parsed.diagnostics),
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

const diagnosticsOf = (diagnostics) => diagnostics.map(({ code, severity, pointer, offset, raw }) => ({ code, severity, pointer, offset, raw }));

// JavaScript has names that are numbers first.
const answersOf = (answers) => Object.entries(answers)
  .map(([id, { state, source, value }]) => ({ id, state, source, value }))
  .sort((a, b) => Buffer.compare(Buffer.from(a.id), Buffer.from(b.id)));

function exchange(input, { outputs = [], replies = {}, ...options }) {
  const exchange = new toolwire.wire.Exchange(input, options);
  const [calls, asked] = [[], []];
  for (let next = exchange.step(); next.step !== 'done'; next = exchange.step()) {
    if (next.step === 'call') {
      if (calls.length === outputs.length) break;
      exchange.handleResult(outputs[calls.push(next.document) - 1], { limits: options.limits });
      continue;
    }
    const { id, prompt, default: suggested, context, shown, mismatches, round, secret = null, warning = null } = next.asking;
    const reply = replies[id]?.[asked.filter((earlier) => earlier.id === id).length];
    if (reply === undefined) break;
    asked.push({
      id, prompt: prompt.kind, default: suggested === undefined ? null : textOf(suggested),
      context: context.length, shown, mismatches: mismatches.map(({ pointer }) => pointer), round, secret, warning,
    });
    const { state, source, value } = reply;
    exchange.handleAnswer(id, new toolwire.Answer(value, { state, source }));
  }
  const { parsed, answers, rounds, end, diagnostics } = exchange.finish();
  return {
    calls, asked, rounds, end, answers: answersOf(answers), diagnostics: diagnosticsOf(diagnostics),
    verdict: parsed.verdict, document: parsed.envelope.document,
  };
}

/** What comes of each event, without the wording of refusals. */
function session(input, { id = 'staging', events = [], limits, ...options }) {
  const machine = new toolwire.wire.SessionMachine(id, options);
  const outcomes = events.map((event) => machine.handle(event));
  for (const { refusal } of outcomes) {
    if (refusal === undefined) continue;
    delete refusal.message;
    for (const mismatch of refusal.mismatches ?? []) delete mismatch.message;
  }
  return { outcomes, question: machine.question?.id };
}

function author(input, { names, steps = [], finish = { kind: 'nothing', value: null }, fail, tools, problems }) {
  const turn = new native.Turn(input, JSON.stringify(names));
  const done = (text, asked) => ({ text, exit: toolwire.Envelope.fromJson(text).isError ? 1 : 0, asked });
  if (turn.refused() !== null) return done(turn.refused());
  const ask = ({ kind, args }) => native.askFromArgs(kind, textOf(args));
  const asked = [];
  for (const step of steps) {
    if (step.emit) turn.emit(textOf(step.emit));
    else if (step.ask) asked.push(valueOf(turn.ask(step.ask.id, ask(step.ask)) ?? 'null'));
    else if (step.ask_again) asked.push(valueOf(turn.askAgain(step.ask_again.id, ask(step.ask_again)) ?? 'null'));
    else turn.require(step.require.id, ask(step.require));
  }
  if (fail) return done(turn.fail(JSON.stringify(fail)), asked);
  if (tools) return done(turn.describe(textOf(tools), problems), asked);
  return done(turn.finish(finish.kind, textOf(finish.value ?? null)), asked);
}

// The value that a function of the core returns.
const called = (name, ...args) => valueOf(native.call(name, args, '{}').json())[1];

function tidySchema(input, { role, closed }) {
  const given = closed ? textOf(called('close_schema', input.toString())) : input.toString();
  if (role !== 'output') return { text: textOf(called(role === 'input' ? 'tidy_input' : 'tidy_schema', given)) };
  const [, [[, [, schema]], [, [, wrapped]]]] = valueOf(native.call('tidy_output', [given], '{}').json());
  return { text: textOf(schema), wrapped };
}

const ops = {
  parse: (input, options) => readingOf(toolwire.parse(input, options)),
  receive: (stdout, { limits, stderr, result, ...exit }) => readingOf(
    toolwire.receive({ stdout, stderr: from64(stderr), result: from64(result), ...exit }, { limits })),
  validate: (input, options) => toolwire.validate(input, options) ?? {},
  canonicalize: (input, options) => ({ text: toolwire.canonicalize(input, options).toString() }),
  digest: (input, options) => ({ digest: toolwire.digest(input, options) }),
  format: (input, options) => ({ text: toolwire.format(input, options) }),
  identify: (input, options) => ({ identities: toolwire.identify(input, options) }),
  normalize_uri: (input, options) => ({ uri: toolwire.normalizeUri(input.toString(), options) }),
  read_envelope: (input) => ({ text: toolwire.canonicalize(toolwire.Envelope.fromJson(input)).toString() }),
  summarize: (input, options) => toolwire.summarize(input, options),
  build: (input, { calls }) => ({ text: String(build(calls)) }),
  read_call: (input, options) => {
    const { text, metaText, ...call } = toolwire.wire.readCall(input, options);
    return { ...call, answers: answersOf(call.answers), text, meta: metaText };
  },
  describe: (input, options) => {
    const tools = toolwire.wire.readDescription(input, options);
    return tools ? { tools, text: String(toolwire.wire.describe(tools)) } : {};
  },
  find_secret: (input, { context }) => toolwire.questions.findSecret(input, context) ?? {},
  prompt: (input) => toolwire.questions.prompt(input),
  read_template: (input) => ({ value: toolwire.questions.readTemplate(input).valueText }),
  refusal: (input, options) => ({ text: String(toolwire.questions.refusal(options)) }),
  to_elicitation: (input, options) => toolwire.elicitation.toElicitation(input, options),
  to_input_required: (input, options) => toolwire.elicitation.toInputRequired(JSON.parse(input), options),
  answer_from_elicit_result: (input, { question, ...options }) => {
    const { state, source, value } = toolwire.elicitation.answerFromElicitResult(question, input, options);
    return { state, source, value };
  },
  from_elicitation: (input, options) => {
    const { question: { id, text, schema, default: suggested, url }, report } = toolwire.elicitation.fromElicitation(input, options);
    return { question: { id, text, schema, default: suggested, url }, report };
  },
  answer_to_elicit_result: (input, { answer: { value, ...who }, ...options }) => ({
    result: toolwire.elicitation.answerToElicitResult(input, new toolwire.Answer(value, who), options),
  }),
  without_elicitation: (input, options) => {
    const { envelope, hasWay } = toolwire.elicitation.withoutElicitation(JSON.parse(input), options);
    return { text: envelope.blocks[0].text, isError: envelope.isError, hasWay };
  },
  can_elicit: (input, { elicitation, ...options }) => ({ can: toolwire.elicitation.canElicit(input, elicitation, options) }),
  required_capabilities: (input) => ({ required: toolwire.elicitation.requiredCapabilities(JSON.parse(input)) }),
  parse_arguments: (input, { words }) => ({ text: textOf(toolwire.wire.parseArguments(words, input)) }),
  check_answer: (input, { answer }) => {
    const found = toolwire.schema.checkAnswer(input, answer === undefined ? null : toolwire.questions.readTemplate(answer).value);
    return { mismatches: answer === undefined ? [] : found.map(({ pointer }) => ({ pointer })), diagnostics: diagnosticsOf(toolwire.schema.checkQuestion(input)) };
  },
  exchange,
  session,
  author,
  ask: (input, { kind }) => ({ text: native.askFromArgs(kind, input.toString()) }),
  tidy_schema: tidySchema,
  find_marker: (input) => ({ marker: toolwire.wire.findMarker(input) ?? null }),
  read_line: (input, { from }) => ({ text: toolwire.wire.readLine(input, from) ?? null }),
  terminal_input: (input, options) => toolwire.wire.terminalInput(JSON.parse(input), options),
  lint_schema: (input, { provider }) => ({ diagnostics: diagnosticsOf(toolwire.schema.lintSchema(input.toString(), { provider })) }),
  read_command: (input, { tool }) => ({ text: textOf(sorted(toolwire.wire.readCommand(input.toString(), tool))) }),
  action_schema: (input, { style }) => ({ schema: toolwire.wire.actionSchema(input.toString(), { style }) }),
  project_schema: (input, { answer, provider, given }) => {
    const options = { answer, provider };
    const value = given === undefined ? undefined : textOf(toolwire.schema.unwrapValue(input, given, options));
    return { ...toolwire.schema.projectSchema(input, options), value };
  },
  read_event: (input) => {
    const event = toolwire.wire.readEvent(input);
    if (event === undefined) return {};
    const { text, ...members } = event;
    return { text: toolwire.canonicalize(JSON.stringify({ message: text, ...members })).toString() };
  },
  to_message: (input, { call, provider, ...options }) => withoutReasons(toolwire.providers.toMessage(input, call, provider, options)),
  to_turn: (input, { provider, ...options }) => {
    const { calls, results } = JSON.parse(input);
    return withoutReasons(toolwire.providers.toTurn(calls, results, provider, options));
  },
  to_tools: (input, { provider, ...options }) => withoutReasons(toolwire.providers.toTools(input.toString(), provider, options)),
  from_call: (input, { provider, ...options }) => {
    const { refusal, ...made } = withoutReasons(toolwire.providers.fromCall(input.toString(), provider, options));
    return { ...made, refusal: refusal !== null };
  },
  to_result: (input, options) => {
    const { text, report } = toolwire.mcp.toResult(input, options);
    return { text, report: fates(report) };
  },
  from_result: (input, options) => {
    const { parsed, report } = toolwire.mcp.fromResult(input, options);
    return { verdict: parsed.verdict, document: parsed.envelope.document, report: fates(report) };
  },
  to_tool: (input, options) => {
    const { tool, wrapped, report } = toolwire.mcp.toTool(input, options);
    return { text: textOf(tool), wrapped, report: fates(report) };
  },
  from_tool: (input) => {
    const { tool, name, wrapped, report } = toolwire.mcp.fromTool(input);
    return { text: textOf(tool), name, wrapped, report: fates(report) };
  },
  call_to_meta: (input) => {
    const meta = toolwire.mcp.callToMeta(input);
    return { text: meta && textOf(meta) };
  },
  call_from_meta: (input, { name, arguments: given }) => ({ text: toolwire.mcp.callFromMeta(name, given, input.length ? input : null).text }),
  fingerprint: (input, { launch, maxSchemas }) => toolwire.contract.fingerprint(input, { launch, maxSchemas }),
  project_tool: (input, { launch, maxSchemas }) => toolwire.contract.projectTool(input, { launch, maxSchemas }),
  jn_hash: (input) => ({ hash: toolwire.contract.jnHash(input) }),
  diff_tools: (input, { open, budget }) => {
    const { old: older, new: newer } = memberTexts(input.toString());
    return differencesOf(toolwire.contract.diffTools(older, newer, { open, budget }));
  },
  parse_launch_uri: (input) => toolwire.contract.parseLaunchUri(input.toString()),
  format_launch_uri: (input) => ({ uri: toolwire.contract.formatLaunchUri(input) }),
  parse_profile_word: (input) => toolwire.contract.parseProfileWord(input.toString()),
  format_profile_word: (input) => ({ text: toolwire.contract.formatProfileWord(input) }),
  find_hidden: (input) => ({ findings: toolwire.contract.findHidden(input.toString()), text: toolwire.contract.showHidden(input.toString()) }),
  read_lock: (input, { update }) => ({
    text: update === undefined ? toolwire.contract.writeLock(input) : toolwire.contract.updateLock(input, update.name, update.now),
    diagnostics: toolwire.contract.readLock(input).diagnostics,
  }),
  check_lock: (input, { now, offline }) => ({ report: checkedOf(toolwire.contract.checkLock(input, now, { offline })) }),
  read_profile: (input, { files }) => {
    const { text, launcherText, schemaValidation, tools, testedWith } = files ? toolwire.contract.readProfileFiles(input) : toolwire.contract.readProfile(input);
    return {
      text, launcher: launcherText, schemaValidation, tools: tools.map(({ name, tool, inputSchemaText }) => ({ name, tool, inputSchema: inputSchemaText })),
      testedWith: Object.fromEntries(Object.entries(testedWith).map(([name, trials]) => [name, trials.length])),
    };
  },
  write_profile: (input, { before }) => ({ files: toolwire.contract.writeProfile(input, before) }),
  compare_profile: (input, { tools }) => ({ changed: toolwire.contract.compareProfile(input, tools).map(({ tool, what }) => ({ tool, what })) }),
  read_legacy: (input, options) => legacyOf(toolwire.legacy.readLegacy(input, options)),
  unwrap_outcome: (input, options) => legacyOf(toolwire.legacy.unwrapOutcome(input, options)),
  tool: (input) => {
    const ran = spawnSync(process.execPath, [tools], { input, env: { ...process.env, TOOLWIRE_CALL: 'stdin' }, stdio: ['pipe', 'pipe', 'inherit'] });
    return { text: ran.stdout.toString().replace(/\n$/, ''), exit: ran.status };
  },
};

// The texts of an object's members, with all digits of their numbers.
function memberTexts(text) {
  const found = {};
  let [depth, name, start] = [0];
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]/g)) {
    if ('}]'.includes(token)) depth -= 1;
    if ('{['.includes(token)) depth += 1;
    if (start !== undefined && (depth === 0 || (depth === 1 && token === ','))) {
      found[name] = text.slice(start, index);
      start = undefined;
    } else if (depth === 1 && start === undefined) {
      if (token === ':') start = index + 1;
      else if (token.startsWith('"')) name = JSON.parse(token);
    }
  }
  return found;
}

// Without what is not contract: wording, and which witness was found.
function differencesOf({ verdict, changes }) {
  return {
    verdict,
    changes: changes.map(({ message, advice, witness, ...change }) => ({ ...change, witness: witness && Object.keys(witness)[0] })),
  };
}

// Without the wording of changes.
function checkedOf(report) {
  for (const source of report.sources) {
    for (const told of source.tools) told.changes = told.changes.map(({ tool, place, what, verdict }) => ({ tool, place, what, verdict }));
  }
  return report;
}

function fates(report) {
  return report.map(({ pointer, fate }) => ({ pointer, fate }));
}

function legacyOf(legacy) {
  if (legacy === undefined) return {};
  return { format: legacy.format, document: String(legacy.parsed.envelope), report: fates(legacy.report) };
}

function brief(name, given) {
  const value = replace(name, given);
  if (Array.isArray(value) && value.length > 1000) return { items: value.length };
  if (typeof value !== 'string' || Buffer.byteLength(value) <= 4096) return value;
  return { sha256: createHash('sha256').update(value).digest('hex'), bytes: Buffer.byteLength(value) };
}

// The host is that of Rust, whose harness runs the scripts.
const lacks = ['host_run', 'host_list', 'host_lines', 'host_session'];
const implementation = { name: 'toolwire', language: 'node', version: require('toolwire/package.json').version };

function answer({ cmd, op, input, options }) {
  if (cmd === 'start') return { protocol: 1, implementation, ops: Object.keys(ops), lacks, program: [process.execPath, tools] };
  try {
    return { result: ops[op](from64(input), options) };
  } catch (error) {
    if (error instanceof toolwire.ToolwireError) return { error: { code: error.code, pointer: error.pointer, offset: error.offset ?? null } };
    if (error.message.startsWith('{"error":')) {
      const { code, pointer, offset } = JSON.parse(error.message).error;
      return { error: { code, pointer, offset: offset ?? null } };
    }
    return { errored: String(error?.stack ?? error) };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line, revive);
  if (request.cmd === 'stop') break;
  process.stdout.write(`${JSON.stringify({ seq: request.seq, ...answer(request) }, brief)}\n`);
}
