/**
 * Running tools as processes that leave nothing behind, and getting their questions answered; and the parts
 * of it, for a host that runs tools in its own way.
 */

import type { Block, Json, JsonInput, Parsed } from './index.js';
import type { Answer } from './call.js';
import type { Alternatives, Diagnostic, Level, Limits, Mismatch, Prompt, Secret, ToolDocument, Unanswered } from './types.generated.js';

/** A question that waits for its answer. */
export interface PendingQuestion {
  id: string;
  text: string;
  /** The JSON Schema of the answer. */
  schema: { [name: string]: Json };
  /** The default; absent if there is none, or none that fits. Null is a value. */
  default?: Json;
  /**
   * The page where the person answers, if not in a form. The answer with which a person agrees to open it is
   * `new Answer(undefined, { state: 'opened' })`.
   */
  url?: string;
  /** How the question is presented to a person. */
  prompt: Prompt;
  /** The blocks before the question, without other questions. */
  context: Block[];
  /** How many of these blocks were already the context of the previous question. */
  shown: number;
  /** Where the previous answer does not fit; empty the first time. */
  mismatches: Mismatch[];
  /** The tool that asks. */
  tool?: string;
  arguments: { [name: string]: Json };
  /**
   * Present if the question seems to ask for a secret. Such a question is for a person only: only an
   * answer from the source `user` is accepted, and the input must be neither shown nor stored.
   */
  secret?: Secret;
  /** The warning to show above such a question. */
  warning?: string;
  /** Who should answer, if a manifest says so. Only a person can answer a question for the user. */
  who?: 'user' | 'assistant';
  /** The number of runs of the tool so far. */
  round: number;
}

/**
 * Answers a question. It returns a value, which is accepted with the source `user` (null is a value), or an
 * {@link Answer} such as `new Answer(undefined, { state: 'declined' })`, or a promise of one. If it returns
 * nothing, the question is `unavailable`.
 */
export type Answerer = (question: PendingQuestion) => JsonInput | Answer | void | PromiseLike<JsonInput | Answer | void>;

/** How the questions of a call are handled. */
export interface ExchangeOptions {
  /** The name of the host, as people know it; default `Toolwire`. */
  host?: string;
  /** Answers that are known beforehand, by question id; their source is `policy`. */
  given?: { [id: string]: JsonInput };
  /** What happens to all other questions; default `ask`. */
  unanswered?: Unanswered;
  /** What people can do if a tool cannot go on without an answer, by question id; `*` for all others. */
  refusals?: { [id: string]: Alternatives };
  /** Maximum number of runs for one result; default 16. */
  maxRounds?: number;
  /** Maximum number of wrong answers to one question; default 3. */
  maxTries?: number;
}

/** How a process is run. */
export interface ProcessOptions {
  /** The working directory; default: that of this process. */
  cwd?: string | URL;
  /**
   * Which environment variables the tool inherits from this process: `'standard'` (the default), those
   * that programs need, without your keys and tokens; `'all'`; or an array of names, in which `'standard'`
   * stands for the standard ones, as in `['standard', 'GITHUB_TOKEN']`.
   */
  inherit?: 'all' | 'standard' | readonly string[];
  /** Environment variables that are set beside those; one that is undefined is left out. */
  env?: { readonly [name: string]: string | undefined };
  /** Time limit for each run, in milliseconds; default: none. */
  timeout?: number;
  /** Maximum number of bytes of output; default 64 MiB. */
  maxOutput?: number;
  /** Limits for reading its answer. */
  limits?: Limits;
  /**
   * Gets stderr live, piece by piece; a piece may end inside a character. If it returns a promise, the
   * promise is awaited before the next piece. Meanwhile the tool can write another MiB before it has to
   * wait; time-outs and aborts do not wait. Output that arrives after the tool was stopped may be left out.
   * An exception or a rejection stops the tool and rejects the run.
   */
  onStderr?: (piece: Buffer) => void | PromiseLike<void>;
  /**
   * Stops the tool: its process group is asked to end, and killed two seconds later. The run is rejected
   * with the signal's reason once nothing of the tool is left.
   */
  signal?: AbortSignal;
}

/** How a tool is called. */
export interface RunOptions extends ProcessOptions, ExchangeOptions {
  /** The name of the tool; default: the file name without its extension. */
  tool?: string;
  arguments?: { readonly [name: string]: JsonInput };
  /** Settings for the tool that no model sees. */
  options?: { readonly [name: string]: JsonInput };
  /** The root of the workspace, an absolute path or a `file:` URI. */
  root?: string | URL;
  /** Run the tool (the default), or explain the arguments. */
  action?: 'run' | 'format_arguments';
  /** Answers the questions. Without it they are `unavailable`. */
  answerer?: Answerer;
  /**
   * Gets how far the tool has come, live, if the tool says so with `progress`. If it returns a promise, the
   * promise is awaited before the next event; the tool does not wait, and meanwhile newer progress replaces
   * older. An exception or a rejection stops the tool and rejects the run.
   */
  onProgress?: (progress: Progress) => void | PromiseLike<void>;
  /**
   * Gets the tool's log messages, live, as `onProgress` gets progress. Of messages that come faster than
   * they are taken, the oldest are left out, and a message says how many.
   */
  onLog?: (message: Message) => void | PromiseLike<void>;
}

/** How far a tool has come. */
export interface Progress {
  /** How much is done, in any unit. It can go back, for example where the tool begins its next step. */
  done: number;
  /** How much there is to do, if that is known. */
  total?: number;
  /** What the tool does just now. It is untrusted text. */
  message?: string;
}

/** A log message of a tool. */
export interface Message {
  level: Level;
  /** What the tool says. It is untrusted text. */
  text: string;
  /** The part of the tool that says it; the host's own remarks are from `toolwire`. */
  logger?: string;
}

/** The result of a call, whatever the tool did. */
export interface Result {
  /** The tool's answer, or the error envelope in its place. Its `_meta` says who answered which question. */
  parsed: Parsed;
  /** The answers to the questions, by id. */
  answers: { [id: string]: Answer };
  /** The number of runs of the tool. */
  rounds: number;
  /** Why the call ended; `answered` if the result is the tool's own. */
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
  /** Diagnostics about questions and answers: defaults and answers that do not fit, questions for secrets. */
  diagnostics: Diagnostic[];
}

/** The result of `run`. Members about the process are those of the last run. */
export interface RunResult extends Result {
  /** The exit status; null if a signal ended the process, or no process was started. */
  exitCode: number | null;
  /** The name of the signal that ended the process, or its number if it has no name; otherwise null. */
  signal: NodeJS.Signals | number | null;
  /** Why the host stopped the tool; absent if it ended by itself. */
  stopped?: 'timeout' | 'cancelled' | 'stdout_limit' | 'result_limit';
  /** Milliseconds from the start to the result, including the time for answers. */
  elapsed: number;
  /** The content of stdout; a log, if the tool answered through the result channel. */
  stdout: Buffer;
  /** The end of stderr, at most 64 KiB. */
  stderr: Buffer;
  /** Whether the tool wrote more to stderr. */
  stderrTruncated: boolean;
  /** Whether a process that the tool had started still held its stdout or stderr open after its end. */
  leftBehind: boolean;
}

/** A program: a file, a name that is looked up on the `PATH`, or an array of it and its arguments. No shell is involved. */
export type Program = string | URL | readonly [string | URL, ...string[]] | readonly string[];

/**
 * Runs a tool, and runs it again with the answers to its questions, until there is a result.
 *
 * This works for any program: if it knows nothing of Toolwire, the result is what it prints. Nothing of the
 * tool is left when the promise settles, nor when this process ends by itself, by `process.exit`, or by
 * SIGINT, SIGQUIT, SIGTERM or SIGHUP if they had no listener when this was called. The tools are then asked
 * to end, and killed if they do not.
 *
 * Whatever the tool does, the promise is fulfilled with a result. It is rejected with a ToolwireError if the
 * tool cannot be run (a {@link HostErrorCode}, or `bad_argument` for arguments and variables that the system
 * does not accept) or if an option is wrong, with the reason of the signal, and with an exception of the
 * answerer.
 *
 * ```js
 * const { parsed } = await run('./rename.mjs', { tool: 'rename', arguments: { path: 'a', to: 'b' }, timeout: 10_000 });
 * console.log(format(parsed));
 * ```
 */
export function run(program: Program, options?: RunOptions): Promise<RunResult>;

/** The tools of a program. */
export interface ToolList {
  /**
   * The tools; undefined if the program does not know the protocol. It has then done its usual work, as far as it could without arguments, and `result` is the result of that.
   */
  tools: ToolDocument[] | undefined;
  result: RunResult;
}

/**
 * Asks a program which tools it holds.
 *
 * A program that does not know the protocol does its usual work instead, so only ask a program that a person
 * has named as a tool. The promise is rejected as that of {@link run}; with `describe_failed` if the program fails
 * or is stopped, with its last words in the message; and with `bad_description`. The last two have the `result`
 * of the run.
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
   * describe with `parameters` is asked if it is marked as a tool, or if the manifest says
   * `describe = true`. A tool that can't be described is left out; `problems` says why, by name.
   */
  listTools(options?: { signal?: AbortSignal }): Promise<ToolDocument[] & { problems: Record<string, string> }>;
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
