/**
 * Calls and questions: what a tool is told to do, what tools a program holds, how a question is
 * presented, and what is said where there is no answer.
 */

import type { AskedQuestion, Block, Envelope, Input, Json, JsonInput, Limits, Parsed, ReadOptions } from './index.js';
import type { AnswerSource, AnswerState, ToolDocument } from './types.generated.js';

/** What a tool is to do: its job, or to say what its arguments mean, or what tools its program holds. */
export type Action = 'run' | 'format_arguments' | 'describe';

/**
 * What became of a question.
 *
 * ```js
 * new Answer(true); // accepted
 * new Answer(undefined, { state: 'declined' });
 * ```
 */
export class Answer<Value = Json> {
  /** `source` is `user` if it is left out; without a `state` there must be a value, which is accepted. */
  constructor(value: Value | undefined, options?: { state?: AnswerState; source?: AnswerSource });
  readonly state: AnswerState;
  /** Who decided; undefined where the host of a call does not say. */
  readonly source: AnswerSource | undefined;
  /** Undefined exactly if the state is not `accepted`; null is a value. */
  readonly value: Value | undefined;
  /** Whether there is a value. */
  get accepted(): boolean;
}

/** A call of a tool, as it was read. */
export interface Call {
  /** The tool; absent only where a program is asked for all of its tools. */
  name?: string;
  action: Action;
  /** The root of the workspace: an absolute path or a `file:` URI. */
  root?: string;
  arguments: { [name: string]: Json };
  /** What the host is configured to pass to this tool. */
  options: { [name: string]: Json };
  /** By the ids of their questions. */
  answers: { [id: string]: Answer };
  /** The call document in exact form: numbers keep all their digits. */
  text: string;
  /** The two members of an MCP request's `_meta`, as a JSON text in exact form. */
  metaText: string;
}

export interface ReadCallOptions {
  limits?: Limits;
  /** What holds the call: a document of its own (the default), or the `_meta` of an MCP request. */
  carrier?: 'document' | 'meta';
}

/**
 * Reads what a tool is told to do, strictly.
 *
 * Throws `bad_call` at the first place that is no call, `unknown_action`, or what reading JSON gives.
 *
 * ```js
 * const call = readCall('{"tool":{"name":"now"},"context":{"action":"run"}}');
 * call.name; // 'now'
 * ```
 */
export function readCall(data: Input, options?: ReadCallOptions): Call;

/**
 * The envelope with which a program answers `describe`: a line for each tool, and the tools in
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
 * The tools that a program says it holds; undefined if its answer is no description, since then it
 * does not know the protocol, or it failed.
 *
 * Throws `bad_description` at the first place that is not as the specification says (CALL-31).
 */
export function readDescription(data: Input | Parsed | Envelope, options?: ReadOptions): ToolDocument[] | undefined;

/**
 * The arguments that some words stand for, typed by the input schema: `['path=a', 'limit=3']`.
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
  | { id: string; text: string; schema: { [name: string]: JsonInput }; default?: JsonInput }
  | Input;

/** Reads a question as it stands in a `question` block; anything else is refused with `bad_argument`. */
export function readQuestion(question: QuestionInput): AskedQuestion;

/** The sign by which one can tell that a question asks for a secret. */
export interface Secret {
  /** Into the question, such as `/schema/format`, or into the texts before it, such as `/context/0`. */
  pointer: string;
  reason: 'write_only' | 'format' | 'name' | 'wording';
  about: 'password' | 'secret';
  /** `declared` is never asked in a form; `suspected`, by its wording, is asked of a person alone. */
  tier: 'declared' | 'suspected';
}

/**
 * Whether a question asks for a secret; undefined if it does not. `context` are the texts before it.
 * No list of words can stop a tool that lies.
 */
export function findSecret(question: QuestionInput, context?: string[]): Secret | undefined;

/** A value to choose. */
export interface Choice {
  value: null | boolean | number | string;
  /** What a person sees. */
  label: string;
  description?: string;
}

/** How a question is presented to a person; `default` is there only if the prompt could give it. */
export type Prompt =
  | { kind: 'boolean'; default?: boolean }
  | { kind: 'select'; choices: Choice[]; default?: Choice['value'] }
  | { kind: 'multi_select'; choices: Choice[]; minItems?: number; maxItems?: number; default?: Choice['value'][] }
  | { kind: 'text'; minLength?: number; maxLength?: number; pattern?: string; format?: string; default?: string }
  | {
      kind: 'number';
      /** Whether it is a whole number. */
      integer: boolean;
      minimum?: number;
      maximum?: number;
      exclusiveMinimum?: number;
      exclusiveMaximum?: number;
      default?: number;
    }
  | {
      kind: 'editor';
      /** The text with which an editor begins. */
      template: string;
      default?: Json;
    };

/**
 * How a question is presented.
 *
 * Throws `secret_question`, with a pointer into the question, if it declares a secret.
 *
 * ```js
 * prompt({ id: 'go', text: 'Go on?', schema: { type: 'boolean' } }).kind; // 'boolean'
 * ```
 */
export function prompt(question: QuestionInput): Prompt;

/** The text with which an editor begins: what is asked, in comments, and an answer to fill in. */
export function template(question: QuestionInput): string;

/** An answer in an edited template. */
export interface TemplateAnswer {
  value: Json;
  /** Its JSON text, to the letter. */
  text: string;
}

/**
 * The answer that stands in an edited template; undefined, if nothing is left but comments and white
 * space, which means to cancel. Throws where the rest is not strict JSON, with the offset.
 */
export function readTemplate(edited: Input): TemplateAnswer | undefined;

export interface RefusalOptions {
  /** The name of the host or client, as people know it. */
  host: string;
  /** The tool that wanted an answer. */
  tool?: string;
  /** The service that the secret belongs to. */
  service?: string;
  /** Why there is no answer; by default because it must not be asked for in a form. */
  reason?: 'refused' | 'unavailable' | 'cancelled' | 'declined';
  /** What was wanted; a secret that is no password by default. */
  about?: 'password' | 'secret' | 'input';
  /** How to sign in with OAuth: a page, a command, a tool. */
  oauth?: string;
  /** A page where it can be entered, out of band. */
  url?: string;
  /** How to supply it in advance. */
  upFront?: string;
  /** The page where app passwords are made. */
  appPasswords?: string;
}

/**
 * The envelope that stands for a question without an answer: in plain words why, what to do instead,
 * the best way first, and what to beware of.
 */
export function refusal(options: RefusalOptions): Envelope;
