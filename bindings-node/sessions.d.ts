/**
 * Tools that keep running, in a host.
 */

import type { Answer, Json, JsonInput, Parsed } from './index.js';
import type { ExchangeOptions, PendingQuestion, ProcessOptions, Program } from './run.js';
import type { ToolDocument } from './types.generated.js';

/** Who acts: a model, a person, or the host of its own accord. */
export type SessionActor = 'assistant' | 'user' | 'default' | 'policy';

/** What somebody can do with a handle. */
export type SessionActionWord = 'spawn' | 'fetch' | 'apply' | 'abort';

/** The state of a handle. */
export type HandleState = 'absent' | 'running' | 'waiting' | 'ending' | 'stopped';

/** How handles are bound. Times are in milliseconds. */
export interface SessionRules {
  /** What becomes of a handle at the end of a turn; default `abort`. */
  turn?: 'abort' | 'wait' | 'keep' | 'ask';
  /** How long `wait` waits; then the handle ends. Default: one minute. */
  turnWait?: number;
  /** The actions for which `approve` is asked, unless a person does them; default `['spawn']`. */
  approve?: readonly SessionActionWord[];
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
  readonly action: SessionActionWord;
  /** Who wants it. */
  readonly by: SessionActor;
  /** The arguments of a spawn, or what is applied. */
  readonly arguments?: Json;
}

/** What is set for all handles. Times are in milliseconds. */
export interface SessionsOptions {
  /** Gets each question that is for a person, as in `run`. The signal says that it needs no answer any more. */
  answerer?: (question: PendingQuestion, options: { signal: AbortSignal }) => Answer | JsonInput | undefined | Promise<Answer | JsonInput | undefined>;
  /** Says true, or false, or why not. Default: nobody is asked. */
  approve?: (request: ApprovalRequest) => boolean | string | Promise<boolean | string>;
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

/** How the tools of a program are added. */
export interface AddToolOptions extends Pick<ProcessOptions, 'cwd' | 'inherit' | 'env' | 'timeout' | 'maxOutput' | 'limits'>, ExchangeOptions {
  /** The tools of the program that are added; default: all. */
  only?: readonly string[];
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
  by?: SessionActor;
  /** The number of the last block that the reader has. */
  after?: number;
  /** How many milliseconds to wait for something new. */
  wait?: number;
  /** A text for which to wait, in what is new (HOST-15). */
  until?: string;
  /** Gives up waiting. */
  signal?: AbortSignal;
}

/** Why a command was refused, and what is possible instead. */
export interface SessionCommandRefusal {
  readonly code: string;
  readonly message: string;
  readonly possible: readonly SessionActionWord[];
  readonly mismatches?: readonly { readonly pointer: string; readonly message: string }[];
}

/** The answer to a command. */
export interface Fetched {
  /** The handle. */
  readonly id: string;
  /** Its state. */
  readonly state: HandleState;
  /** The envelope. */
  readonly parsed: Parsed;
  /** Why the command was refused. */
  readonly refusal?: SessionCommandRefusal;
}

/** A handle. */
export interface Handle {
  readonly id: string;
  readonly tool: string;
  readonly state: HandleState;
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
  readonly state: HandleState;
  /** A sentence for a model or a person. */
  readonly text: string;
}

/**
 * Tools that keep running, each under an id. `handle` takes a model's call and gives the envelope to send back: that is
 * all a host has to write. Close it at the end; until then it keeps Node alive.
 */
export class Sessions {
  constructor(options?: SessionsOptions);
  /** Adds the tools of a program, and gives their names. */
  add(program: Program, options?: AddToolOptions): Promise<string[]>;
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
    what: { input: JsonInput } | { answer: { state: string; value?: JsonInput } },
    options?: SessionReplyOptions & { question?: string },
  ): Promise<Fetched>;
  /** Ends a handle. */
  abort(id: string, options?: Pick<SessionReplyOptions, 'by' | 'signal'>): Promise<Fetched>;
  /** Waits until all of these handles, or any, wait for somebody or have stopped: their states. */
  wait(ids: readonly string[], options?: { any?: boolean; time?: number; signal?: AbortSignal }): Promise<{ [id: string]: HandleState }>;
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
