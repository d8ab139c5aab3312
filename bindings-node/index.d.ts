/**
 * Toolwire: write, read, validate, canonicalize, identify and format the output of tools.
 *
 * The types of the JSON documents are generated from the schemas. This file declares the API.
 */

/// <reference types="node" />

import type {
  Annotations,
  BlockDocument,
  Diagnostic,
  DiagnosticCode,
  EnvelopeDocument,
  HostErrorCode,
  Identity,
  Limits,
  Report,
  Role,
  Status,
  Style,
  Summary,
  Target,
  Verdict,
} from './types.generated.js';
import type { RunResult } from './run.js';

export type * from './types.generated.js';
export * from './call.js';
export * from './run.js';
export * from './mcp.js';
export * from './api.generated.js';
export * from './author.js';
export type * from './session.js';
export * from './sessions.js';
export * from './tools.js';

/** A tool's output. A string is read as its UTF-8 bytes, and offsets count these bytes. */
export type Input = string | Uint8Array;

/** Any JSON value. An integer past 2^53 − 1 is a bigint, since a number would round it. */
export type Json = null | boolean | number | bigint | string | Json[] | { [name: string]: Json };

/**
 * A value that a builder writes as JSON. A bigint is written as an integer, and `toJSON` is called.
 * Values that JSON cannot represent, such as `undefined`, NaN, infinities and cycles, are refused with
 * `bad_argument` and a pointer.
 */
export type JsonInput = unknown;

export interface ReadOptions {
  limits?: Limits;
}

/** An element of `content` that was skipped; the diagnostics say why. */
export interface Skipped {
  /** Its index in `content`. */
  index: number;
  /** Its JSON text, unchanged. */
  json: string;
}

/** Thrown by every function that refuses its input. A program never needs to parse the message. */
export class ToolwireError extends Error {
  private constructor();
  readonly name: 'ToolwireError';
  /** A code from the registry of diagnostics, or the reason why a tool could not be run or a server not be used. */
  readonly code: DiagnosticCode | HostErrorCode;
  /** The place in the document, the arguments or the options, as a JSON Pointer. */
  readonly pointer: string;
  /** The byte offset, if a byte can be named. */
  readonly offset: number | undefined;
  /** All diagnostics; this error is one of them. */
  readonly diagnostics: readonly Diagnostic[];
  /** What the program did that was asked for its tools; present with `describe_failed` and `bad_description`. */
  readonly result: RunResult | undefined;
}

/**
 * The result of reading a tool's output. It refers to the bytes that it was given and does not copy them.
 * If you want to reuse that buffer, pass a copy.
 */
export class Parsed {
  private constructor();
  /** The output: the same memory for a Buffer or a Uint8Array, UTF-8 bytes for a string. */
  readonly raw: Buffer;
  /** `valid`; `warnings`: an envelope of which something was skipped or ignored; or `raw`: not an envelope. */
  get verdict(): Verdict;
  get isRaw(): boolean;
  get isError(): boolean;
  get status(): Status;
  /** Whether the error is worth a retry. */
  get transient(): boolean;
  /** The messages of the error's causes, nearest first. */
  get trace(): readonly string[];
  get diagnostics(): readonly Diagnostic[];
  get skipped(): readonly Skipped[];
  /** The envelope. For raw text, it has one text block. */
  get envelope(): Envelope;
  /** The member of the envelope; undefined if it is absent. Null is a value. */
  get structuredContent(): Json | undefined;
  /** Its unchanged JSON text, in which numbers keep all their digits. */
  get structuredContentText(): string | undefined;
  /** The reading as a plain object. */
  toJSON(): Report;
  /** The same as one line of JSON, with the envelope unchanged. */
  toString(): string;
}

/**
 * An envelope that was read or built. `String(envelope)` is its JSON text: unchanged if it was read, and
 * one line in exact form, which is what a tool prints, if it was built. The objects that it returns are
 * copies: changing them does not change the envelope.
 */
export class Envelope {
  private constructor();
  /** Reads a JSON text that must be an envelope; anything else is refused with `not_an_envelope`. */
  static fromJson(data: Input): Envelope;
  /** The JSON text: unchanged if it was read, in exact form if it was built. */
  readonly document: string;
  /** The blocks as plain objects, as they were written, without those that were skipped. */
  get content(): BlockDocument[];
  /** The same blocks as they were read: with decoded content, and without malformed optional fields. */
  get blocks(): readonly Block[];
  /** Undefined if it is absent. Null is a value. */
  get structuredContent(): Json | undefined;
  /** Its unchanged JSON text, in which numbers keep all their digits. */
  get structuredContentText(): string | undefined;
  get meta(): { [name: string]: Json } | undefined;
  /** The JSON text of `_meta`, unchanged. */
  get metaText(): string | undefined;
  get isError(): boolean;
  get status(): Status;
  /** Whether the error is worth a retry. */
  get transient(): boolean;
  /** The messages of the error's causes, nearest first. */
  get trace(): string[];
  /** The elements of `content` that were skipped. */
  get skipped(): readonly Skipped[];
  /** Whether both have the same canonical form. */
  equals(other: unknown): boolean;
  /** The JSON text, as in `document`. For the canonical form (RFC 8785), use `canonicalize`. */
  toString(): string;
  /** The document as an object. If Node has no `JSON.rawJSON`, `JSON.stringify` throws at a bigint in it. */
  toJSON(): EnvelopeDocument;
}

export interface AskedQuestion {
  id: string;
  text: string;
  /** A JSON Schema. */
  schema: { [name: string]: Json };
  /** The JSON text of the schema, unchanged. */
  schemaText: string;
  /** Absent if there is none. Null is a value. */
  default?: Json;
  /** The JSON text of the default, unchanged. */
  defaultText?: string;
  /** The page where the person answers, if not in a form. */
  url?: string;
}

/** A block that was read or built. A member that is absent or malformed is undefined. */
export class Block {
  private constructor();
  /** The JSON text: unchanged if it was read, in exact form if it was built. */
  readonly json: string;
  /** Its index in the `content` that it was read from. */
  get index(): number;
  /** Its place as a JSON Pointer. */
  get pointer(): string;
  get type(): BlockDocument['type'];
  /** The text of a text block, or of a resource. */
  get text(): string | undefined;
  get uri(): string | undefined;
  get name(): string | undefined;
  get title(): string | undefined;
  get description(): string | undefined;
  get mimeType(): string | undefined;
  get formatted(): string | undefined;
  /** In bytes, as given by a resource link. */
  get size(): number | undefined;
  get audience(): Role[] | undefined;
  get priority(): number | undefined;
  get lastModified(): string | undefined;
  get question(): AskedQuestion | undefined;
  get meta(): { [name: string]: Json } | undefined;
  /** The JSON text of `_meta`, unchanged. */
  get metaText(): string | undefined;
  /** The decoded bytes of a blob, an image or a sound. */
  get bytes(): Buffer | undefined;
  /** The content as bytes: the text in UTF-8, or the decoded bytes; empty if there is none. */
  get contentBytes(): Buffer;
  /** Whether both have the same canonical form. */
  equals(other: unknown): boolean;
  /** The JSON text. A tool's answer is an envelope, not a single block. */
  toString(): string;
  toJSON(): BlockDocument;
}

/** Reads a tool's output. Never throws because of what the tool wrote. */
export function parse(data: Input, options?: ReadOptions): Parsed;

/** Returns if the verdict is `valid`. Otherwise throws the first diagnostic that is not a note. */
export function validate(data: Input | Parsed | Envelope, options?: ReadOptions): void;

/** The canonical bytes (RFC 8785) of a strict JSON text. */
export function canonicalize(data: Input | Parsed | Envelope | Block, options?: ReadOptions): Buffer;

/** `sha256:` and the SHA-256 digest of the canonical bytes, in hexadecimal. */
export function digest(data: Input | Parsed | Envelope | Block, options?: ReadOptions): string;

export interface FormatOptions extends ReadOptions {
  /** Format for a `model` (the default) or for a person at a `terminal`. */
  target?: Target;
  /** Put resources into code fences (the default) or into XML elements. */
  style?: Style;
  /** Put a line with URI, name and type before each resource. */
  header?: boolean;
  /** Maximum number of bytes. The text is cut at a character boundary and says what was cut. */
  maxBytes?: number;
  /** Include only blocks for this reader. */
  audience?: Role;
  /** Wrap the whole text as untrusted content, between markers with this unpredictable string. */
  nonce?: string;
  /** Allow colour at a terminal. */
  color?: boolean;
}

/** The text for a model, or for a person at a terminal. */
export function format(data: Input | Parsed | Envelope, options?: FormatOptions): string;

export interface ExplainOptions extends ReadOptions {
  color?: boolean;
}

/** Explains to a person why the output was read as it was: which rule, where, and what to do. */
export function explain(data: Input | Parsed | Envelope, options?: ExplainOptions): string;

export interface Known {
  uri: string;
  digest: string;
}

export interface IdentifyOptions extends ReadOptions {
  /** The root of the workspace, against which relative URIs are resolved: a path or a `file:` URI. */
  root?: string;
  /** The resources that the reader already has. */
  known?: readonly Known[];
}

/** The identity of each resource: canonical URI and content digest. */
export function identify(data: Input | Parsed | Envelope, options?: IdentifyOptions): Identity[];

/** The canonical form of a URI. A relative one is resolved against `root`. */
export function normalizeUri(uri: string, options?: { root?: string }): string;

/**
 * The canonical `file:` URI of a path. The path is taken literally: `%`, `?` and `#` have no special
 * meaning. A relative path is resolved against the current directory.
 */
export function fileUri(path: string | URL): string;

export interface Output {
  stdout?: Input | null;
  /** As returned by node:child_process. */
  exitCode?: number | null;
  /** The name of a signal, as returned by node:child_process, or its number. */
  signal?: NodeJS.Signals | number | null;
  stderr?: Input | null;
  /** The content of the result channel's file, if the tool wrote one. */
  result?: Input | null;
}

/** Reads the output and the exit status of a tool's process. */
export function receive(output: Output, options?: ReadOptions): Parsed;

export interface Line {
  /** From 1. */
  number: number;
  /** The offset of the line in bytes. */
  offset: number;
  parsed: Parsed;
}

/** Reads newline-delimited outputs, such as a log. */
export function parseLines(data: Input, options?: ReadOptions): IterableIterator<Line>;

/** Counts newline-delimited outputs by verdict and by diagnostic code. */
export function summarize(data: Input, options?: ReadOptions): Summary;

export interface BlockOptions {
  annotations?: Annotations;
  meta?: { [name: string]: JsonInput };
}

export interface ResourceOptions extends BlockOptions {
  mimeType?: string;
  name?: string;
  title?: string;
  description?: string;
  /** The text that a model gets instead of the content. */
  formatted?: string;
}

/** A block of text. */
export function text(text: string, options?: BlockOptions): Block;

/** A resource with its content: either `text`, or bytes as `blob`. */
export function resource(
  uri: string,
  options: ResourceOptions & ({ text: string; blob?: undefined } | { blob: Uint8Array; text?: undefined }),
): Block;

/** A resource from bytes: text if they are UTF-8 without NUL, otherwise a blob. The extension decides its MIME type. */
export function resourceFromBytes(path: string, bytes: Uint8Array, options?: ResourceOptions): Block;

/** A resource from a file, read now. */
export function resourceFromFile(path: string | URL, options?: ResourceOptions & { uri?: string }): Block;

/** An image from its bytes. */
export function image(data: Uint8Array, mimeType: string, options?: BlockOptions): Block;

/** A sound from its bytes. */
export function audio(data: Uint8Array, mimeType: string, options?: BlockOptions): Block;

export interface ResourceLinkOptions extends BlockOptions {
  title?: string;
  description?: string;
  mimeType?: string;
  /** In bytes. */
  size?: number;
}

/** A link to a resource whose content is not included. */
export function resourceLink(uri: string, name: string, options?: ResourceLinkOptions): Block;

export interface QuestionOptions extends BlockOptions {
  /** Null is a value. */
  default?: JsonInput;
  /** The page where the person answers. No value answers such a question, so its schema is `{}`. */
  url?: string;
}

/** A question; `schema` is the JSON Schema of its answer. */
export function question(
  id: string,
  text: string,
  schema: { [name: string]: JsonInput },
  options?: QuestionOptions,
): Block;

export interface EnvelopeOptions {
  /** Null is a value. */
  structuredContent?: JsonInput;
  isError?: boolean;
  status?: Status;
  error?: { transient?: boolean; trace?: readonly string[] };
  meta?: { [name: string]: JsonInput };
}

/** An envelope from blocks, which are built by the builders or plain objects. Pass several blocks as one array. */
export function envelope(
  blocks?: Block | BlockDocument | readonly (Block | BlockDocument)[],
  options?: EnvelopeOptions & { type?: never },
): Envelope;

export interface ErrorOptions {
  /** Whether a retry may help. */
  transient?: boolean;
  /** Replaces the error's own chain of causes. */
  trace?: readonly string[];
  meta?: { [name: string]: JsonInput };
}

/**
 * An error envelope from a message or from a thrown value, with its chain of `cause`s and the errors of an
 * AggregateError.
 */
export function error(messageOrThrown: unknown, options?: ErrorOptions): Envelope;
