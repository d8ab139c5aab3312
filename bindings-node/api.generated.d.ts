// Generated from schema/api.json. Do not edit: run `cargo xtask codegen`.

import type { Answer, AskedQuestion, Call, Diagnostic, Envelope, Input, Json, JsonInput, Message, Parsed, Progress, QuestionInput } from './index.js';
import { Exchange as ExchangeClass, SessionMachine as SessionMachineClass } from './session.js';
import type * as types from './types.generated.js';

/** A JSON value, or its text. All digits of the numbers in a text count. */
export type Document = object | boolean | Input;

/** An output, or what was read of one. */
export type Readable = Input | Parsed | Envelope;

/**
 * What callers rely on: fingerprints, differences, lock files, launch URIs, profiles and hidden
 * text. Nothing here reads a file, opens a connection or starts a program.
 */
export declare namespace contract {

  /**
   * Computes the fingerprints of a tool as MCP lists it. Two tools with the same `contract` take the same
   * arguments and return the same results.
   *
   * Fails with `bad_tool` if it is no tool, and with `limit_schemas`.
   *
   * ```js
   * const tool = { name: 'find', inputSchema: { type: 'object', required: ['a', 'b'] } };
   * const same = { name: 'find', inputSchema: { required: ['b', 'a'], type: 'object' } };
   * console.log(contract.fingerprint(tool).contract === contract.fingerprint(same).contract); // true
   * ```
   */
  export function fingerprint(tool: Document, options?: {
    /** Facts about how its server is launched, which count as safety. */
    launch?: { [member: string]: Json } | null | undefined;
    /** Maximum number of schemas in one schema of the tool (default: 100,000). */
    maxSchemas?: number | null | undefined;
  }): types.Fingerprint;

  /**
   * Returns the three texts whose digests `fingerprint` computes, to see why two tools have different ones.
   */
  export function projectTool(tool: Document, options?: {
    /** Facts about how its server is launched, which count as safety. */
    launch?: { [member: string]: Json } | null | undefined;
    /** Maximum number of schemas in one schema of the tool (default: 100,000). */
    maxSchemas?: number | null | undefined;
  }): types.Fingerprint;

  /**
   * Computes the MD5 that JN keeps of a list of tools in its profiles: 32 hexadecimal digits. Use it for old
   * profiles only, and `fingerprint` for anything else.
   *
   * Fails with `no_jn_hash` if JN cannot compute it, as for a parameter without `type`.
   */
  export function jnHash(tools: Document): string;

  /**
   * Compares two versions of a tool, or of a list of tools. Returns the gravest `verdict` and the `changes`.
   *
   * Fails with `bad_argument` if one of them is neither a tool nor a list of tools.
   *
   * ```js
   * const old = { name: 'find', inputSchema: { type: 'object', properties: { q: { type: 'string' } } } };
   * const { verdict } = contract.diffTools(old, { name: 'find', inputSchema: { type: 'object', properties: {} } });
   * console.log(verdict); // breaking
   * ```
   */
  export function diffTools(old: Document, now: Document, options?: {
    /**
     * Take schemas as written, so that arguments which they do not declare are allowed (default:
     * false).
     */
    open?: boolean | null | undefined;
    /** Maximum number of steps for one pair of schemas (default: 200,000). */
    budget?: number | null | undefined;
  }): types.Diff;

  /**
   * Reads a launch URI: `mcp+` and a launcher, `://`, and what it starts. Nothing is started.
   *
   * Fails with `bad_launch_uri`.
   *
   * ```js
   * console.log(contract.parseLaunchUri('mcp+uvx://biomcp-python@1.2/biomcp?command=run').command);
   * // [ 'uvx', '--from', 'biomcp-python==1.2', 'biomcp', 'run' ]
   * ```
   */
  export function parseLaunchUri(uri: string): types.ReadLaunch;

  /**
   * Writes a launch, as `parseLaunchUri` returns it, as a launch URI in canonical form.
   */
  export function formatLaunchUri(launch: Document): string;

  /**
   * Reads a word that names a profile, such as `@biomcp/search?gene=BRAF`.
   */
  export function parseProfileWord(word: string): types.ReadProfileWord;

  /**
   * Writes a word, as `parseProfileWord` returns it, in canonical form.
   */
  export function formatProfileWord(word: Document): string;

  /**
   * Finds what a text hides from its reader: invisible characters, controls, letters of another script and the
   * like.
   */
  export function findHidden(text: string): types.Hidden[];

  /**
   * Returns the text with everything that `findHidden` finds made visible.
   */
  export function showHidden(text: string): string;

  /**
   * Reads the text of a lock file. The diagnostics are about members that are not known.
   *
   * Fails with `newer_lock` for a lock of a newer version, and with `bad_lock` for anything else that is no lock.
   */
  export function readLock(data: Document): types.ReadLock;

  /**
   * Writes a lock as the text of its file. The same lock always has the same text. If the lock is given as text,
   * all digits of its numbers are kept.
   */
  export function writeLock(lock: Document): string;

  /**
   * Replaces one source of a lock by what it is now, and returns the text of the lock file. `now` has any of
   * `launch`, `instructions` and `tools`; the tools are as MCP lists them.
   */
  export function updateLock(lock: Document, name: string, now: Document): string;

  /**
   * Compares a lock with what its sources are now. `now` has one member, `sources`, with what `updateLock` takes
   * for each source.
   *
   * ```js
   * const now = { tools: [{ name: 'now', inputSchema: { type: 'object' } }] };
   * const lock = contract.updateLock({ lockVersion: 1, sources: {} }, 'clock', now);
   * console.log(contract.checkLock(lock, { sources: { clock: now } }).verdict); // same
   * ```
   */
  export function checkLock(lock: Document, now: Document, options?: {
    /** Compare only how the sources are launched (default: false). */
    offline?: boolean | null | undefined;
    /**
     * Take schemas as written, so that arguments which they do not declare are allowed (default:
     * false).
     */
    open?: boolean | null | undefined;
    /** Maximum number of steps for one pair of schemas (default: 200,000). */
    budget?: number | null | undefined;
  }): types.LockReport;

  /**
   * Reads a profile that is one document, in any shape that JN knows, with its comments.
   *
   * Fails with `bad_profile`.
   */
  export function readProfile(profile: Document): types.Profile;

  /**
   * Reads a profile that is a folder: the texts of its files by their names.
   */
  export function readProfileFiles(files: Document): types.Profile;

  /**
   * Writes a profile as the files of a folder: their texts by their names. `profile` is one document. `before` is
   * what the folder holds now; what did not change is kept verbatim.
   */
  export function writeProfile(profile: Document, before?: Document | null): { [member: string]: string };

  /**
   * Compares the tools of a server, a list as MCP has it, with what a profile expects of them.
   */
  export function compareProfile(profile: Document, tools: Document, options?: {
    /** Facts about how its server is launched, which count as safety. */
    launch?: { [member: string]: Json } | null | undefined;
    /** Maximum number of schemas in one schema of the tool (default: 100,000). */
    maxSchemas?: number | null | undefined;
  }): types.Deviation[];

  /**
   * Converts a server from one form to another. Only the names of environment variables and headers are taken
   * over, not their values.
   *
   * ```js
   * const entry = { command: 'uvx', args: ['biomcp-python'] };
   * console.log(contract.convertServer(entry, 'mcpServers', 'launch-uri').text); // mcp+uvx://biomcp-python
   * ```
   */
  export function convertServer(server: Document, source: types.ServerForm, target: types.ServerForm, options?: {
    /** The name of the server. */
    name?: string | null | undefined;
    /** The folder that its relative paths are relative to. */
    folder?: string | null | undefined;
  }): types.ConvertedServer;
}

/** Results, tools and calls as MCP has them. */
export declare namespace mcp {

  /**
   * Returns an output as the result of an MCP tool that the clients of a revision accept. What MCP has no member
   * for goes to `_meta`, from where `fromResult` restores it.
   *
   * ```js
   * mcp.toResult('12:00', { revision: '2025-11-25' }).text; // '{"content":[{"text":"12:00","type":"text"}]}'
   * ```
   */
  export function toResult(data: Readable, options: {
    /** The revision that the client speaks. */
    revision: types.McpRevision;
    /** Repeat structured content without a text block as text (default: true). */
    mirror?: boolean | null | undefined;
    /** Whether `toTool` wrapped the output schema of the tool (default: false). */
    wrapped?: boolean | null | undefined;
    /** Limits for reading. */
    limits?: types.Limits | null | undefined;
  }): types.ToResult;

  /**
   * Returns the result of a tool of any MCP server as an envelope. What another Toolwire put into `_meta` is
   * restored, unless it would contradict the rest. What is not a result at all is read as text.
   *
   * ```js
   * mcp.fromResult({ content: [{ type: 'text', text: '12:00' }] }).parsed.envelope.blocks[0].text; // '12:00'
   * ```
   */
  export function fromResult(result: Document, options?: {
    /** Limits for reading an output that was not read before. */
    limits?: types.Limits | null | undefined;
  }): types.FromResult;

  /**
   * Returns a tool of a description as an element of MCP's list of tools.
   *
   * Fails with `bad_description` if it is not a tool.
   */
  export function toTool(tool: Document, options: {
    /** The revision that the client speaks. */
    revision: types.McpRevision;
  }): types.ToTool;

  /**
   * Returns a tool as any MCP server lists it as a tool of a description. Small mistakes of servers are corrected.
   *
   * Fails with `bad_description` at a mistake that cannot be corrected.
   *
   * ```js
   * mcp.fromTool({ name: 'get time', inputSchema: {} }).tool; // { inputSchema: { type: 'object' }, name: 'get_time' }
   * ```
   */
  export function fromTool(listed: Document): types.FromTool;

  /**
   * Returns what of a call travels in the `_meta` of an MCP request; undefined if the request itself has all of
   * it.
   */
  export function callToMeta(call: Call | Document): { [member: string]: Json } | undefined;

  /**
   * Returns the call that an MCP request makes. The name and the arguments are those of the request; answers,
   * options and context are from its `_meta`.
   *
   * Fails with `bad_call` or `unknown_action` if `meta` does not hold a call.
   *
   * ```js
   * mcp.callFromMeta('now', {}, { 'computer.jp/tool': { answers: { zone: 'UTC' } } }).answers.zone.value; // 'UTC'
   * ```
   */
  export function callFromMeta(name: string, args: JsonInput, meta?: Document | null): Call;
}

/** Questions and answers as the elicitation of MCP. */
export declare namespace elicitation {

  /**
   * Returns a question as the `params` of MCP's `elicitation/create`, with a report of what became of its members.
   * `answerFromElicitResult` reads what the client returns. A question that seems to ask for a secret gets a
   * warning, which names the client and lists the alternatives.
   *
   * Fails with `secret_question` if the question declares a secret, and with `cannot_elicit` if the revision has
   * no such request.
   *
   * ```js
   * const question = { id: 'n', text: 'How many?', schema: { type: 'integer' } };
   * elicitation.toElicitation(question, { revision: '2025-06-18' }).params.requestedSchema.required; // ['answer']
   * ```
   */
  export function toElicitation(question: QuestionInput, options: {
    /** The revision that the client speaks. */
    revision: types.McpRevision;
    /** The texts before the question, by which it may be suspected of asking for a secret. */
    context?: string[] | null | undefined;
    /** The name that the client gives itself. */
    client?: string | null | undefined;
    /** The id of a page that is to be opened, which 2025-11-25 needs. */
    elicitationId?: string | null | undefined;
    /** The tool that asks. */
    tool?: string | null | undefined;
    /** The service that the secret belongs to. */
    service?: string | null | undefined;
    /** How to sign in with OAuth: a page, a command or a tool. */
    oauth?: string | null | undefined;
    /** A page where the value can be entered, out of band. */
    url?: string | null | undefined;
    /** How to supply the value in advance. */
    upFront?: string | null | undefined;
    /** The page where app passwords are created. */
    appPasswords?: string | null | undefined;
  }): types.ToElicitation;

  /**
   * Returns the question that an MCP server asks with these `params` of `elicitation/create`. Its answer, which
   * `answerToElicitResult` sends back, is an object, unless the form is what a question of one value becomes.
   *
   * Fails with `bad_elicitation` if the params are malformed.
   */
  export function fromElicitation(params: Document, options: {
    /** The id of the question. */
    id: string;
  }): types.FromElicitation;

  /**
   * Returns the answer to a question that `toElicitation` asked, from what the client returned. The value has the
   * form of the question's schema, but `checkAnswer` has still to check it.
   *
   * Fails with `bad_elicitation` if the result is malformed.
   */
  export function answerFromElicitResult(question: QuestionInput, result: Document, options: {
    /** The revision that the client speaks. */
    revision: types.McpRevision;
  }): Answer;

  /**
   * Returns the answer to the `params` of `elicitation/create` as an MCP server gets it. Fields that were left out
   * get the server's defaults.
   */
  export function answerToElicitResult(params: Document, answer: Answer | JsonInput, options: {
    /** The revision that the client speaks. */
    revision: types.McpRevision;
  }): { [member: string]: Json };

  /**
   * Returns the result with which a server of 2026-07-28 asks its client: one request for each question, under its
   * id. The pointers of the report begin with the places of the questions.
   *
   * Fails as `toElicitation` does, and with `bad_argument` if two questions have the same id.
   */
  export function toInputRequired(questions: readonly QuestionInput[], options?: {
    /**
     * The `requestState` that the client returns. A server seals it, since a client can send
     * anything.
     */
    state?: string | null | undefined;
    /** The texts before the questions, by which they may be suspected of asking for secrets. */
    context?: string[] | null | undefined;
    /** The name that the client gives itself. */
    client?: string | null | undefined;
    /** The tool that asks. */
    tool?: string | null | undefined;
    /** The service that the secret belongs to. */
    service?: string | null | undefined;
    /** How to sign in with OAuth: a page, a command or a tool. */
    oauth?: string | null | undefined;
    /** A page where the value can be entered, out of band. */
    url?: string | null | undefined;
    /** How to supply the value in advance. */
    upFront?: string | null | undefined;
    /** The page where app passwords are created. */
    appPasswords?: string | null | undefined;
  }): types.ToInputRequired;

  /**
   * Returns the envelope for a client that cannot ask its user these questions.
   */
  export function withoutElicitation(questions: readonly QuestionInput[], options?: {
    /** The name that the client gives itself. */
    client?: string | null | undefined;
    /** The tool that asks. */
    tool?: string | null | undefined;
    /** What people can do instead, by the ids of the questions. */
    refusals?: { [member: string]: types.Alternatives } | null | undefined;
  }): types.WithoutElicitation;

  /**
   * Whether an MCP client can be asked a question. `elicitation` is the member of that name in the client's
   * capabilities, or undefined if it has none.
   */
  export function canElicit(question: QuestionInput, elicitation: JsonInput | null | undefined, options: {
    /** The revision that the client speaks. */
    revision: types.McpRevision;
  }): boolean;

  /**
   * Returns the capabilities that an MCP client needs to be asked these questions.
   */
  export function requiredCapabilities(questions: readonly QuestionInput[]): { [member: string]: Json };
}

/** The formats that came before envelopes. */
export declare namespace legacy {

  /**
   * Reads a document in a legacy format: `Outcome`, `ToolState`, or a result with `input_text`. Returns undefined
   * if it is in none of them.
   *
   * Fails with `bad_legacy` if it has the members of such a format but breaks its rules.
   *
   * ```js
   * legacy.readLegacy('{"type":"success","content":"done"}').parsed.envelope.blocks[0].text; // 'done'
   * ```
   */
  export function readLegacy(document: Input, options?: {
    /** Limits for reading an output that was not read before. */
    limits?: types.Limits | null | undefined;
  }): types.Legacy | undefined;

  /**
   * Returns the `Outcome` in the result of an MCP tool as an envelope, if the result is a single text block that
   * holds one, and not an error that the outcome denies. Otherwise returns undefined.
   */
  export function unwrapOutcome(result: Readable, options?: {
    /** Limits for reading an output that was not read before. */
    limits?: types.Limits | null | undefined;
  }): types.Legacy | undefined;
}

/** Questions: how they are presented, which are never asked, and what replaces an answer. */
export declare namespace questions {

  /**
   * Reads a question in the form that it has in a block.
   *
   * Fails with `bad_argument` if it is not a question.
   */
  export function readQuestion(question: QuestionInput): AskedQuestion;

  /**
   * Returns the first sign that a question asks for a secret; undefined if there is none. `context` holds the
   * texts before the question. No list of words stops a tool that lies.
   */
  export function findSecret(question: QuestionInput, context?: readonly string[] | null): types.Secret | undefined;

  /**
   * Returns how a question is presented to a person. The members depend on `kind`.
   *
   * Fails with `secret_question`, with a pointer into the question, if it declares a secret.
   *
   * ```js
   * questions.prompt({ id: 'go', text: 'Go on?', schema: { type: 'boolean' } }).kind; // 'boolean'
   * ```
   */
  export function prompt(question: QuestionInput): types.Prompt;

  /**
   * Returns the text that an editor starts with for a question without a simple prompt: the question in comments,
   * and an answer to fill in.
   */
  export function template(question: QuestionInput): string;

  /**
   * Reads the answer in an edited template: accepted, or cancelled if only comments are left.
   *
   * Fails with the code and the offset of the first mistake if the rest is not strict JSON.
   */
  export function readTemplate(edited: Input): Answer;

  /**
   * Returns the envelope for a question without an answer: why there is none, the alternatives, the best one
   * first, and what to be careful about.
   */
  export function refusal(options: {
    /** The name of the host or client, as people know it. */
    host: string;
    /** The tool that wanted an answer. */
    tool?: string | null | undefined;
    /** The service that the secret belongs to. */
    service?: string | null | undefined;
    /** Why there is no answer (default: `refused`). */
    reason?: types.RefusalReason | null | undefined;
    /** What was wanted (default: `secret`). */
    about?: types.RefusalAbout | null | undefined;
    /** How to sign in with OAuth: a page, a command or a tool. */
    oauth?: string | null | undefined;
    /** A page where the value can be entered, out of band. */
    url?: string | null | undefined;
    /** How to supply the value in advance. */
    upFront?: string | null | undefined;
    /** The page where app passwords are created. */
    appPasswords?: string | null | undefined;
  }): Envelope;
}

/**
 * Messages of the providers of models: a tool's result, the results of a turn, definitions of
 * tools, and the calls that a model makes. Nothing is sent, and nothing of an SDK is loaded.
 */
export declare namespace providers {

  /**
   * Returns a tool's result as the message that answers a call. The companion has what has no room inside, and
   * belongs behind all results of the turn; `toTurn` places it.
   *
   * ```js
   * providers.toMessage('12 files', { id: 'toolu_1', name: 'list_files' }, 'anthropic').message.role; // 'user'
   * ```
   */
  export function toMessage(data: Readable, call: Document, provider: types.MessageProvider, options?: {
    /** The family of models, where the provider's rules depend on it. */
    family?: types.MessageFamily | null | undefined;
    /** Which part of the result the model gets (default: `when_empty`). */
    structured?: types.StructuredPolicy | null | undefined;
    /** How resources with text are written (default: `text`). */
    resources?: types.ResourceForm | null | undefined;
    /** Maximum size of the text. */
    maxBytes?: number | null | undefined;
    /**
     * Whether media that have no room in a result follow in a message of the user (default:
     * true).
     */
    companion?: boolean | null | undefined;
    /** Whether the end of the result is a place to cache up to (default: false). */
    cache?: boolean | null | undefined;
    /**
     * Whether the definition has an output schema, so that the result has to be JSON (OpenAI
     * Responses) (default: false).
     */
    outputSchema?: boolean | null | undefined;
  }): types.ProviderMessage;

  /**
   * Returns the messages that answer all calls of a response. A result of undefined is that of a call that was not
   * run.
   *
   * ```js
   * const read = providers.fromCall(block, 'anthropic', { stopReason: response.stop_reason });
   * const result = read.refusal ?? (await run('./list.py', read.call.arguments)).parsed;
   * const { messages } = providers.toTurn([read.call], [result], 'anthropic');
   * ```
   */
  export function toTurn(calls: readonly Document[], results: readonly (Readable | object | null | undefined)[], provider: types.MessageProvider, options?: {
    /** The family of models, where the provider's rules depend on it. */
    family?: types.MessageFamily | null | undefined;
    /** Which part of the result the model gets (default: `when_empty`). */
    structured?: types.StructuredPolicy | null | undefined;
    /** How resources with text are written (default: `text`). */
    resources?: types.ResourceForm | null | undefined;
    /** Maximum size of the text. */
    maxBytes?: number | null | undefined;
    /**
     * Whether media that have no room in a result follow in a message of the user (default:
     * true).
     */
    companion?: boolean | null | undefined;
    /** Whether the end of the result is a place to cache up to (default: false). */
    cache?: boolean | null | undefined;
    /**
     * Whether the definition has an output schema, so that the result has to be JSON (OpenAI
     * Responses) (default: false).
     */
    outputSchema?: boolean | null | undefined;
  }): types.ProviderTurn;

  /**
   * Returns definitions for a request, and the names of the tools in it. A tool that can't be defined is left out
   * and reported.
   *
   * ```js
   * providers.toTools([{ name: 'now', inputSchema: { type: 'object' } }], 'anthropic').tools[0].name; // 'now'
   * ```
   */
  export function toTools(tools: Document, provider: types.MessageProvider, options?: {
    /** The family of models, where the provider's rules depend on it. */
    family?: types.MessageFamily | null | undefined;
    /** Whether the provider makes sure that arguments fit the schema (default: false). */
    strict?: boolean | null | undefined;
    /** Whether the definitions get a cache hint (default: false). */
    cache?: boolean | null | undefined;
    /** Whether output schemas are sent, where the provider takes them (default: false). */
    outputSchemas?: boolean | null | undefined;
  }): types.ProviderTools;

  /**
   * Returns what a model has called. If there is a refusal, the call is not to be run: it was cut off, or its
   * arguments can't be read. The refusal is the envelope to answer with; `history` is the call for later requests.
   *
   * ```js
   * const block = { type: 'tool_use', id: 'toolu_1', name: 'rm', input: { path: '/var' } };
   * providers.fromCall(block, 'anthropic', { stopReason: 'max_tokens' }).refusal.isError; // true
   * ```
   */
  export function fromCall(call: Document, provider: types.MessageProvider, options?: {
    /** Why the model stopped, in the provider's word. */
    stopReason?: string | null | undefined;
    /** Whether it is the last call of its message: only that one can be cut off (default: true). */
    isLast?: boolean | null | undefined;
    /**
     * The tools that were given to `toTools`, so that names and arguments come back as the tool
     * has them.
     */
    tools?: Json | null | undefined;
    /** As for `toTools`. */
    family?: types.MessageFamily | null | undefined;
    /** As for `toTools` (default: false). */
    strict?: boolean | null | undefined;
  }): types.FromCall;

  /**
   * Returns a call as it is in the history of a provider, which may be another one than it came from.
   *
   * ```js
   * providers.toHistory({ id: 'call_1', name: 'now', arguments: {} }, 'bedrock'); // { toolUse: { … } }
   * ```
   */
  export function toHistory(call: Document, provider: types.MessageProvider): { [member: string]: Json };
}

/** JSON Schemas: values checked with them, and the forms that providers of models accept. */
export declare namespace schema {

  /**
   * Validates a value against a JSON Schema (2020-12). Returns the places where it does not fit, at most 20.
   * Nothing is fetched: a `$ref` must refer into the schema itself.
   *
   * Fails with `bad_schema` if the schema cannot be used.
   */
  export function checkValue(schema: Document, value: JsonInput): types.Mismatch[];

  /**
   * Validates the answer to a question, as `checkValue` does.
   *
   * Fails with `bad_schema`, with a pointer into the question, if its schema cannot be used.
   */
  export function checkAnswer(question: QuestionInput, value: JsonInput): types.Mismatch[];

  /**
   * Checks a question before it is asked. Returns diagnostics: a default that does not fit the schema, or a schema
   * that cannot be used.
   */
  export function checkQuestion(question: QuestionInput): Diagnostic[];

  /**
   * Converts a schema to the part of JSON Schema that a provider of models accepts. `unwrapValue` converts the
   * values that a model returns.
   */
  export function projectSchema(schema: Document, options?: {
    /**
     * Whether the schema is for the answer to a question; then it is always wrapped (default:
     * false).
     */
    answer?: boolean | null | undefined;
    /** The provider that gets the schema (default: `common`). */
    provider?: types.Provider | null | undefined;
  }): types.Projection;

  /**
   * Converts a value that fits the projection of a schema to one for the schema itself. The options are those that
   * the projection was made with.
   *
   * Fails with `bad_argument` if it does not have the member `answer` of a wrapped value.
   */
  export function unwrapValue(schema: Document, value: JsonInput, options?: {
    /**
     * Whether the schema is for the answer to a question; then it is always wrapped (default:
     * false).
     */
    answer?: boolean | null | undefined;
    /** The provider that gets the schema (default: `common`). */
    provider?: types.Provider | null | undefined;
  }): Json;

  /**
   * Returns diagnostics about what a provider of models would reject of the schema of a tool's arguments; none if
   * the provider accepts it.
   */
  export function lintSchema(schema: Document, options?: {
    /** The provider that gets the schema (default: `common`). */
    provider?: types.Provider | null | undefined;
  }): Diagnostic[];
}

/** What a host sends and reads that runs programs in its own way. */
export declare namespace wire {

  /**
   * Reads a call document, which a tool gets on stdin, strictly.
   *
   * Fails with `bad_call` at the first mistake, and with `unknown_action`.
   *
   * ```js
   * wire.readCall('{"tool":{"name":"now"},"context":{"action":"run"}}').name; // 'now'
   * ```
   */
  export function readCall(data: Document, options?: {
    /** Where the call is (default: `document`). */
    carrier?: types.Carrier | null | undefined;
    /** Limits for reading. */
    limits?: types.Limits | null | undefined;
  }): Call;

  /**
   * Returns the envelope with which a program answers that is asked which tools it holds: one line for each tool,
   * and the tools in the structured content. Each tool has `name` and `inputSchema`, and optionally `title`,
   * `description`, `outputSchema` and `annotations`.
   *
   * Fails with `bad_description` at the first tool that a reader would refuse.
   */
  export function describe(tools: readonly Document[]): Envelope;

  /**
   * Returns the tools that a program describes; undefined if its answer is not a description, because the program
   * does not know the protocol or has failed.
   *
   * Fails with `bad_description` if the description is malformed.
   */
  export function readDescription(data: Readable, options?: {
    /** Limits for reading an output that was not read before. */
    limits?: types.Limits | null | undefined;
  }): types.ToolDocument[] | undefined;

  /**
   * Parses arguments such as `limit=3` or `author.name=Ada` into values, with the types of the input schema.
   *
   * Fails with `bad_argument`, with the pointer of the argument and a message for the person who wrote it.
   */
  export function parseArguments(words: readonly string[], schema: Document): { [member: string]: Json };

  /**
   * Reads a line of an events file; undefined if it is empty or of a type that is not known.
   */
  export function readEvent(line: Input): Progress | Message | undefined;

  /**
   * Finds the marker of a program in the bytes of its file; undefined if it has none. A program with a marker
   * takes calls.
   */
  export function findMarker(file: Input): types.Marker | undefined;

  /**
   * Reads a line of the line transport. Returns its JSON text as Toolwire writes it, without members that are not
   * known; undefined if the line is of a type that is not known.
   *
   * Fails with `bad_line`.
   */
  export function readLine(line: Input, source: types.LineSource): string | undefined;

  /**
   * Returns what a terminal sends for an input, and what is written to a program on pipes.
   */
  export function terminalInput(input: types.TerminalInput, options?: {
    /** Whether the program has switched on application cursor keys (default: false). */
    applicationCursor?: boolean | null | undefined;
    /** Whether the program has switched on bracketed paste (default: false). */
    bracketedPaste?: boolean | null | undefined;
  }): types.TerminalBytes;

  /**
   * Reads the arguments with which a model calls a tool that keeps running. The tool's own arguments are in
   * `arguments`, wherever the model put them. `tool` is the tool of a description.
   *
   * Fails with `action_not_offered` if the tool lists no such action, and with `bad_argument` at the first other
   * mistake; the message says what is possible.
   */
  export function readCommand(args: Document, tool: Document): types.SessionCommand;

  /**
   * Returns the schema that a model is shown for a tool that keeps running. `projectSchema` converts it to what a
   * provider accepts.
   */
  export function actionSchema(tool: Document, options?: {
    /** The form of the schema (default: `flat`). */
    style?: types.ActionStyle | null | undefined;
  }): { [member: string]: Json };
  export { ExchangeClass as Exchange };
  export { SessionMachineClass as SessionMachine };
}
