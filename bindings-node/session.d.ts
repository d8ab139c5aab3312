/** Sessions: the state machine of a tool that keeps running, for a host that runs tools in its own way. */

import type { AskedQuestion, Input, Json, JsonInput } from './index.js';
import type { Mismatch } from './run.js';
import type { AnswerSource, AnswerState, DiagnosticCode, EnvelopeDocument, SessionAction, ToolDocument } from './types.generated.js';

/** The state of a handle. `ending`: its tool has been told to end, and to its users it is running. */
export type SessionState = 'absent' | 'running' | 'waiting' | 'ending' | 'stopped';

/** Why a handle ends. */
export type EndReason = 'exited' | 'crashed' | 'aborted' | 'timed_out' | 'idle' | 'turn_ended' | 'host_ended';

/** Something that happens to a handle (chapter 21 of the specification). */
export type SessionEvent =
  | { event: 'spawn'; by: AnswerSource }
  | { event: 'abort'; by: AnswerSource }
  | { event: 'fetch'; by: AnswerSource; after?: number }
  | { event: 'apply'; by: AnswerSource; input: JsonInput; question?: string }
  | { event: 'apply'; by: AnswerSource; answer: { state: AnswerState; value?: JsonInput }; question?: string }
  | { event: 'output'; blocks: readonly JsonInput[] }
  | { event: 'progress'; done: number; total?: number; message?: string }
  | { event: 'question'; question: JsonInput; context?: readonly string[]; person?: boolean }
  | { event: 'gate'; person: boolean }
  | { event: 'exit'; status: number }
  | { event: 'crash'; message: string }
  | { event: 'timeout'; of: 'session' | 'idle' }
  | { event: 'end_of_turn'; policy: 'abort' | 'wait' | 'keep' | 'ask' }
  | { event: 'host_exit' }
  | { event: 'expire' };

/** What was dropped before anybody fetched it. */
export interface DroppedBlocks {
  /** The number of the first block that was dropped. */
  first: number;
  last: number;
  bytes: number;
  /** `sha256:` and 64 hexadecimal digits. */
  digest: string;
}

/** Something that the host does. */
export type SessionEffect =
  | { effect: 'start' }
  | { effect: 'wait' }
  | { effect: 'ask' }
  | { effect: 'input'; value: Json }
  | { effect: 'answer'; id: string; answer: { state: AnswerState; source: AnswerSource; value?: Json } }
  | { effect: 'open'; id: string; person: boolean }
  | { effect: 'withdraw'; id: string }
  | { effect: 'end'; reason: EndReason }
  | { effect: 'stop'; reason: EndReason }
  | { effect: 'reply'; envelope: EnvelopeDocument }
  | { effect: 'forget'; dropped?: DroppedBlocks };

/** Why an event was refused, and what is possible instead. */
export interface SessionRefusal {
  code: DiagnosticCode;
  message: string;
  /** The actions that whoever was refused can use now. */
  possible: SessionAction[];
  /** Where an answer does not fit its question. */
  mismatches?: Mismatch[];
}

/** What comes of an event. */
export interface SessionOutcome {
  /** The state afterwards. */
  state: SessionState;
  /** What the host does now, in this order. */
  effects: SessionEffect[];
  refusal?: SessionRefusal;
}

export interface SessionMachineOptions {
  /** The actions that the tool offers to a model. Default: none. */
  actions?: readonly SessionAction[];
  /** The most blocks that are kept for a reader. Default: 10,000. */
  maxBlocks?: number;
  /** The most bytes of their JSON texts. Default: 1,048,576. */
  maxBytes?: number;
  /** The most questions that are asked and not answered. Default: 16. */
  maxQuestions?: number;
}

/**
 * One handle of a tool that keeps running, without input or output: what happens goes in, and what the host does
 * now comes out.
 *
 * ```js
 * const machine = new SessionMachine('check', { actions: ['spawn', 'fetch'] });
 * machine.handle({ event: 'spawn', by: 'assistant' }); // { state: 'running', effects: [{ effect: 'start' }] }
 * machine.handle({ event: 'abort', by: 'assistant' }).refusal.possible; // ['fetch']
 * ```
 */
export class SessionMachine {
  /** Throws `bad_argument` if the id is empty, over 128 bytes, or has control characters. */
  constructor(id: string, options?: SessionMachineOptions);
  get state(): SessionState;
  /** The open question; undefined if there is none. */
  get question(): AskedQuestion | undefined;
  /** Takes what happens, an object or its JSON text. Throws `bad_argument` if it is no event. */
  handle(event: SessionEvent | Input): SessionOutcome;
  /** The actions that somebody can use now. */
  possible(by: AnswerSource): SessionAction[];
}

/** Where a program has its marker: in a comment, by an import, or in the bytes of an executable file. */
export type Marker = 'comment' | 'import' | 'binary';

/**
 * The marker of a program, from the bytes of its file; undefined if it has none. One that has a marker takes calls.
 *
 * ```js
 * findMarker('#!/bin/sh\n# toolwire-tool: 1\n'); // 'comment'
 * ```
 */
export function findMarker(file: Input): Marker | undefined;

/**
 * A line of the line transport: its JSON text as Toolwire writes it, with nothing in it that is not known here; undefined
 * if it is of a type that is not known. Throws `bad_line` if it is wrong.
 *
 * ```js
 * readLine('{"call": 1, "type": "end", "reason": "aborted", "new": 1}', 'host'); // '{"type":"end","call":1,"reason":"aborted"}'
 * ```
 */
export function readLine(line: Input, source: 'host' | 'tool'): string | undefined;

/** Input for a program in a terminal or on pipes: a string, which is typed as it is, or one of these. */
export type TerminalInput =
  | string
  | { text: string; enter?: boolean; eof?: boolean }
  | { key: string }
  | { keys: readonly string[] }
  | { size: readonly [columns: number, rows: number] };

/**
 * What a terminal sends for an input, and what is written to a program on pipes, unless it is for a terminal alone.
 * `options` are what the program has switched on.
 *
 * ```js
 * terminalInput({ text: 'y', enter: true }); // { typed: 'y\r', piped: 'y\n', eof: false }
 * ```
 */
export function terminalInput(
  input: TerminalInput,
  options?: { applicationCursor?: boolean; bracketedPaste?: boolean },
): { typed: string; piped?: string; eof?: boolean; size?: undefined } | { size: [columns: number, rows: number]; typed?: undefined };

/** What a model's call of a tool that keeps running asks for. */
export type SessionCommand =
  | { action: 'spawn'; id: string; arguments: { [name: string]: Json } }
  | { action: 'fetch'; id: string; after?: number; wait?: number; until?: string; view?: 'screen' | 'changes' | 'new' }
  | { action: 'apply'; id: string; input: Json; question?: string }
  | { action: 'apply'; id: string; answer: { state: AnswerState; source: AnswerSource; value?: Json }; question?: string }
  | { action: 'abort'; id: string };

/**
 * Reads the arguments with which a model calls a tool that keeps running. Throws `action_not_offered` if the tool
 * lists no such action, and `bad_argument` at the first other place that is wrong; the message says what is possible
 * instead.
 *
 * ```js
 * const tool = { name: 'git', inputSchema: { type: 'object' }, _meta: { 'dev.toolwire/actions': ['spawn', 'fetch'] } };
 * readCommand({ action: 'spawn', id: 'staging', command: 'stage' }, tool).arguments; // { command: 'stage' }
 * ```
 */
export function readCommand(args: JsonInput, tool: ToolDocument | { [name: string]: JsonInput } | string): SessionCommand;

/**
 * The schema that a model is shown for a tool that keeps running: `flat` (the default), one object for all actions,
 * or `one_of`, with a schema for each. `projectSchema` makes of it what a provider accepts.
 */
export function actionSchema(
  tool: ToolDocument | { [name: string]: JsonInput } | string,
  options?: { style?: 'one_of' | 'flat' },
): { [name: string]: Json };
