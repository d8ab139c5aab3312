/** Writing a tool: a function with a name and schemas, and the program around it. */

import type {
  Answer,
  AnswerState,
  Block,
  Envelope,
  Json,
  JsonInput,
  Parsed,
  ToolDocument,
} from './index.js';

/**
 * A schema of a library, such as zod, arktype or valibot, by the Standard Schema interface. It must be
 * able to tell its JSON Schema, as `~standard.jsonSchema` of the Standard JSON Schema interface.
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

/** What a tool can give as a schema. */
export type Schema = StandardSchema<any, any> | JsonSchema;

/** The type of the values that come out of a schema: parsed by a library, or as a JSON Schema describes them. */
export type SchemaOutput<S> =
  S extends StandardSchema<any, any> ? NonNullable<S['~standard']['types']>['output'] : Described<S>;

/** The type of the values that go into a schema, before a library has parsed them. */
export type SchemaInput<S> =
  S extends StandardSchema<any, any> ? NonNullable<S['~standard']['types']>['input'] : Described<S>;

/** What a JSON Schema describes, as far as its keywords say it; `any` where they are not known. */
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

/** The arguments that a caller gives. */
type Given<Input> = undefined extends Input ? { [name: string]: never } : SchemaInput<Input>;

/**
 * What a tool's function may return: anything that becomes an answer (see `tool`). With an `output`, a
 * value of it; a block or a whole envelope is one's own matter.
 */
export type Returned<Output> = undefined extends Output ? unknown : SchemaOutput<Output> | Block | Envelope | Parsed;

export interface ToolDefinition<Input, Output> {
  /** 1 to 128 ASCII letters, digits, `_`, `-` and `.`. */
  name: string;
  /** The name as people read it. */
  title?: string;
  /** What the tool does and when to use it, for a model. */
  description?: string;
  /** The schema of the arguments; without one the tool takes none. */
  input?: Input;
  /** The schema of what the function returns, which becomes `structuredContent`. */
  output?: Output;
  /** It changes nothing. */
  readOnly?: boolean;
  /** It may destroy something. */
  destructive?: boolean;
  /** To do it again with the same arguments has no further effect. */
  idempotent?: boolean;
  /** It reaches beyond this machine. */
  openWorld?: boolean;
  /** Says what the arguments mean, for a person who decides whether to let the tool run; it must not do the job. */
  formatArguments?: (args: Arguments<Input>, context: Context) => Returned<undefined> | PromiseLike<Returned<undefined>>;
}

export interface CallOptions {
  /** The values of questions that were answered, by their ids. */
  answers?: { readonly [id: string]: JsonInput };
  /** What became of the other questions that were asked. */
  states?: { readonly [id: string]: Exclude<AnswerState, 'accepted'> };
  /** What the host is configured to pass to the tool. */
  options?: { readonly [name: string]: JsonInput };
  /** The root of the workspace. */
  root?: string;
  /** `run` by default. */
  action?: 'run' | 'format_arguments';
}

/** What `tool` makes. */
export interface Tool<Input = any> {
  readonly name: string;
  /**
   * Runs the tool in this process, as a host would by a call, for tests: the answer is what the program
   * would write, with its questions or its error. A question without an answer is in it, with its id; an
   * answer that does not fit its question is thrown as a `ToolError`.
   */
  call(args?: Given<Input>, options?: CallOptions): Promise<Envelope>;
  /** The tool as MCP has it. */
  toJSON(): ToolDocument;
}

/**
 * Makes a tool of a function. The function gets the arguments, which fit `input`, and a context.
 *
 * It may return a string, text in bytes, a block, an array of blocks and strings, an envelope, or
 * nothing; an object becomes `structuredContent`, and any other value its member `result`. With an
 * `output` every value does, strings and arrays too. What a generator yields is emitted. What is thrown
 * becomes an error envelope with the chain of causes; the stack goes to standard error.
 *
 * Throws `bad_argument`, `bad_option` or `bad_description` for what is no definition.
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
 * The program around the tools, all that were made or those given: it reads the call from standard
 * input, writes the answer, and ends the process with status 0, or 1 for an error, or 2 where it can't
 * be written. It does not wait for timers or connections that are still open.
 */
export function main(...tools: Tool[]): Promise<never>;

declare const asked: unique symbol;

/** A question without its id. */
export interface Ask<Value = any> {
  /** Only for the type of the answer; it is not there. */
  readonly [asked]?: Value;
  toJSON(): { text: string; schema: { [name: string]: Json }; default?: Json };
  toString(): string;
}

/** What became of a question: an `Answer` whose value has the type of what was asked. */
export type TypedAnswer<Value> = Pick<Answer, 'source'> &
  (
    | { readonly accepted: true; readonly state: 'accepted'; readonly value: Value }
    | { readonly accepted: false; readonly state: Exclude<AnswerState, 'accepted'>; readonly value: undefined }
  );

/** One call, as the tool sees it. */
export interface Context {
  readonly action: 'run' | 'format_arguments';
  /** The root of the workspace: an absolute path or a `file:` URI. */
  readonly root: string | undefined;
  /** The arguments as they came, before a schema's library parsed them. */
  readonly arguments: { [name: string]: Json };
  /** What the host is configured to pass to this tool. */
  readonly options: { [name: string]: Json };
  /**
   * The value of an answer. Where there is none yet, the question is asked and the run ends; where it
   * was declined, cancelled or could not be asked, the host ends the call and says why, unless there
   * is `otherwise`.
   */
  answer<Value>(id: string, ask: Ask<Value>): Value;
  answer<Value, Fallback>(id: string, ask: Ask<Value>, options: { otherwise: Fallback }): Value | Fallback;
  /** What became of a question; where it has not been asked yet, it is, and the run ends. */
  ask<Value>(id: string, ask: Ask<Value>): TypedAnswer<Value>;
  /** The values of several answers, by ids; those that are missing are asked all at once. */
  answers<Asks extends { readonly [id: string]: Ask }, Fallback = never>(
    asks: Asks,
    options?: { otherwise?: Fallback },
  ): { [Id in keyof Asks]: (Asks[Id] extends Ask<infer Value> ? Value : never) | Fallback };
  /** Puts blocks into the answer, in front of what is returned; a string is a block of text. */
  emit(...blocks: (Block | string)[]): void;
}

/**
 * Thrown where a context asks and there is no answer yet: it ends the run, and with the answer the
 * tool is called again. To catch it changes nothing; the question is asked all the same.
 */
export class Stop extends Error {
  private constructor();
  readonly name: 'Stop';
}

export interface ToolErrorOptions {
  /** Whether the same call may succeed later; otherwise the kinds of the error's causes tell. */
  transient?: boolean;
  /** What it came from; it is told in the trace. */
  cause?: unknown;
}

/**
 * What did not work and is no mistake in the tool: a file is not there, a server is busy. The message is
 * for a person and a model. As every error that a function throws it becomes the answer, but no stack is
 * written to stderr for it.
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
  /** What the author has said of it. */
  readonly transient?: boolean;
}

export interface AskOptions<Value> {
  /** What is suggested. */
  default?: Value;
}

/** A value to choose, or one with words for it. */
export type Option<Value> = Value | { readonly value: Value; readonly label?: string; readonly description?: string };

/** Asks for yes or no. */
export function boolean(text: string, options?: AskOptions<boolean>): Ask<boolean>;

/** Asks for one of several values. */
export function select<const Value extends string | number | boolean | null>(
  text: string,
  choices: readonly Option<Value>[],
  options?: AskOptions<NoInfer<Value>>,
): Ask<Value>;

/** Asks for some of several values. */
export function multiSelect<const Value extends string | number | boolean | null>(
  text: string,
  choices: readonly Option<Value>[],
  options?: AskOptions<readonly NoInfer<Value>[]> & { minItems?: number; maxItems?: number },
): Ask<Value[]>;

/** Asks for a text. Never for a password or another secret: hosts refuse such questions. */
export function string(
  text: string,
  options?: AskOptions<string> & { minLength?: number; maxLength?: number; pattern?: string; format?: string },
): Ask<string>;

/** Asks for a number. */
export function number(text: string, options?: AskOptions<number> & { minimum?: number; maximum?: number }): Ask<number>;

/** Asks for a whole number. */
export function integer(text: string, options?: AskOptions<number> & { minimum?: number; maximum?: number }): Ask<number>;

/** Asks for anything that a schema describes. The value is what the host sends, which fits the JSON Schema. */
export function form<const S extends Schema>(
  text: string,
  schema: S,
  options?: AskOptions<SchemaInput<NoInfer<S>>>,
): Ask<SchemaInput<S>>;
