/** For a host that runs tools in its own way: the state machine of a tool that keeps running, and the questions of a call. */

import type { Answer, AskedQuestion, Envelope, Input, Json, JsonInput, Parsed, ReadOptions } from './index.js';
import type { ExchangeOptions, PendingQuestion, Result } from './run.js';
import type { AnswerSource, AnswerState, CallDocument, DiagnosticCode, EnvelopeDocument, Limits, Mismatch, SessionAction } from './types.generated.js';

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

/** What to do next in an exchange. */
export type Step =
  | {
      step: 'call';
      /** The call document for the tool. */
      document: string;
    }
  | { step: 'ask'; asking: PendingQuestion }
  | { step: 'done' };

/**
 * The loop of {@link run} without running anything: it says what to do next, and takes the results.
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
  /** Starts with a call. Throws as `readCall` does if it is not a call document. */
  constructor(call: CallDocument | Input, options?: ExchangeOptions & { limits?: Limits });
  step(): Step;
  /** Takes the tool's answer to the call. */
  handleResult(answer: Input | Parsed | Envelope, options?: ReadOptions): void;
  /** Takes the answer to the pending question. Returns the places where it does not fit; empty if it does. */
  handleAnswer(id: string, answer: JsonInput | Answer): Mismatch[];
  /** Returns the result and ends the exchange. If there was no result yet, the call is cancelled. */
  finish(): Result;
}
