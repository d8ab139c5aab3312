/**
 * Running tools: as processes that leave nothing behind, with their questions answered between the
 * runs; and what that is made of, for a host that runs tools in its own way.
 */

import type { Block, Input, Json, JsonInput, Limits, Parsed, Envelope, ReadOptions } from './index.js';
import type { Answer, Prompt, QuestionInput, RefusalOptions, Secret } from './call.js';
import type { CallDocument, Diagnostic, ToolDocument } from './types.generated.js';

/** Why a tool was not run, or its run was broken off by the system: the `code` of a ToolwireError. */
export type HostErrorCode =
  | 'tool_not_found'
  | 'tool_is_directory'
  | 'tool_not_executable'
  | 'interpreter_not_found'
  | 'bad_directory'
  | 'bad_argument'
  | 'bad_description'
  | 'manifest_not_found'
  | 'bad_manifest'
  | 'untrusted_manifest'
  | 'unknown_tool'
  | 'system_error';

/** A place where a value does not fit a schema. */
export interface Mismatch {
  /** Into the value, as a JSON Pointer; empty for the whole. */
  pointer: string;
  message: string;
}

/** A question that waits for its answer. */
export interface PendingQuestion {
  id: string;
  text: string;
  /** The JSON Schema of the answer. */
  schema: { [name: string]: Json };
  /** What the prompt can suggest; absent if there is none, or none that fits. Null is a value. */
  default?: Json;
  /** How it is presented to a person. */
  prompt: Prompt;
  /** The blocks before it, but for other questions. */
  context: Block[];
  /** How many of them stood before the question that came before this one. */
  shown: number;
  /** Where the answer that was given last does not fit; empty the first time. */
  mismatches: Mismatch[];
  /** The tool that asks. */
  tool?: string;
  arguments: { [name: string]: Json };
  /**
   * The sign by which it seems to ask for a secret; absent if there is none. Then it is for a person
   * alone: only an answer from the source `user` is taken, and what is typed must not be shown nor kept.
   */
  secret?: Secret;
  /** What stands above such a question, for the person who is asked. */
  warning?: string;
  /** Who is to answer, if a manifest says so; a person alone can answer what is for the user. */
  who?: 'user' | 'assistant';
  /** How often the tool has been run so far. */
  round: number;
}

/**
 * Answers a question, at once or later: a value is accepted and from the user (null is a value), an
 * {@link Answer} says more, such as `new Answer(undefined, { state: 'declined' })`. Where it returns
 * nothing, there is nobody who could answer: the question is `unavailable`.
 */
export type Answerer = (question: PendingQuestion) => JsonInput | Answer | void | PromiseLike<JsonInput | Answer | void>;

/** What people can do where a question, such as one for a secret, has no answer, as for `refusal`. */
export type Alternatives = Pick<RefusalOptions, 'service' | 'oauth' | 'url' | 'upFront' | 'appPasswords'>;

/** How the questions of a call are dealt with. */
export interface ExchangeOptions {
  /** The name of the host, as people know it; `Toolwire` by default. */
  host?: string;
  /** Answers that are known beforehand, by the ids of their questions; their source is `policy`. */
  given?: { [id: string]: JsonInput };
  /** What becomes of other questions: they are asked (the default), or what this says instead. */
  unanswered?: 'ask' | 'defaults' | 'decline' | 'fail';
  /** What people are told to do where a tool can't go on without an answer, by the ids of questions; `*` for all others. */
  refusals?: { [id: string]: Alternatives };
  /** The most runs for one result; 16 by default. */
  maxRounds?: number;
  /** The most answers to one question that do not fit; 3 by default. */
  maxTries?: number;
}

/** How a process is run. */
export interface ProcessOptions {
  /** The folder in which it runs; this process's own by default. */
  cwd?: string | URL;
  /**
   * Variables that are set beside the usual ones (`PATH`, `HOME`, the locale and the like). Nothing
   * else of this process's environment is handed on, unless it stands here, as in
   * `{ TOKEN: process.env.TOKEN }`.
   */
  env?: { readonly [name: string]: string | undefined };
  /** Whether it gets those variables alone, without the usual ones. */
  cleanEnv?: boolean;
  /** Milliseconds that each run may take; as long as it likes by default. */
  timeout?: number;
  /** Bytes that it may write; 64 MiB by default. */
  maxOutput?: number;
  /** The limits within which its answer is read. */
  limits?: Limits;
  /**
   * Sees what it writes to stderr, piece by piece as it comes; a piece may end inside of a character.
   * A promise is awaited before the next piece comes. Meanwhile the tool can write another MiB, then it
   * waits; time-outs and aborts do not. What comes after the tool is stopped may be left out.
   * What this throws, or rejects with, stops the tool and is thrown by the run.
   */
  onStderr?: (piece: Buffer) => void | PromiseLike<void>;
  /**
   * Stops the tool: its process group is asked to end, and killed two seconds later. The run throws the
   * signal's reason when nothing of the tool is left.
   */
  signal?: AbortSignal;
}

/** How a tool is called. */
export interface RunOptions extends ProcessOptions, ExchangeOptions {
  /** The tool; by default the file's name without its extension. */
  tool?: string;
  arguments?: { readonly [name: string]: JsonInput };
  /** What the tool gets unseen by a model. */
  options?: { readonly [name: string]: JsonInput };
  /** The root of the workspace, an absolute path or a `file:` URI. */
  root?: string | URL;
  /** The tool's job (the default), or to say what the arguments mean. */
  action?: 'run' | 'format_arguments';
  /** Answers the questions; without one they are `unavailable`. */
  answerer?: Answerer;
}

/** What a call comes to, whatever the tool did. */
export interface Result {
  /** The tool's answer, or the error envelope that stands for it; who answered what is in its `_meta`. */
  parsed: Parsed;
  /** What became of the questions, by their ids. */
  answers: { [id: string]: Answer };
  /** How often the tool was run. */
  rounds: number;
  /** Why it came to its end; `answered` if the result is the tool's own. */
  end:
    | 'answered'
    | 'repeated'
    | 'answer_required'
    | 'ambiguous'
    | 'bad_question'
    | 'bad_given'
    | 'unanswered'
    | 'too_many_rounds'
    | 'cancelled';
  /** What is to be said of the questions and answers: defaults and answers that do not fit, questions for secrets. */
  diagnostics: Diagnostic[];
}

/** What a run leaves behind; the process is that of the last run. */
export interface RunResult extends Result {
  /** The exit status; null if a signal ended it, or no process was started. */
  exitCode: number | null;
  /** The signal's name (its number, if it has none); null if none ended it. */
  signal: NodeJS.Signals | number | null;
  /** Why the host stopped it; absent if it ended by itself. */
  stopped?: 'timeout' | 'cancelled' | 'stdout_limit' | 'result_limit';
  /** Milliseconds from the start to the result, the time for answers included. */
  elapsed: number;
  /** What it wrote to stdout; its log, if it answered by the result channel. */
  stdout: Buffer;
  /** The end of what it wrote to stderr, 64 KiB at most. */
  stderr: Buffer;
  /** Whether it wrote more to stderr than that. */
  stderrTruncated: boolean;
  /** Whether something that it had started still held its stdout or stderr after its end. */
  leftBehind: boolean;
}

/** A program: a file or a name that is looked up on the `PATH`, or it and its arguments. There is no shell. */
export type Program = string | URL | readonly [string | URL, ...string[]];

/**
 * Runs a tool, and again with the answers to its questions, until there is a result.
 *
 * A program that knows nothing of Toolwire works too: what it prints is the result. Nothing of the tool
 * is left when this returns or throws, nor when this process ends: by itself, by `process.exit`, or by
 * SIGINT, SIGQUIT, SIGTERM or SIGHUP where nobody listened to them when this was called. Then tools are asked to
 * end first, and killed if they do not.
 *
 * Throws (that is, rejects with) a ToolwireError if the tool can't be run (a {@link HostErrorCode}, or
 * `bad_argument` for words and variables that no process can be given) or an option is wrong; and what
 * the answerer or the signal gives. Whatever the tool does is a result.
 *
 * ```js
 * const { parsed } = await run('./rename.mjs', { tool: 'rename', arguments: { path: 'a', to: 'b' }, timeout: 10_000 });
 * console.log(format(parsed));
 * ```
 */
export function run(program: Program, options?: RunOptions): Promise<RunResult>;

/** What a program says of its tools. */
export interface ToolList {
  /**
   * Its tools; undefined if it does not know the protocol, or failed. Then it has done its job, as far
   * as it could without arguments, and `result` is that of the job.
   */
  tools: ToolDocument[] | undefined;
  result: RunResult;
}

/**
 * Asks a program which tools it holds.
 *
 * A program that does not know the protocol does its job instead, so only ask one that somebody named
 * as a tool. Throws as {@link run} does, and `bad_description`.
 *
 * ```js
 * const { tools } = await listTools('./rename.mjs');
 * ```
 */
export function listTools(program: Program, options?: ProcessOptions): Promise<ToolList>;

/** How a tool of a manifest is run; what is given here comes before what the manifest says. */
export type ManifestRunOptions = Omit<RunOptions, 'tool' | 'arguments'>;

/** The tools of a folder; {@link loadManifest} gives it. */
export interface Manifest {
  /** The file, as an absolute path. */
  readonly path: string;
  /** The names of the tools, in alphabetical order. */
  readonly names: string[];
  /**
   * Describes all tools: name, title, description, input schema. A program that the manifest does not
   * describe with `parameters` is asked. Throws a ToolwireError that names the tool if one can't be
   * asked, or does not say what it takes.
   */
  listTools(options?: { signal?: AbortSignal }): Promise<ToolDocument[]>;
  /**
   * Runs a tool by its name in the manifest, as {@link run} runs a program.
   *
   * Arguments that do not fit the manifest's `parameters` are answered with an error for the model, and
   * nothing runs. Questions that the manifest answers itself do not reach the answerer; an answer from the
   * source `assistant` to a question that the manifest wants a person to answer is not taken.
   *
   * Throws `unknown_tool` for a name that is not there, and whatever {@link run} throws.
   */
  run(tool: string, args?: { readonly [name: string]: JsonInput }, options?: ManifestRunOptions): Promise<RunResult>;
}

/**
 * Reads a folder's tools from its manifest: the file with this path, or else the nearest
 * `toolwire.toml`, in the current folder or the nearest one above it that has one.
 *
 * Throws a ToolwireError: `manifest_not_found`; `bad_manifest` for a mistake, whose message begins with
 * the file, the line and the column; or `untrusted_manifest` for one that was found, that others could
 * have written, and that nobody has trusted with `toolwire trust`. A manifest whose path you give is used
 * whoever wrote it.
 *
 * ```js
 * const manifest = loadManifest();
 * const tools = await manifest.listTools();
 * const { parsed } = await manifest.run('rename', { path: 'a', to: 'b' });
 * ```
 */
export function loadManifest(path?: string | URL): Manifest;

/** What to do next in an exchange. */
export type Step =
  | {
      step: 'call';
      /** The call document that the tool is to get. */
      document: string;
    }
  | { step: 'ask'; asking: PendingQuestion }
  | { step: 'done' };

/**
 * The loop of {@link run} without running anything: it says what to do, and is told what came of it.
 *
 * ```js
 * const exchange = new Exchange({ tool: { name: 'now' }, context: { action: 'run' } });
 * for (let next = exchange.step(); next.step !== 'done'; next = exchange.step()) {
 *   if (next.step === 'call') exchange.handleResult(await callIt(next.document));
 *   else exchange.handleAnswer(next.asking.id, await askThem(next.asking));
 * }
 * const { parsed } = exchange.finish();
 * ```
 */
export class Exchange {
  /** Begins with a call; what is no call document is refused as `readCall` does. */
  constructor(call: CallDocument | Input, options?: ExchangeOptions & { limits?: Limits });
  step(): Step;
  /** Takes what the tool said to the call. */
  handleResult(answer: Input | Parsed | Envelope, options?: ReadOptions): void;
  /** Takes the answer to the question that waits; where it does not fit, or nothing if it does. */
  handleAnswer(id: string, answer: JsonInput | Answer): Mismatch[];
  /** The result. The exchange is over then; one that was not done has been cancelled. */
  finish(): Result;
}

/**
 * Where a value does not fit a JSON Schema (2020-12); nothing if it does. The schema is an object, a
 * boolean, or JSON text.
 *
 * Throws `bad_schema`, with a pointer into the schema, if it is none, or refers to anything outside of
 * itself.
 */
export function checkValue(schema: JsonInput, value: JsonInput): Mismatch[];

/** Where an answer does not fit its question; nothing if it does. Throws as {@link checkValue}. */
export function checkAnswer(question: QuestionInput, answer: JsonInput): Mismatch[];

/** What is wrong with a question: a schema that can't be used, a default that does not fit it. */
export function checkQuestion(question: QuestionInput): Diagnostic[];

/** A schema that providers of models take, and what it says less than the one that it stands for. */
export interface Projection {
  schema: { [name: string]: Json };
  /** Whether the value is the member `answer` of what the model gives. */
  wrapped: boolean;
  /** What the projection leaves out: where in the schema, and the keyword or what was made of it. */
  losses: { pointer: string; what: string }[];
  /** The value that is meant by what a model gave; throws `bad_argument` at `/answer` if there is none. */
  unwrap(value: JsonInput): Json;
}

/**
 * What a model is shown of a schema: providers take an object at the root and few keywords. With
 * `answer` it is always wrapped, as for the answer to a question.
 *
 * ```js
 * const { schema, unwrap } = projectSchema({ type: 'boolean' }, { answer: true });
 * unwrap({ answer: true }); // true
 * ```
 */
export function projectSchema(schema: JsonInput, options?: { answer?: boolean }): Projection;
