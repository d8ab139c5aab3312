/** Calls, answers and questions as they are handed in. */

import type { AskedQuestion, Block, Input, Json, JsonInput } from './index.js';
import type { Action, AnswerSource, AnswerState } from './types.generated.js';

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
  /** The JSON text of the value, unchanged, if the answer was read by `questions.readTemplate`. */
  readonly valueText: string | undefined;
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

/** A question: a block, the object in one, or its JSON text. */
export type QuestionInput =
  | Block
  | AskedQuestion
  | { id: string; text: string; schema: { [name: string]: JsonInput }; default?: JsonInput; url?: string }
  | Input;
