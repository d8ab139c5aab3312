/**
 * MCP on both sides: calling the tools of servers, and serving tools to clients.
 */

import type { JsonInput } from './index.js';
import type { Tool } from './author.js';
import type { ExchangeOptions, ProcessOptions, Program, RunOptions, RunResult } from './run.js';
import type { McpRevision, ToolDocument } from './types.generated.js';

/** How an MCP server is reached and used. */
export interface ConnectOptions extends Pick<ProcessOptions, 'cwd' | 'inherit' | 'env' | 'limits'> {
  /** What messages and questions call the server; what it calls itself is its own claim. */
  name?: string;
  /** The file of an MCP client in which a name is looked up; default: the usual files of the usual clients. */
  config?: string | URL;
  /** Whether the command of a launch URI or of such a file may start, although no person has agreed to it. */
  trust?: boolean;
  /** Headers for every request to a URL, and to nobody else; one that is undefined is left out. */
  headers?: { readonly [name: string]: string | undefined };
  /** How many milliseconds the server may take until it is ready, and to list its tools; default: one minute. */
  connectTimeout?: number;
  /** How many milliseconds a call may be silent: each notice of progress begins them anew. Default: no limit. */
  timeout?: number;
  /**
   * How many milliseconds a call with a `timeout` may take in all, without the time for answers; default: one hour,
   * or the time-out if that is longer.
   */
  maxTimeout?: number;
  /** Maximum number of bytes of one message of the server; default 64 MiB. */
  maxMessage?: number;
  /** Whether the server gets the context of calls, although it does not declare that it knows Toolwire. */
  sendContext?: boolean;
  /** Gives up connecting. The promise is rejected with the signal's reason. Later it does nothing. */
  signal?: AbortSignal;
}

/** How a tool of a server is called. */
export type ServerCallOptions = ExchangeOptions &
  Pick<RunOptions, 'options' | 'root' | 'answerer' | 'onProgress' | 'onLog' | 'onStderr' | 'signal'>;

/** A connection to an MCP server; {@link connect} gives it. */
export interface Client {
  /** The revision of MCP that is spoken. */
  readonly revision: McpRevision;
  /** What the server calls itself, which it may choose freely. It is untrusted text. */
  readonly claimedName?: string;
  /** What the server says about its use. It is untrusted text. */
  readonly instructions?: string;
  /**
   * The tools, in the order of the server. They are read again once the server has said that they changed. Throws
   * `bad_tools`, `not_connected` or `timeout`.
   */
  listTools(options?: { signal?: AbortSignal }): Promise<ToolDocument[]>;
  /**
   * Calls a tool, and gets what the server asks answered. Whatever the server does, there is a result, as of
   * {@link run}: an end of the connection, a time-out or an error of the protocol is an error for the model. Members
   * about a process say nothing here. Throws as {@link run} does, and `not_connected` if the connection was closed.
   */
  call(tool: string, args?: { readonly [name: string]: JsonInput }, options?: ServerCallOptions): Promise<RunResult>;
  /** Ends the connection. Calls that still run are cancelled, and nothing of the server's program is left. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Connects to an MCP server: an array of a program and its arguments, or one word: an http(s) URL, a launch URI such as
 * `mcp+npx://package`, or else a name, which is looked up in the files of MCP clients as
 * `toolwire run` does it. It speaks the newest revision of
 * MCP that the server speaks too.
 *
 * Close the connection at the end. An open one does not keep Node alive; when this process ends as {@link run} says,
 * its servers end too.
 *
 * Throws a ToolwireError with a `HostErrorCode`; `untrusted_server` for the command of a launch URI or of a file to
 * which nobody has agreed with `toolwire trust --server`. If a profile (`@NAME`) names the server and its tools are not as
 * that expects, it throws `unexpected_tools` or warns by `process.emitWarning` with that code, as its `schema_validation` says.
 *
 * ```js
 * const client = await connect(['npx', '-y', '@modelcontextprotocol/server-everything']);
 * const { parsed } = await client.call('get-sum', { a: 1, b: 2 });
 * await client.close();
 * ```
 */
export function connect(server: Program, options?: ConnectOptions): Promise<Client>;

/** How programs that are served are run; as for `run`. `timeout` is that of a call of a function too. */
type ServedProcesses = Pick<ProcessOptions, 'cwd' | 'inherit' | 'env' | 'timeout' | 'maxOutput'>;

/** Streamable HTTP. Times are in milliseconds. */
export interface HttpOptions {
  /** An address with its port, as in `127.0.0.1:8080`, or a port of this machine; port 0 is any that is free. */
  address: string | number;
  /**
   * A file with the tokens of those who may call, one a line: a principal, `:` and the token. Default: those in the
   * environment variable `TOOLWIRE_HTTP_TOKENS`.
   */
  tokens?: string | URL;
  /** Whether everybody who can connect may call. Without it and `tokens`, a server on the loopback makes a token that `connect` and `toolwire` of the same user find. */
  noToken?: boolean;
  /** Names of hosts under which clients reach this server, besides those of this machine and the address. */
  hosts?: readonly string[];
  /** The origins of web pages that may call, such as `https://app.example.com`. */
  origins?: readonly string[];
  /** Maximum number of bytes of a request; default 4 MiB. */
  maxBody?: number;
  /** Maximum number of connections at once; default 512. More wait. */
  maxConnections?: number;
  /** Maximum number of sessions of older revisions at once, for each principal; default 1000. */
  maxSessions?: number;
  /** How long a connection may be idle; default: one minute. */
  idle?: number;
  /** How long a session of an older revision may be idle; default: 30 minutes. */
  sessionIdle?: number;
  /** How long calls may go on once the server is to end; default: 10 seconds. */
  grace?: number;
}

/** What is served, and how. */
export interface ServeOptions extends ServedProcesses {
  /** The tools of this program; default: all that were made with `tool`. */
  tools?: readonly Tool[];
  /** Programs on disk, which describe their tools themselves. */
  programs?: readonly Program[];
  /** A manifest, all of whose tools are served. */
  manifest?: string | URL;
  /** Only these tools are served, by the names under which clients see them, or patterns such as `git_*`. */
  only?: readonly string[];
  /** These tools are not served, by the same names and patterns. */
  except?: readonly string[];
  /** Whether each tool of a program has the name of its program and `_` before its own name. */
  prefix?: boolean;
  /** Over HTTP, at an address, at a port of this machine, or with all that there is to say; default: over stdin and stdout. */
  http?: string | number | HttpOptions;
  /** What the server calls itself; default `toolwire`. */
  name?: string;
  /** What it tells models about its use. */
  instructions?: string;
  /** Maximum number of tools on a page of the list, from 1 to 1000; default 100. */
  pageSize?: number;
  /** Maximum number of calls that run at once; default 32. */
  jobs?: number;
  /** Maximum number of calls that wait for that; default 256. */
  queue?: number;
  /** With more tools than this, clients are shown one to search them and one to call what was found, instead of all. */
  searchAbove?: number;
  /** Whether clients are shown schemas without references and keywords of a dialect. */
  plainSchemas?: boolean;
  /** Of a result with more bytes of text than this, a client gets the beginning, and a tool to read and search the rest. */
  keepResults?: number;
  /** A file with the keys that seal `requestState`; default: the environment variable `TOOLWIRE_STATE_KEYS`, or a key of this process. */
  stateKeys?: string | URL;
  /** How many milliseconds questions can be answered where a call ends with them (2026-07-28); default: 10 minutes. */
  stateLifetime?: number;
  /** The root of the workspace, which tools are told: an absolute path or a `file:` URI. */
  root?: string | URL;
  /** Ends the server. */
  signal?: AbortSignal;
}

/** A server that runs; {@link serve} gives it. It keeps Node alive until it has ended. */
export interface Serving {
  /** Where clients connect to, over HTTP. */
  readonly url?: string;
  /**
   * Fulfilled when the server has ended: by `close`, by the signal, or over stdio when its client leaves. Rejected
   * with a ToolwireError, `not_served` among others, if none of its tools can be served.
   */
  readonly ended: Promise<void>;
  /** Ends the server. Over HTTP, calls may go on for a while first; nothing is left of its programs. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Serves tools to MCP clients: the functions of this program, called in it, and programs on disk. Questions of the
 * tools become elicitation. Call it in place of `main`.
 *
 * Over stdio, stdin and stdout are the client's from then on: what is printed goes to stderr, and whoever reads stdin
 * finds nothing there. (On Windows, you have to redirect the stdout of a child process yourself.)
 *
 * Functions share their process: one that blocks it holds up all others, and one that ends it ends the server. Serve
 * a program instead if you do not trust it. When a call is given up, `ctx.signal` tells its function.
 *
 * Throws a ToolwireError, `not_served`, if there can be no server: the address, the keys or the tokens are no good.
 *
 * ```js
 * tool({ name: 'now' }, () => new Date().toISOString());
 * const serving = await serve({ http: 8080 });
 * process.once('SIGTERM', () => serving.close());
 * ```
 */
export function serve(options?: ServeOptions): Promise<Serving>;
