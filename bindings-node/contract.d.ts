/**
 * Contracts of tools: fingerprints, differences, lock files, launch URIs, profiles, and what a text hides. Nothing
 * here reads a file, opens a connection or starts a program.
 *
 * Where an object is taken, its JSON text can be given instead; all digits of its numbers then count.
 */

import type { Input, Json } from './index.js';
import type { MappedMember } from './call.js';
import type { Diagnostic } from './types.generated.js';

/** An object, or its JSON text. */
type Document = object | Input;

/** What is computed of a tool: digests that begin with `sha256:`, or the texts that they are the digests of. */
export interface Fingerprint {
  /** The tool's name and its schemas, without words. */
  contract: string;
  /** What people and models read of it. */
  text: string;
  /** Its annotations and actions, and how its server is launched. */
  safety: string;
}

/** How a tool's fingerprints are computed. */
export interface FingerprintOptions {
  /** Facts about how its server is launched, which count as safety. */
  launch?: { readonly [name: string]: Json };
  /** The most schemas that one schema of the tool may consist of; default 100,000. */
  maxSchemas?: number;
}

/**
 * Computes the fingerprints of a tool as MCP lists it. Throws `bad_tool` if it is none, and `limit_schemas`.
 *
 * ```js
 * const tool = { name: 'find', inputSchema: { type: 'object', required: ['a', 'b'] } };
 * const same = { name: 'find', inputSchema: { required: ['b', 'a'], type: 'object' } };
 * console.log(fingerprint(tool).contract === fingerprint(same).contract); // true
 * ```
 */
export function fingerprint(tool: Document, options?: FingerprintOptions): Fingerprint;

/** The three texts whose digests {@link fingerprint} gives, to see why two tools do not have the same. */
export function projectTool(tool: Document, options?: FingerprintOptions): Fingerprint;

/**
 * The MD5 that JN keeps of a list of tools in its profiles, for old profiles only. Throws `no_jn_hash` where JN
 * cannot compute it.
 */
export function jnHash(tools: readonly object[] | Input): string;

/** How grave a change is; the gravest last. */
export type ChangeVerdict = 'same' | 'compatible' | 'text' | 'behaviour' | 'safety' | 'unknown' | 'breaking';

/** What has changed in a tool. */
export interface Change {
  /** The name of the tool. */
  tool: string;
  /** A JSON Pointer into the new tool, or into the old one for what is gone. */
  place: string;
  /** What has changed, such as `parameter_removed`. */
  what: string;
  verdict: ChangeVerdict;
  old?: Json;
  new?: Json;
  /** Arguments, a result or a name that shows that the change breaks callers. */
  witness?: { arguments?: Json; result?: Json; name?: string };
  /** Whether it is a guess, such as a new name. */
  guess?: boolean;
  /** What has changed, in words. */
  message: string;
  /** What a caller has to do, if there is anything. */
  advice?: string;
}

/** How tools are compared. */
export interface DiffOptions {
  /** Whether schemas are taken to the letter, so that arguments which they do not declare are allowed. */
  open?: boolean;
  /** The most steps that are spent on a schema. */
  budget?: number;
}

/**
 * What has changed from an old tool to a new one, or from an old list of tools to a new one. Throws `bad_argument` if
 * one of them is neither.
 *
 * ```js
 * const old = { name: 'find', inputSchema: { type: 'object', properties: { q: { type: 'string' } } } };
 * const { verdict } = diffTools(old, { name: 'find', inputSchema: { type: 'object', properties: {} } });
 * console.log(verdict); // breaking
 * ```
 */
export function diffTools(
  older: Document | readonly object[],
  newer: Document | readonly object[],
  options?: DiffOptions,
): { verdict: ChangeVerdict; changes: Change[] };

/** What a launch URI says. */
export interface ReadLaunch {
  /** What it starts and what is wanted of it; {@link formatLaunchUri} takes it. */
  launch: { [name: string]: Json };
  /** The URI in canonical form. */
  uri: string;
  /** The program and its arguments; null for a URL. */
  command: string[] | null;
  /** The facts that count as safety. */
  facts: { [name: string]: Json };
  /** The version of the package, and whether there is only one such; null if none is named. */
  version: { text: string; exact: boolean } | null;
}

/**
 * Reads a launch URI. Nothing is started. Throws `bad_launch_uri`.
 *
 * ```js
 * console.log(parseLaunchUri('mcp+uvx://biomcp-python@1.2/biomcp?command=run').command);
 * // [ 'uvx', '--from', 'biomcp-python==1.2', 'biomcp', 'run' ]
 * ```
 */
export function parseLaunchUri(uri: string): ReadLaunch;

/** Writes a launch as a launch URI in canonical form. */
export function formatLaunchUri(launch: Document): string;

/** Reads a word that names a profile, perhaps with what is wanted of it, such as `@biomcp/search?gene=BRAF`. */
export function parseProfileWord(word: string): { word: { [name: string]: Json }; text: string };

/** Writes such a word in canonical form. */
export function formatProfileWord(word: Document): string;

/** Something that a text hides from its reader. */
export interface Hidden {
  kind: 'invisible' | 'bidi' | 'tag' | 'variation' | 'homoglyph' | 'escape' | 'control' | 'marks';
  /** Where it begins, in bytes of UTF-8. */
  offset: number;
  /** How long it is, in bytes of UTF-8. */
  length: number;
  /** What it is called. */
  name: string;
  /** The text that it stands for, if it stands for one. */
  says?: string;
}

/** Finds what a text hides from its reader: invisible characters, controls, letters of another script and the like. */
export function findHidden(text: string): Hidden[];

/** The text with everything that {@link findHidden} finds made visible. */
export function showHidden(text: string): string;

/** A lock file. */
export interface Lock {
  lockVersion: number;
  /** What is locked of each source, by its name. */
  sources: { [name: string]: Json };
  [name: string]: Json;
}

/** What a source is now. */
export interface Observed {
  /** What it was launched with. */
  launch?: object;
  /** What the server says about its use. */
  instructions?: string | null;
  /** Its tools, as MCP lists them. */
  tools?: readonly object[];
}

/** Reads a lock file. Throws `newer_lock` for one of a newer version, and `bad_lock` for what is no lock. */
export function readLock(data: Input): { lock: Lock; diagnostics: Diagnostic[] };

/** Writes a lock as the text of its file; the same lock always has the same text. */
export function writeLock(lock: Document): string;

/** Replaces what a lock says of one source by what it is now, and returns the text of the lock file. */
export function updateLock(lock: Document, name: string, now: Observed | Input): string;

/** How something is compared with what is locked of it. */
export type LockState = 'same' | 'changed' | 'added' | 'removed' | 'not_verified';

/** How a source is compared with what is locked of it. */
export interface SourceReport {
  name: string;
  state: LockState;
  verdict: ChangeVerdict;
  launch: {
    state: LockState;
    changes: { member: string; verdict: ChangeVerdict; old: Json; new: Json }[];
    /** What only a launcher or an interpreter knows, and nobody has asked. */
    notVerified?: string[];
  };
  instructions: { state: LockState; diff?: string };
  /** The tools that are not the same. */
  tools: {
    name: string;
    state: LockState;
    verdict: ChangeVerdict;
    /** The fingerprints that differ. */
    fingerprints: (keyof Fingerprint)[];
    changes: Change[];
    hidden: Json[];
    hiddenCount?: number;
    problem?: string;
  }[];
  /** How many tools are the same. */
  same: number;
  /** How many tools were not compared. */
  notVerified: number;
}

/**
 * Compares a lock with what its sources are now. With `offline`, only what they are launched with is compared.
 *
 * ```js
 * const now = { tools: [{ name: 'now', inputSchema: { type: 'object' } }] };
 * const lock = updateLock({ lockVersion: 1, sources: {} }, 'clock', now);
 * console.log(checkLock(lock, { sources: { clock: now } }).verdict); // same
 * console.log(checkLock(lock, { sources: { clock: { tools: [] } } }).verdict); // breaking
 * ```
 */
export function checkLock(
  lock: Document,
  now: { readonly sources: { readonly [name: string]: Observed } } | Input,
  options?: DiffOptions & { offline?: boolean },
): { verdict: ChangeVerdict; verified: boolean; sources: SourceReport[] };

/** A profile: a server, its tools, and what was learnt of them. */
export interface Profile {
  /** The profile as one document, to the letter. */
  text: string;
  /** How the server is reached. */
  launcher: { [name: string]: Json };
  /** The JSON text of it, to the letter. */
  launcherText: string;
  /** What happens if the tools are not as expected. */
  schemaValidation: 'warn' | 'error' | 'ignore';
  tools: {
    name: string;
    /** What the server calls it. */
    tool: string;
    /** The schema of its arguments, if it is known. */
    inputSchema?: Json;
    /** The JSON text of it, to the letter. */
    inputSchemaText?: string;
  }[];
  /** What each tool was tried with. */
  testedWith: { [tool: string]: Json[] };
}

/** Reads a profile that is one document, in any shape that JN knows, with its comments. Throws `bad_profile`. */
export function readProfile(profile: Document): Profile;

/** Reads a profile that is a folder: the texts of its files by their names. */
export function readProfileFiles(files: { readonly [name: string]: string } | Input): Profile;

/**
 * Writes a profile as the files of a folder: their texts by their names. `before` is what is in the folder now; what
 * did not change stays to the letter.
 */
export function writeProfile(
  profile: Document,
  before?: { readonly [name: string]: string } | Input,
): { [name: string]: string };

/** Compares the tools of a server with what a profile expects of them. */
export function compareProfile(
  profile: Document,
  tools: readonly object[] | Input,
  options?: FingerprintOptions,
): { tool?: string; what: 'gone' | 'contract' | 'text' | 'safety' | 'unknown' | 'hash' | 'no_hash'; message: string }[];

/** A form in which a server is named; the last ones are entries in the files of MCP clients. */
export type ServerForm =
  | 'launch-uri'
  | 'profile'
  | 'manifest'
  | 'mcpServers'
  | 'claude'
  | 'claude-code'
  | 'cursor'
  | 'vscode'
  | 'zed'
  | 'windsurf'
  | 'gemini'
  | 'codex';

/**
 * Converts a server from one form to another: the server as a text and as an object, what was understood of it, and
 * what became of each member. Values of environment variables and headers do not come along, only names. `name` is
 * how the server is called, `folder` where its relative paths begin.
 *
 * ```js
 * const entry = { command: 'uvx', args: ['biomcp-python'] };
 * console.log(convertServer(entry, 'mcpServers', 'launch-uri').text); // mcp+uvx://biomcp-python
 * ```
 */
export function convertServer(
  server: Document,
  source: ServerForm,
  target: ServerForm,
  options?: { name?: string; folder?: string },
): { entry: { [name: string]: Json }; text: string; members: Json; report: MappedMember[] };
