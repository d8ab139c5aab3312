/**
 * Tools that keep running, in a host.
 */

import type { Answer, Json, JsonInput, Message, Parsed, Progress } from './index.js';
import type { Tool } from './author.js';
import type { ExchangeOptions, Manifest, PendingQuestion, ProcessOptions, Program } from './run.js';
import type { SessionRefusal, SessionState } from './session.js';
import type { AnswerSource, AnswerState, SessionAction, ToolDocument } from './types.generated.js';

/** How handles are bound. Times are in milliseconds. */
export interface SessionRules {
  /** What becomes of a handle at the end of a turn; default `abort`. */
  turn?: 'abort' | 'wait' | 'keep' | 'ask';
  /** How long `wait` waits; then the handle ends. Default: one minute. */
  turnWait?: number;
  /** The actions for which `approve` is asked, unless a person does them; default `['spawn']`. */
  approve?: readonly SessionAction[];
  /** How long a tool may run; default: as long as it likes. */
  sessionTime?: number;
  /** How long nothing may happen; default: as long as it likes. */
  idleTime?: number;
  /** How long a tool that was told to end may take, until it is asked by a signal; and then again, until it is killed. */
  grace?: number;
  /** Maximum number of blocks that are kept for a reader; default 10,000. */
  maxBlocks?: number;
  /** Maximum number of bytes of blocks that are kept for a reader; default 1,048,576. */
  maxBytes?: number;
  /** Maximum number of questions of a tool that wait; default 16. */
  maxQuestions?: number;
}

/** Something that needs approval. */
export interface ApprovalRequest {
  /** The tool. */
  readonly tool: string;
  /** The handle; absent for a tool that runs once. */
  readonly id?: string;
  /** What is to be done. */
  readonly action: SessionAction;
  /** Who wants it. */
  readonly by: AnswerSource;
  /** The arguments of a spawn, or what is applied. */
  readonly arguments?: Json;
}

/** What is set for all handles. Times are in milliseconds. */
export interface SessionsOptions {
  /** Gets each question that is for a person, as in `run`. The signal says that it needs no answer any more. */
  answerer?: (question: PendingQuestion, options: { signal: AbortSignal }) => Answer | JsonInput | undefined | Promise<Answer | JsonInput | undefined>;
  /** Says true, or false, or why not. Default: nobody is asked. */
  approve?: (request: ApprovalRequest) => boolean | string | Promise<boolean | string>;
  /** Gets the id of a handle and its new state. No tool waits for this and the three that follow. */
  onState?: (id: string, state: SessionState) => unknown;
  /** Gets how far the tool of a handle has come. */
  onProgress?: (id: string, progress: Progress) => unknown;
  /** Gets the log messages of the tool of a handle. If more than 1,024 notices or 1 MiB wait, the oldest are left out. */
  onLog?: (id: string, message: Message) => unknown;
  /** Gets what the tool of a handle writes to stderr; a piece may end inside a character. */
  onStderr?: (id: string, piece: Buffer) => unknown;
  /** The rules for tools that have none of their own. */
  rules?: SessionRules;
  /** Maximum number of handles, the stopped ones included; default 256. */
  maxHandles?: number;
  /** Maximum number of bytes of all buffers together; default 256 MiB. */
  maxMemory?: number;
  /** How long a stopped handle can be fetched; default: ten minutes. */
  keep?: number;
  /** How long a spawn, and something that is applied, waits for what the tool says to it; default: one second. */
  firstWait?: number;
  /** When nothing was said for so long, what was said is taken to be all for now; default: 100. */
  quiet?: number;
  /** Maximum number of bytes of blocks in one answer; what is left is there for the next fetch. Default 65,536. */
  maxReply?: number;
  /** The longest time that a model can make the host wait; default: one minute. */
  maxWait?: number;
}

/** How tools are added. What is said here comes before what a manifest says. */
export interface AddToolOptions extends Pick<ProcessOptions, 'cwd' | 'inherit' | 'env' | 'timeout' | 'maxOutput' | 'limits'>, ExchangeOptions {
  /** The tools of the program that are added; default: all. */
  only?: readonly string[];
  /**
   * Drives any program as one tool, without that it knows anything: in a pseudo-terminal, or on plain pipes. A manifest
   * says it of its tools itself.
   */
  session?: 'pty' | 'pipe';
  /** The columns and rows of its pseudo-terminal; default 80 and 24. */
  size?: readonly [columns: number, rows: number];
  /** The name of that tool; default: that of its file. */
  name?: string;
  /** What that tool is, for a model. */
  description?: string;
  /** The rules for their handles. */
  rules?: SessionRules;
  /** What the host is configured to pass to them. */
  options?: { readonly [name: string]: JsonInput };
  /** The root of the workspace. */
  root?: string;
}

/** Who acts, and how the handle is fetched. */
export interface SessionReplyOptions {
  /** Who acts; default `policy`, the host of its own accord. */
  by?: AnswerSource;
  /** The number of the last block that the reader has. */
  after?: number;
  /** How many milliseconds to wait for something new. */
  wait?: number;
  /** A text for which to wait, in what is new. */
  until?: string;
  /** Gives up waiting. */
  signal?: AbortSignal;
}

/** The answer to a command. */
export interface Fetched {
  /** The handle. */
  readonly id: string;
  /** Its state. */
  readonly state: SessionState;
  /** The envelope. */
  readonly parsed: Parsed;
  /** Why the command was refused. */
  readonly refusal?: SessionRefusal;
}

/** A handle. */
export interface Handle {
  readonly id: string;
  readonly tool: string;
  readonly state: SessionState;
  /** Since when it is in this state. */
  readonly since: Date;
  readonly label?: string;
  /** The id of the open question. */
  readonly question?: string;
  /** Whether only a person may answer or type now. */
  readonly person: boolean;
}

/** What the host's next message tells of a handle. */
export interface Announcement {
  readonly id: string;
  readonly tool: string;
  readonly label?: string;
  readonly state: SessionState;
  /** A sentence for a model or a person. */
  readonly text: string;
}

/**
 * Tools that keep running, each under an id. `handle` takes a model's call and gives the envelope to send back: that is
 * all a host has to write. Close it at the end; until then it keeps Node alive.
 */
export class Sessions {
  constructor(options?: SessionsOptions);
  /**
   * Adds the tools of a program or a manifest, or functions of this program, and gives their names. A function runs once
   * at each call, also one that takes a session; for that, add a program.
   */
  add(tools: Program | Manifest | Tool | readonly Tool[], options?: AddToolOptions): Promise<string[]>;
  /** Takes a model's call, its arguments as an object or as JSON text, and gives the envelope to send back. */
  handle(tool: string, args: { readonly [name: string]: JsonInput } | string): Promise<Parsed>;
  /** Starts a tool under an id, and waits briefly for what it says. */
  spawn(
    id: string,
    tool: string,
    args?: { readonly [name: string]: JsonInput } | string,
    options?: SessionReplyOptions & { label?: string },
  ): Promise<Fetched>;
  /** What a handle has said since. */
  fetch(id: string, options?: SessionReplyOptions & { view?: 'screen' | 'changes' | 'new' }): Promise<Fetched>;
  /** Gives a handle input, or the answer to its question. */
  apply(
    id: string,
    what: { input: JsonInput } | { answer: { state: AnswerState; value?: JsonInput } },
    options?: SessionReplyOptions & { question?: string },
  ): Promise<Fetched>;
  /** Ends a handle. */
  abort(id: string, options?: Pick<SessionReplyOptions, 'by' | 'signal'>): Promise<Fetched>;
  /** Waits until all of these handles, or any, wait for somebody or have stopped: their states. */
  wait(ids: readonly string[], options?: { any?: boolean; time?: number; signal?: AbortSignal }): Promise<{ [id: string]: SessionState }>;
  /** The handles. */
  list(): Promise<Handle[]>;
  /** The descriptions of the tools. */
  tools(): Promise<ToolDocument[]>;
  /** Ends a turn: what still runs is treated as the rules say. */
  endOfTurn(): Promise<void>;
  /** The handles that wait or have stopped, each once. */
  announcements(): Promise<Announcement[]>;
  /** Ends all handles; nothing of their tools is left. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
