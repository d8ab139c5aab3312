/** Writing a tool: a function with a name and schemas, and the program that runs it. */

import type {
  Answer,
  AnswerState,
  Block,
  Envelope,
  Json,
  JsonInput,
  Parsed,
  SessionAction,
  ToolDocument,
} from './index.js';
import type { Level } from './types.generated.js';

/**
 * A schema of a library such as zod, arktype or valibot, which implements the Standard Schema interface.
 * It must be able to produce JSON Schema: `~standard.jsonSchema` of the Standard JSON Schema interface.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    readonly jsonSchema?:
      | { input(options: { target: string }): object; output(options: { target: string }): object }
      | undefined;
  };
}

/** A JSON Schema (2020-12). */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

/** A schema that a tool can use. */
export type Schema = StandardSchema<any, any> | JsonSchema;

/** The type of the values that a schema produces: parsed by a library, or as a JSON Schema describes them. */
export type SchemaOutput<S> =
  S extends StandardSchema<any, any> ? NonNullable<S['~standard']['types']>['output'] : Described<S>;

/** The type of the values that a schema accepts, before a library parses them. */
export type SchemaInput<S> =
  S extends StandardSchema<any, any> ? NonNullable<S['~standard']['types']>['input'] : Described<S>;

/** The type that a JSON Schema describes, as far as it can be inferred; otherwise `any`. */
type Described<S> = S extends { readonly const: infer Value }
  ? Value
  : S extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : S extends { readonly type: readonly (infer Type)[] }
      ? Typed<Type, S>
      : S extends { readonly type: infer Type }
        ? Typed<Type, S>
        : any;

type Typed<Type, S> = Type extends 'string'
  ? string
  : Type extends 'number' | 'integer'
    ? number
    : Type extends 'boolean'
      ? boolean
      : Type extends 'null'
        ? null
        : Type extends 'array'
          ? S extends { readonly items: infer Items }
            ? Described<Items>[]
            : any[]
          : Type extends 'object'
            ? S extends { readonly properties: infer Properties }
              ? Members<Properties, S extends { readonly required: readonly (infer Name)[] } ? Name : never>
              : { [name: string]: any }
            : any;

type Members<Properties, Required> = {
  -readonly [Name in keyof Properties as Name extends Required ? Name : never]: Described<Properties[Name]>;
} & {
  -readonly [Name in keyof Properties as Name extends Required ? never : Name]?: Described<Properties[Name]>;
};

/** The arguments of a tool's function. */
type Arguments<Input> = undefined extends Input ? { [name: string]: never } : SchemaOutput<Input>;

/** The arguments that a caller passes. */
type Given<Input> = undefined extends Input ? { [name: string]: never } : SchemaInput<Input>;

/**
 * The values that a tool's function may return: anything that can become an answer (see `tool`). With an
 * `output` schema, a value that fits it, or a block or an envelope.
 */
export type Returned<Output> = undefined extends Output ? unknown : SchemaOutput<Output> | Block | Envelope | Parsed;

export interface ToolDefinition<Input, Output> {
  /** 1 to 128 ASCII letters, digits, `_`, `-` and `.`. */
  name: string;
  /** The name for people. */
  title?: string;
  /** Tells a model what the tool does and when to use it. */
  description?: string;
  /** The schema of the arguments. Without it, the tool takes none. */
  input?: Input;
  /** The schema of the value that the function returns, which becomes `structuredContent`. */
  output?: Output;
  /** Hint: the tool changes nothing. */
  readOnly?: boolean;
  /** Hint: the tool may destroy something. */
  destructive?: boolean;
  /** Hint: repeating a call with the same arguments has no further effect. */
  idempotent?: boolean;
  /** Hint: the tool reaches beyond this machine. */
  openWorld?: boolean;
  /** Whether one process may answer many calls (default: true). Say no if a call changes its process. */
  warm?: boolean;
  /** Explains the arguments to the person who decides whether the tool may run. It must not change anything. */
  formatArguments?: (args: Arguments<Input>, context: Context) => Returned<undefined> | PromiseLike<Returned<undefined>>;
}

/** A tool that keeps running, with `session` or `actions`. */
export type SessionDefinition<Input, Output> = ToolDefinition<Input, Output> &
  (
    | { session: true; actions?: readonly SessionAction[] }
    /** What can be done besides `spawn` and `fetch`: `apply` gives it input, `abort` ends it. */
    | { session?: true; actions: readonly SessionAction[] }
  );

export interface CallOptions {
  /** The values of accepted answers, by question id. */
  answers?: { readonly [id: string]: JsonInput };
  /** The states of answers that were not accepted, by question id. */
  states?: { readonly [id: string]: Exclude<AnswerState, 'accepted'> };
  /** The settings that the host passes to the tool. */
  options?: { readonly [name: string]: JsonInput };
  /** The root of the workspace. */
  root?: string;
  /** Default: `run`. */
  action?: 'run' | 'format_arguments';
  /** What is applied to a tool that keeps running, one after the other; then the session is to end. */
  inputs?: readonly JsonInput[];
}

/** A tool, as made by `tool`. */
export interface Tool<Input = any> {
  readonly name: string;
  /**
   * Runs the tool in this process, for tests. The result is the answer that the program would write, with
   * its questions or its error. If a question has no answer, the result contains the question, with its
   * id. If an answer does not fit its question, the promise is rejected with a `ToolError`.
   */
  call(args?: Given<Input>, options?: CallOptions): Promise<Envelope>;
  /** The description of the tool, in the form that MCP uses. */
  toJSON(): ToolDocument;
}

/**
 * Turns a function that keeps running into a tool: it says things as it goes, asks, receives what is applied to it, and
 * is told when it is to end.
 *
 * It can be called as one that runs once too. What it says then comes all together, a question ends the run until there
 * is an answer, and when it first waits for input without a limit it is to end.
 *
 * ```js
 * tool({ name: 'echo', actions: ['apply', 'abort'] }, async (_, session) => {
 *   for await (const input of session.inputs) await session.emit(`You said ${input}.`);
 *   return 'Bye.';
 * });
 * ```
 */
export function tool<
  const Input extends Schema | undefined = undefined,
  const Output extends Schema | undefined = undefined,
>(
  definition: SessionDefinition<Input, Output>,
  run: (args: Arguments<Input>, session: Session) => Returned<Output> | PromiseLike<Returned<Output>>,
): Tool<Input>;

/**
 * Turns a function into a tool. The function gets the arguments, which fit `input`, and a context.
 *
 * It may return a string, text in bytes, a block, an array of blocks and strings, an envelope, or
 * nothing. An object becomes `structuredContent`, and any other value becomes its member `result`. With an
 * `output` schema this applies to every value, including strings and arrays. Values that a generator yields
 * are emitted. An exception becomes an error envelope with its chain of causes; its stack goes to stderr.
 *
 * Throws `bad_argument`, `bad_option` or `bad_description` if the definition is wrong.
 *
 * ```js
 * const greet = tool({ name: 'greet', input: z.object({ name: z.string() }) }, ({ name }) => `Hello ${name}.`);
 * String(await greet.call({ name: 'Ada' })); // '{"content":[{"text":"Hello Ada.","type":"text"}]}'
 * ```
 */
export function tool<
  const Input extends Schema | undefined = undefined,
  const Output extends Schema | undefined = undefined,
>(
  definition: ToolDefinition<Input, Output>,
  run: (args: Arguments<Input>, context: Context) => Returned<Output> | PromiseLike<Returned<Output>>,
): Tool<Input>;

/**
 * Runs the program that holds the given tools, or all tools that were defined. It reads the call from
 * stdin, writes the answer, and exits the process: with status 0, 1 if the answer is an error, or 2 if the
 * answer cannot be written. It does not wait for timers or open connections.
 *
 * A host that starts the program to stay gets the answers of many calls: async functions run side by side, and what goes
 * wrong in one call ends no other. What is printed in a call, and its progress, reaches that call.
 */
export function main(...tools: Tool[]): Promise<never>;

declare const asked: unique symbol;

/** A question without its id. */
export interface Ask<Value = any> {
  /** Carries the type of the answer; it does not exist at run time. */
  readonly [asked]?: Value;
  toJSON(): { text: string; schema: { [name: string]: Json }; default?: Json; url?: string };
  toString(): string;
}

/** An `Answer` whose value has the type that the question asks for. */
export type TypedAnswer<Value> = Pick<Answer, 'source'> &
  (
    | { readonly accepted: true; readonly state: 'accepted'; readonly value: Value }
    | { readonly accepted: false; readonly state: Exclude<AnswerState, 'accepted'>; readonly value: undefined }
  );

/** What every tool knows of its call. */
export interface Called {
  /** The root of the workspace: an absolute path or a `file:` URI. */
  readonly root: string | undefined;
  /** The arguments as they were received, before the library of the schema parsed them. */
  readonly arguments: { [name: string]: Json };
  /** The settings that the host passes to this tool. */
  readonly options: { [name: string]: Json };
  /** Where the call belongs in a distributed trace, as W3C Trace Context has it, if the host says so. */
  readonly trace: { readonly traceparent?: string; readonly tracestate?: string; readonly baggage?: string };
}

/** One call, as the tool sees it. */
export interface Context extends Called {
  readonly action: 'run' | 'format_arguments';
  /**
   * Aborted when nobody waits for the answer any more, where the process goes on: for a function that `serve` calls,
   * and in a program that a host keeps. A program that was started for one call is ended instead.
   */
  readonly signal: AbortSignal;
  /**
   * The value of the answer. If there is no answer yet, the question is asked and the run ends. If it was
   * declined, cancelled or could not be asked, this returns `otherwise`; without `otherwise`, the host ends
   * the call and says why. For a page that was opened, this returns true.
   */
  answer<Value>(id: string, ask: Ask<Value>): Value;
  answer<Value, Fallback>(id: string, ask: Ask<Value>, options: { otherwise: Fallback }): Value | Fallback;
  /**
   * The answer with its state. If there is none yet, the question is asked and the run ends. With `again`, a
   * page that was opened is asked again, because the tool has looked and the person is not done there.
   */
  ask<Value>(id: string, ask: Ask<Value>, options?: { again?: boolean }): TypedAnswer<Value>;
  /** The values of several answers, by id. Questions without an answer are asked together. */
  answers<Asks extends { readonly [id: string]: Ask }, Fallback = never>(
    asks: Asks,
    options?: { otherwise?: Fallback },
  ): { [Id in keyof Asks]: (Asks[Id] extends Ask<infer Value> ? Value : never) | Fallback };
  /** Adds blocks to the answer, before the ones that are returned. A string becomes a block of text. */
  emit(...blocks: (Block | string)[]): void;
}

/** A tool that keeps running, as its function sees it. */
export interface Session extends Called {
  readonly action: 'run';
  /** Whether the tool keeps running while it is used, rather than to be called once. */
  readonly isLive: boolean;
  /**
   * Aborted when the session is to end, with a `SessionEnded` as its `reason`: clean up, and return. It can be given to
   * whatever takes a signal, such as `fetch`.
   */
  readonly ending: AbortSignal;
  /** What is applied to the session, one after the other. It ends when the session is to end. */
  readonly inputs: AsyncIterableIterator<any>;
  /**
   * The next input; undefined if there is none within `timeout` milliseconds. Rejected with `SessionEnded` when the
   * session is to end.
   */
  receive(options?: { timeout?: number }): Promise<any>;
  /** Waits for so many milliseconds. Rejected with `SessionEnded` when the session is to end. */
  sleep(time: number): Promise<void>;
  /** Says something now: blocks, or strings as blocks of text. Where the host does not read, it waits. */
  emit(...blocks: (Block | string)[]): Promise<void>;
  /**
   * Asks, and waits for the answer with its state; other tasks of the tool go on. With `person`, the question is for the
   * user alone. Rejected with `SessionEnded` when the session is to end.
   */
  ask<Value>(id: string, ask: Ask<Value>, options?: { person?: boolean }): Promise<TypedAnswer<Value>>;
  /**
   * The value of the answer. If the question was declined, cancelled or could not be asked, this is `otherwise`, or fails
   * without it. For a page that was opened, it is true.
   */
  answer<Value>(id: string, ask: Ask<Value>): Promise<Value>;
  answer<Value, Fallback>(id: string, ask: Ask<Value>, options: { otherwise: Fallback }): Promise<Value | Fallback>;
  /** The values of several answers, by id. The questions are asked together. */
  answers<Asks extends { readonly [id: string]: Ask }, Fallback = never>(
    asks: Asks,
    options?: { otherwise?: Fallback },
  ): Promise<{ [Id in keyof Asks]: (Asks[Id] extends Ask<infer Value> ? Value : never) | Fallback }>;
}

/**
 * Thrown by whatever waits in a session that is to end, and the `reason` of its signal. That a function fails with it, or
 * with an error that it has caused, is no failure.
 */
export class SessionEnded extends Error {
  private constructor();
  readonly name: 'SessionEnded';
  readonly reason: 'aborted' | 'timed_out' | 'idle' | 'turn_ended' | 'host_ended';
}

/**
 * Thrown by a context if a question has no answer yet. It ends the run; the tool is called again with the
 * answer. Catching it changes nothing: the question is asked all the same.
 */
export class Stop extends Error {
  private constructor();
  readonly name: 'Stop';
}

export interface ToolErrorOptions {
  /** Whether the same call may succeed later. If it is left out, the kinds of the causes decide. */
  transient?: boolean;
  /** The cause, which appears in the trace. */
  cause?: unknown;
}

/**
 * An expected failure that is not a bug in the tool, such as a missing file or a busy server. The message is
 * for people and models. Like any error that a function throws it becomes the answer, but without a stack on
 * stderr.
 *
 * @example
 * import { tool, ToolError } from 'toolwire';
 *
 * const show = tool({ name: 'show', input: { properties: { branch: { type: 'string' } } } }, ({ branch }) => {
 *   throw new ToolError(`there is no branch \`${branch}\``);
 * });
 * console.log((await show.call({ branch: 'mian' })).blocks[0].text);
 * // → there is no branch `mian`
 */
export class ToolError extends Error {
  constructor(message: string, options?: ToolErrorOptions);
  readonly name: string;
  /** As given by the author. */
  readonly transient?: boolean;
}

export interface AskOptions<Value> {
  /** The suggested answer. */
  default?: Value;
}

/** A choice: a value, or a value with a label and a description. */
export type Option<Value> = Value | { readonly value: Value; readonly label?: string; readonly description?: string };

/** Asks for yes or no. */
export function boolean(text: string, options?: AskOptions<boolean>): Ask<boolean>;

/** Asks for one of several values. */
export function select<const Value extends string | number | boolean | null>(
  text: string,
  choices: readonly Option<Value>[],
  options?: AskOptions<NoInfer<Value>>,
): Ask<Value>;

/** Asks for any number of several values. */
export function multiSelect<const Value extends string | number | boolean | null>(
  text: string,
  choices: readonly Option<Value>[],
  options?: AskOptions<readonly NoInfer<Value>[]> & { minItems?: number; maxItems?: number },
): Ask<Value[]>;

/** Asks for text. Never ask for a password or another secret: hosts refuse such questions. */
export function string(
  text: string,
  options?: AskOptions<string> & { minLength?: number; maxLength?: number; pattern?: string; format?: string },
): Ask<string>;

/** Asks for a number. */
export function number(text: string, options?: AskOptions<number> & { minimum?: number; maximum?: number }): Ask<number>;

/** Asks for an integer. */
export function integer(text: string, options?: AskOptions<number> & { minimum?: number; maximum?: number }): Ask<number>;

/** Asks for a value that a schema describes. The answer is the value that the host sends; it fits the JSON Schema. */
export function form<const S extends Schema>(
  text: string,
  schema: S,
  options?: AskOptions<SchemaInput<NoInfer<S>>>,
): Ask<SchemaInput<S>>;

/**
 * Says how far the tool has come: `done` of `total`, in any unit, and what it does just now.
 *
 * It does nothing if nobody listens, and may be called as often as you like: reports that come faster than
 * anybody can read are left out.
 *
 * ```js
 * for (const [number, file] of files.entries()) progress(number, files.length, file);
 * ```
 */
export function progress(done: number, total?: number | null, message?: string | null): void;

/**
 * Writes a log message for whoever follows the call. It does nothing if nobody listens. `logger` names a part of
 * the tool.
 *
 * ```js
 * log('warning', 'the cache is cold', { logger: 'db' });
 * ```
 */
export function log(level: Level, message: string, options?: { logger?: string }): void;

/**
 * Asks a person to open a page, for example to sign in, so that the host never sees what is entered there. The
 * host opens it only if the person agrees; the answer then has the state `opened` and no value. Look for
 * yourself whether the person is done, and ask again with `{ again: true }` if not.
 */
export function page(text: string, url: string): Ask<boolean>;
