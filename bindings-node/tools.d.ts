/**
 * The tools of a host under one object, whatever names them.
 */

import type { JsonInput, Parsed } from './index.js';
import type { Tool } from './author.js';
import type { providers } from './api.generated.js';
import type { Manifest, Program } from './run.js';
import type { AddToolOptions, Sessions, SessionsOptions } from './sessions.js';
import type { MappedMember, MessageProvider, ModelCall, ToolDocument } from './types.generated.js';

/** An object of a provider's API, whose types are those of its SDK. */
type ProviderJson = any;
type MessageOptions = NonNullable<Parameters<typeof providers.toMessage>[3]>;
type ToolsOptions = NonNullable<Parameters<typeof providers.toTools>[2]>;

/** How the tools of a source are added. */
export interface AddSourceOptions extends Omit<AddToolOptions, 'session' | 'size' | 'name' | 'description'> {
  /** Whether you agree to a command that comes from a launch URI or the file of an MCP client. */
  trust?: boolean;
  /** Headers for a URL. */
  headers?: { readonly [name: string]: string };
  /** The file of an MCP client in which a name is looked up. */
  config?: string | URL;
  /** The path of a `toolwire.lock`, as which the source and its tools have to be. */
  lock?: string | URL;
  /** How many milliseconds a server may take until it is ready. */
  connectTimeout?: number;
}

/** The answer to a model's response. */
export interface ToolTurn {
  /** What the next request has behind its messages: the model's turn, then the results. */
  readonly messages: ProviderJson[];
  /** The calls; none if no tool was called. */
  readonly calls: ModelCall[];
  /** What each call has given. */
  readonly results: Parsed[];
  /** For each call, what was repaired in it and what became of its result. */
  readonly reports: MappedMember[][];
}

/** The tools of a host. Close it at the end; until then it keeps Node alive. */
export class Tools {
  constructor(options?: SessionsOptions);
  /** The handles of tools that keep running. */
  readonly sessions: Sessions;
  /**
   * Adds the tools of a source and gives their names: the path of a marked program, of a folder or of a manifest, a URL,
   * a launch URI, a profile (`@NAME`) or a name; an array of a program and its arguments, which is a marked tool or else
   * an MCP server; what `loadManifest` gives; or functions that `tool` makes.
   */
  add(source: Program | Manifest | Tool | readonly Tool[], options?: AddSourceOptions): Promise<string[]>;
  /** The descriptions of the tools, by name. */
  list(): ToolDocument[];
  /** Calls a tool as a model does: its result, whatever happens. */
  call(name: string, args: { readonly [name: string]: JsonInput } | string): Promise<Parsed>;
  /** The definitions for a request. Their names are remembered for {@link respond}. */
  definitions(provider: MessageProvider, options?: ToolsOptions): ProviderJson[];
  /**
   * Answers a model's whole response: runs its calls, those that only read side by side and others one by one, and
   * gives the messages for the next request. Whatever the model wrote or a tool does is a result that the model can
   * read. For `ai_sdk`, the response is what `generateText` gives.
   */
  respond(
    provider: MessageProvider,
    message: object | string,
    options?: Omit<MessageOptions, 'outputSchema'> & { signal?: AbortSignal },
  ): Promise<ToolTurn>;
  /** Ends all tools and connections; nothing of them is left. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}
