/**
 * Calls and questions: reading calls, describing tools, presenting questions, and the text for a question
 * without an answer.
 */

import type { AskedQuestion, Block, Envelope, Input, Json, JsonInput, Limits, Parsed, ReadOptions } from './index.js';
import type { Alternatives } from './run.js';
import type { AnswerSource, AnswerState, ToolDocument } from './types.generated.js';

/** What a tool is asked to do: run, explain its arguments, or describe the tools of its program. */
export type Action = 'run' | 'format_arguments' | 'describe';

/**
 * The answer to a question.
 *
 * ```js
 * new Answer(true); // accepted
 * new Answer(undefined, { state: 'declined' });
 * ```
 */
export class Answer<Value = Json> {
  /** The default of `source` is `user`. Without a `state` there must be a value, and the answer is accepted. */
  constructor(value: Value | undefined, options?: { state?: AnswerState; source?: AnswerSource });
  readonly state: AnswerState;
  /** Who decided; undefined if the host of a call does not say. */
  readonly source: AnswerSource | undefined;
  /** Undefined if, and only if, the state is not `accepted`. Null is a value. */
  readonly value: Value | undefined;
  /** Whether there is a value. */
  get accepted(): boolean;
}

/** A call of a tool that was read. */
export interface Call {
  /** The tool; absent only if a program is asked to describe all of its tools. */
  name?: string;
  action: Action;
  /** The root of the workspace: an absolute path or a `file:` URI. */
  root?: string;
  arguments: { [name: string]: Json };
  /** The settings that the host passes to this tool. */
  options: { [name: string]: Json };
  /** By question id. */
  answers: { [id: string]: Answer };
  /** The call document in exact form, in which numbers keep all their digits. */
  text: string;
  /** The two members of the `_meta` of an MCP request, as JSON text in exact form. */
  metaText: string;
}

export interface ReadCallOptions {
  limits?: Limits;
  /** Where the call is: in a document of its own (the default), or in the `_meta` of an MCP request. */
  carrier?: 'document' | 'meta';
}

/**
 * Reads a call strictly.
 *
 * Throws `bad_call` at the first place that is wrong, `unknown_action`, or the code for text that is not
 * strict JSON.
 *
 * ```js
 * const call = readCall('{"tool":{"name":"now"},"context":{"action":"run"}}');
 * call.name; // 'now'
 * ```
 */
export function readCall(data: Input, options?: ReadCallOptions): Call;

/**
 * The envelope with which a program answers `describe`: one line for each tool, and the tools in
 * `structuredContent`.
 *
 * Throws `bad_description` at the first tool that a reader would refuse.
 *
 * ```js
 * console.log(String(describe([{ name: 'now', inputSchema: { type: 'object' } }])));
 * ```
 */
export function describe(tools: readonly ToolDocument[]): Envelope;

/**
 * The tools that a program describes; undefined if its answer is not a description, which means that the
 * program does not know the protocol or has failed.
 *
 * Throws `bad_description` at the first place that breaks the rule CALL-31.
 */
export function readDescription(data: Input | Parsed | Envelope, options?: ReadOptions): ToolDocument[] | undefined;

/** A document in a legacy format, as an envelope. */
export interface Legacy {
  format: 'outcome' | 'tool_state' | 'input_text';
  /** The envelope. */
  parsed: Parsed;
  /** What became of each member of the legacy document, and why. */
  report: MappedMember[];
}

/** What became of a member when a document was mapped to another format. */
export interface MappedMember {
  /** The place in the document that was mapped, as a JSON Pointer. */
  pointer: string;
  fate: 'kept' | 'moved' | 'approximated' | 'dropped';
  /** Why; empty for what is kept. */
  reason: string;
}

/**
 * Reads a document in a legacy format: `Outcome`, `ToolState`, or a result with `input_text`; undefined if it is
 * in none of them.
 *
 * Throws `bad_legacy` if it shows the signs of one but is not as that format has it.
 *
 * ```js
 * readLegacy('{"type":"success","content":"done"}').parsed.envelope.blocks[0].text; // 'done'
 * ```
 */
export function readLegacy(document: Input, options?: ReadOptions): Legacy | undefined;

/**
 * The `Outcome` in the result of an MCP tool, as an envelope: only if the result is a single text block that
 * holds one, and if the result is not an error that the outcome denies. Otherwise undefined.
 */
export function unwrapOutcome(result: Input | Parsed | Envelope, options?: ReadOptions): Legacy | undefined;

/** A revision of MCP. */
export type McpRevision = '2025-06-18' | '2025-11-25' | '2026-07-28';

export interface ToMcpResultOptions extends ReadOptions {
  /** The revision that the client speaks. */
  revision: McpRevision;
  /** Whether structured content without a text block is repeated as text. Default: true. */
  mirror?: boolean;
  /** What `toMcpTool` says of the tool. Default: false. */
  wrapped?: boolean;
}

/**
 * An output as the result of an MCP tool that the clients of a revision accept. What MCP has no member for is in
 * `_meta`, from where `fromMcpResult` restores it. `text` is the result as JSON text, with all digits of all
 * numbers.
 *
 * ```js
 * toMcpResult('12:00', { revision: '2025-11-25' }).text; // '{"content":[{"text":"12:00","type":"text"}]}'
 * ```
 */
export function toMcpResult(
  data: Input | Parsed | Envelope,
  options: ToMcpResultOptions,
): { result: { [name: string]: Json }; text: string; report: MappedMember[] };

/**
 * The result of a tool of any MCP server, as an envelope. What another Toolwire put into `_meta` is restored,
 * unless it would contradict the rest. What is not a result at all is read as text.
 *
 * ```js
 * fromMcpResult({ content: [{ type: 'text', text: '12:00' }] }).parsed.envelope.blocks[0].text; // '12:00'
 * ```
 */
export function fromMcpResult(
  result: { [name: string]: JsonInput } | Input,
  options?: ReadOptions,
): { parsed: Parsed; report: MappedMember[] };

/**
 * A tool of a description as an element of MCP's list of tools. If its output schema was `wrapped`, results of the
 * tool are to be wrapped too. Throws `bad_description` if it is not a tool.
 */
export function toMcpTool(
  tool: ToolDocument | { [name: string]: JsonInput } | Input,
  options: { revision: McpRevision },
): { tool: { [name: string]: Json }; wrapped: boolean; report: MappedMember[] };

/**
 * A tool as any MCP server lists it, as a tool of a description, and the `name` by which the server calls it.
 * Small mistakes of servers are mended. Throws `bad_description` at one that can't be.
 *
 * ```js
 * fromMcpTool({ name: 'get time', inputSchema: {} }).tool; // { inputSchema: { type: 'object' }, name: 'get_time' }
 * ```
 */
export function fromMcpTool(
  listed: { [name: string]: JsonInput } | Input,
): { tool: ToolDocument; name: string; wrapped: boolean; report: MappedMember[] };

/**
 * What of a call travels in the `_meta` of an MCP request; undefined if it says nothing that the request does not
 * say itself.
 */
export function callToMeta(call: Call | { [name: string]: JsonInput } | Input): { [name: string]: Json } | undefined;

/**
 * The call that an MCP request makes. The name and the arguments are those of the request; answers, options and
 * context are from its `_meta`. Throws `bad_call` or `unknown_action` if `meta` does not hold a call.
 *
 * ```js
 * callFromMeta('now', {}, { 'computer.jp/tool': { answers: { zone: 'UTC' } } }).answers.zone.value; // 'UTC'
 * ```
 */
export function callFromMeta(
  name: string,
  args: { [name: string]: JsonInput },
  meta?: { [name: string]: JsonInput } | Input | null,
): Call;

/**
 * Parses arguments such as `['path=a', 'limit=3']` into values, with the types of the input schema.
 *
 * Throws `bad_argument` with a pointer to the argument and a message that names it.
 *
 * ```js
 * parseArguments(['path=1', 'limit=3'], { type: 'object', properties: { path: { type: 'string' } } });
 * // { path: '1', limit: 3 }
 * ```
 */
export function parseArguments(
  words: readonly string[],
  inputSchema: { [name: string]: JsonInput } | Input,
): { [name: string]: Json };

/** A question: a block, the object in one, or its JSON text. */
export type QuestionInput =
  | Block
  | { id: string; text: string; schema: { [name: string]: JsonInput }; default?: JsonInput; url?: string }
  | Input;

/** Reads a question in the form that it has in a `question` block; anything else throws `bad_argument`. */
export function readQuestion(question: QuestionInput): AskedQuestion;

/** The sign that a question asks for a secret. */
export interface Secret {
  /** The place in the question, such as `/schema/format`, or in the texts before it, such as `/context/0`. */
  pointer: string;
  reason: 'write_only' | 'format' | 'name' | 'wording';
  about: 'password' | 'secret';
  /** `declared`: never asked in a form. `suspected`, because of its wording: asked of a person only. */
  tier: 'declared' | 'suspected';
}

/**
 * Whether a question asks for a secret; undefined if it does not. `context` holds the texts before it.
 * No word list can stop a tool that lies.
 */
export function findSecret(question: QuestionInput, context?: string[]): Secret | undefined;

/** A value to choose. */
export interface Choice {
  value: null | boolean | number | string;
  /** The text that a person sees. */
  label: string;
  description?: string;
}

/** How a field of a form is presented. `default` is present only if the prompt can produce it. */
export type FieldPrompt =
  | { kind: 'boolean'; default?: boolean }
  | { kind: 'select'; choices: Choice[]; default?: Choice['value'] }
  | { kind: 'multi_select'; choices: Choice[]; minItems?: number; maxItems?: number; default?: Choice['value'][] }
  | { kind: 'text'; minLength?: number; maxLength?: number; pattern?: string; format?: string; default?: string }
  | {
      kind: 'number';
      /** Whether the number must be an integer. */
      integer: boolean;
      minimum?: number;
      maximum?: number;
      exclusiveMinimum?: number;
      exclusiveMaximum?: number;
      default?: number;
    };

/** A field of a form. */
export interface FormField {
  name: string;
  title?: string;
  description?: string;
  required: boolean;
  prompt: FieldPrompt;
}

/** How a question is presented to a person. `default` is present only if the prompt can produce it. */
export type Prompt =
  | FieldPrompt
  | {
      kind: 'form';
      /** The members of the object, to be asked one after the other. */
      fields: FormField[];
      /** The text that an editor starts with, for a host without forms. */
      template: string;
      default?: { [name: string]: Json };
    }
  | {
      kind: 'editor';
      /** The text that the editor starts with. */
      template: string;
      default?: Json;
    }
  | {
      kind: 'url';
      /** The page to open if the person agrees. Show all of it, and open it for nobody else. */
      url: string;
      host: string;
    };

/**
 * How a question is presented to a person.
 *
 * Throws `secret_question`, with a pointer into the question, if it declares a secret.
 *
 * ```js
 * prompt({ id: 'go', text: 'Go on?', schema: { type: 'boolean' } }).kind; // 'boolean'
 * ```
 */
export function prompt(question: QuestionInput): Prompt;

/** The text that an editor starts with: the question in comments, and an answer to fill in. */
export function template(question: QuestionInput): string;

/** An answer in an edited template. */
export interface TemplateAnswer {
  value: Json;
  /** Its JSON text, to the letter. */
  text: string;
}

/**
 * The answer in an edited template; undefined if only comments and whitespace are left, which means to
 * cancel. Throws, with the offset, if the rest is not strict JSON.
 */
export function readTemplate(edited: Input): TemplateAnswer | undefined;

export interface RefusalOptions {
  /** The name of the host or client, as people know it. */
  host: string;
  /** The tool that wanted an answer. */
  tool?: string;
  /** The service that the secret belongs to. */
  service?: string;
  /** Why there is no answer. The default, `refused`, means that it must not be asked for in a form. */
  reason?: 'refused' | 'unavailable' | 'cancelled' | 'declined';
  /** What was wanted. The default is `secret`, for a secret that is not a password. */
  about?: 'password' | 'secret' | 'input';
  /** How to sign in with OAuth: a page, a command or a tool. */
  oauth?: string;
  /** A page where the value can be entered, out of band. */
  url?: string;
  /** How to supply the value in advance. */
  upFront?: string;
  /** The page where app passwords are created. */
  appPasswords?: string;
}

/**
 * The envelope for a question without an answer. It says in plain words why there is none, what to do
 * instead, the best way first, and what to be careful about.
 */
export function refusal(options: RefusalOptions): Envelope;

/** An object, or its JSON text. */
export type ObjectInput = { [name: string]: JsonInput } | Input;

/** What a server knows besides the question. */
export interface ElicitOptions {
  revision: McpRevision;
  /** The texts before the question, by which it may be suspected of asking for a secret. */
  context?: string[];
  /** What the client calls itself. */
  client?: string;
  /** The id of a page that is asked to be opened, which 2025-11-25 needs. */
  elicitationId?: string;
  /** The tool that asks. */
  tool?: string;
  /** As in `RefusalOptions`, for the warning above a question that seems to ask for a secret. */
  service?: string;
  oauth?: string;
  url?: string;
  upFront?: string;
  appPasswords?: string;
}

/**
 * A question as the `params` of MCP's `elicitation/create`, with a report of what became of its members. What the
 * client returns is read by `answerFromElicitResult`.
 *
 * Throws `secret_question` if the question declares a secret, and `cannot_elicit` if the revision has no such
 * request.
 *
 * ```js
 * const question = { id: 'n', text: 'How many?', schema: { type: 'integer' } };
 * toElicitation(question, { revision: '2025-06-18' }).params.requestedSchema.required; // ['answer']
 * ```
 */
export function toElicitation(
  question: QuestionInput,
  options: ElicitOptions,
): { params: { [name: string]: Json }; report: MappedMember[] };

/**
 * The result with which a server of 2026-07-28 asks its client: one request for each question, under its id. `state` is
 * the `requestState` that the client returns; a server seals it, since a client can send anything. The pointers of the
 * report begin with the places of the questions.
 *
 * Throws what `toElicitation` throws, and `bad_argument` if two questions have the same id.
 */
export function toInputRequired(
  questions: readonly QuestionInput[],
  options?: Omit<ElicitOptions, 'revision' | 'elicitationId'> & { state?: string },
): { result: { [name: string]: Json }; report: MappedMember[] };

/**
 * The answer to a question that `toElicitation` asked, from what the client returned. The value has the form of the
 * question's schema, but `checkAnswer` has still to check it. Throws `bad_elicitation` if the result is malformed.
 */
export function answerFromElicitResult(
  question: QuestionInput,
  result: ObjectInput,
  options: { revision: McpRevision },
): Answer;

/**
 * The question that an MCP server asks with these `params` of `elicitation/create`. Its answer, which
 * `answerToElicitResult` hands back, is an object, unless the form is what a question of one value becomes. Throws `bad_elicitation` if the params are malformed.
 */
export function fromElicitation(
  params: ObjectInput,
  options: { id: string },
): { question: AskedQuestion; report: MappedMember[] };

/** What an MCP server is answered. Fields that were left out get the server's defaults. */
export function answerToElicitResult(
  params: ObjectInput,
  answer: Answer | JsonInput,
  options: { revision: McpRevision },
): { [name: string]: Json };

/**
 * The envelope for a client that cannot ask its user these questions, and whether there is another way to each of
 * them. `refusals` has the ways by the ids of the questions, as for `run`.
 */
export function withoutElicitation(
  questions: readonly QuestionInput[],
  options?: { client?: string; tool?: string; refusals?: { [id: string]: Alternatives } },
): { envelope: Envelope; hasWay: boolean };

/**
 * Whether an MCP client can be asked a question. `elicitation` is the member of that name in the client's
 * capabilities, or undefined if it has none.
 */
export function canElicit(
  question: QuestionInput,
  elicitation: { [name: string]: JsonInput } | undefined,
  options: { revision: McpRevision },
): boolean;

/** The capabilities that an MCP client needs to be asked these questions. */
export function requiredCapabilities(questions: readonly QuestionInput[]): { [name: string]: Json };
