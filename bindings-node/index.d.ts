/**
 * Toolwire: read, check, canonicalize, identify, format and write what a tool says back.
 *
 * The JSON shapes are generated from the schema; what stands here is the API.
 */

/// <reference types="node" />

import type {
  Annotations,
  BlockDocument,
  Diagnostic,
  DiagnosticCode,
  EnvelopeDocument,
  Identity,
  Report,
  Role,
  Status,
  Summary,
  Verdict,
} from './types.generated.js';
import type { HostErrorCode } from './run.js';

export type * from './types.generated.js';
export * from './call.js';
export * from './run.js';
export * from './author.js';

/** A tool's output: a string is read as its UTF-8 bytes, and offsets count those. */
export type Input = string | Uint8Array;

/** Any JSON value. An integer past 2^53 − 1 is a bigint, since a number would round it. */
export type Json = null | boolean | number | bigint | string | Json[] | { [name: string]: Json };

/**
 * A value that a builder writes as JSON. A bigint is written as an integer, and `toJSON` is
 * honoured; `undefined`, NaN, infinities, cycles and the like are refused with `bad_argument` and
 * a pointer.
 */
export type JsonInput = unknown;

/** How much a reader takes on; what is over a limit is read as raw text. */
export interface Limits {
  /** Bytes of the whole output; 64 MiB by default. */
  maxBytes?: number;
  /** Open arrays and objects at one place; 128 by default, at most 1024. */
  maxDepth?: number;
  /** JSON values of all kinds; 10,000,000 by default. */
  maxValues?: number;
  /** Elements of `content`; 100,000 by default. */
  maxBlocks?: number;
  /** Diagnostics that are kept; 100 by default. */
  maxDiagnostics?: number;
}

export interface ReadOptions {
  limits?: Limits;
}

/** An element of `content` that was not delivered; the diagnostics say why. */
export interface Skipped {
  /** Its place in `content`. */
  index: number;
  /** Its JSON text, to the letter. */
  json: string;
}

/** Thrown by every function that refuses. A program never has to read the message. */
export class ToolwireError extends Error {
  private constructor();
  readonly name: 'ToolwireError';
  /** From the registry of diagnostic codes, or why a tool was not run. */
  readonly code: DiagnosticCode | HostErrorCode;
  /** Where: in the document, the arguments or the options, as a JSON Pointer. */
  readonly pointer: string;
  /** The byte offset, if a byte can be named. */
  readonly offset: number | undefined;
  /** Everything that was found; the error is one of them. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The result of reading a tool's output. It refers to the bytes it was given: if you mean to
 * overwrite that buffer, read from a copy.
 */
export class Parsed {
  private constructor();
  /** What was read: the same memory for a Buffer or a Uint8Array, UTF-8 bytes for a string. */
  readonly raw: Buffer;
  /** `valid`; `warnings`, and the envelope stands; or `raw`: not an envelope but text. */
  get verdict(): Verdict;
  get isRaw(): boolean;
  get isError(): boolean;
  get status(): Status;
  /** Whether the error is worth a retry. */
  get transient(): boolean;
  /** The error's causes, from the nearest to the farthest. */
  get trace(): readonly string[];
  get diagnostics(): readonly Diagnostic[];
  get skipped(): readonly Skipped[];
  /** The envelope; for raw text one that stands for it, with one text block. */
  get envelope(): Envelope;
  /** The envelope's: undefined if there is none; null is a value. */
  get structuredContent(): Json | undefined;
  /** Its JSON text to the letter, where fractions keep all their digits too. */
  get structuredContentText(): string | undefined;
  /** The reading as a plain object. */
  toJSON(): Report;
  /** The same as one line of JSON text, with the envelope to the letter. */
  toString(): string;
}

/**
 * An envelope, read or made. `String(envelope)` is its JSON text: to the letter if it was read; if it
 * was made, one line in exact form, which is what a tool prints. What it gives out is yours to change: that changes nothing in the envelope.
 */
export class Envelope {
  private constructor();
  /** Reads a JSON text that must be an envelope; anything else is refused with `not_an_envelope`. */
  static fromJson(data: Input): Envelope;
  /** The JSON text: to the letter if it was read, in exact form if it was made. */
  readonly document: string;
  /** The delivered blocks as plain objects, as they were written. */
  get content(): BlockDocument[];
  /** The delivered blocks as they are read: malformed optional fields absent, content decoded. */
  get blocks(): readonly Block[];
  /** Undefined if there is none; null is a value. */
  get structuredContent(): Json | undefined;
  /** Its JSON text to the letter, where fractions keep all their digits too. */
  get structuredContentText(): string | undefined;
  get meta(): { [name: string]: Json } | undefined;
  /** The JSON text of `_meta`, to the letter. */
  get metaText(): string | undefined;
  get isError(): boolean;
  get status(): Status;
  /** Whether the error is worth a retry. */
  get transient(): boolean;
  /** The error's causes, from the nearest to the farthest. */
  get trace(): string[];
  /** The elements of `content` that were not delivered. */
  get skipped(): readonly Skipped[];
  /** Whether both have the same canonical form. */
  equals(other: unknown): boolean;
  /** The JSON text, as `document`; for the canonical form (RFC 8785) of what was read use `canonicalize`. */
  toString(): string;
  /** The document as an object. `JSON.stringify` throws at a bigint in it where Node has no `JSON.rawJSON`. */
  toJSON(): EnvelopeDocument;
}

export interface AskedQuestion {
  id: string;
  text: string;
  /** A JSON Schema. */
  schema: { [name: string]: Json };
  /** The schema's JSON text, to the letter. */
  schemaText: string;
  /** Absent if there is none; null is a value. */
  default?: Json;
  /** The default's JSON text, to the letter. */
  defaultText?: string;
}

/** A block, read or made. A field that it does not have, or that is malformed, is undefined. */
export class Block {
  private constructor();
  /** The JSON text: to the letter if it was read, in exact form if it was made. */
  readonly json: string;
  /** Its place in the `content` it was read from. */
  get index(): number;
  /** That place as a JSON Pointer. */
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
  /** In bytes, as a resource link tells it. */
  get size(): number | undefined;
  get audience(): Role[] | undefined;
  get priority(): number | undefined;
  get lastModified(): string | undefined;
  get question(): AskedQuestion | undefined;
  get meta(): { [name: string]: Json } | undefined;
  /** The JSON text of `_meta`, to the letter. */
  get metaText(): string | undefined;
  /** The decoded bytes of a blob, an image or a sound. */
  get bytes(): Buffer | undefined;
  /** The raw content: the text in UTF-8, or the decoded bytes; empty where there is none. */
  get contentBytes(): Buffer;
  /** Whether both have the same canonical form. */
  equals(other: unknown): boolean;
  /** The JSON text. It is not an answer: that is an envelope. */
  toString(): string;
  toJSON(): BlockDocument;
}

/** Reads a tool's output. Never throws because of what the tool wrote. */
export function parse(data: Input, options?: ReadOptions): Parsed;

/** Returns if the verdict is `valid`; otherwise throws the first finding that is not a note. */
export function validate(data: Input | Parsed | Envelope, options?: ReadOptions): void;

/** The canonical bytes (RFC 8785) of a strict JSON text. */
export function canonicalize(data: Input | Parsed | Envelope | Block, options?: ReadOptions): Buffer;

/** `sha256:` and the digest of the canonical bytes, in hex. */
export function digest(data: Input | Parsed | Envelope | Block, options?: ReadOptions): string;

export interface FormatOptions extends ReadOptions {
  /** For a `model` (the default) or a person at a `terminal`. */
  target?: 'model' | 'terminal';
  /** Resources in code fences (the default) or in XML elements. */
  style?: 'fence' | 'xml';
  /** A line with the name before each resource. */
  header?: boolean;
  /** Cuts at a character boundary and says what was cut. */
  maxBytes?: number;
  /** Only blocks for this reader. */
  audience?: Role;
  /** Fences the whole as untrusted content; must be unpredictable. */
  nonce?: string;
  /** Colour, on a terminal. */
  color?: boolean;
}

/** What a model, or a person at a terminal, gets to read. */
export function format(data: Input | Parsed | Envelope, options?: FormatOptions): string;

export interface ExplainOptions extends ReadOptions {
  color?: boolean;
}

/** Tells a person why the output was read as it was: which rule, where, and what to do. */
export function explain(data: Input | Parsed | Envelope, options?: ExplainOptions): string;

export interface Known {
  uri: string;
  digest: string;
}

export interface IdentifyOptions extends ReadOptions {
  /** The workspace root that relative URIs stand under, as a path or a `file:` URI. */
  root?: string;
  /** What the reader already has. */
  known?: readonly Known[];
}

/** The identity of each resource: canonical URI and content digest. */
export function identify(data: Input | Parsed | Envelope, options?: IdentifyOptions): Identity[];

/** The canonical form of a URI; `root` is what a relative one stands under. */
export function normalizeUri(uri: string, options?: { root?: string }): string;

/**
 * The canonical `file:` URI of a path, which is taken literally: `%`, `?` and `#` stand for themselves.
 * A relative path stands under the current directory.
 */
export function fileUri(path: string | URL): string;

export interface Output {
  stdout?: Input | null;
  /** As node:child_process gives it. */
  exitCode?: number | null;
  /** A signal's name, as node:child_process gives it, or its number. */
  signal?: NodeJS.Signals | number | null;
  stderr?: Input | null;
  /** The content of the result channel's file, if the tool wrote one. */
  result?: Input | null;
}

/** Reads what a tool's process left behind: its exit status counts too. */
export function receive(output: Output, options?: ReadOptions): Parsed;

export interface Line {
  /** From 1. */
  number: number;
  /** Where the line begins, in bytes. */
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
  /** What a model gets in place of the content. */
  formatted?: string;
}

/** A block of text. */
export function text(text: string, options?: BlockOptions): Block;

/** A resource with its content: either `text`, or bytes as `blob`. */
export function resource(
  uri: string,
  options: ResourceOptions & ({ text: string; blob?: undefined } | { blob: Uint8Array; text?: undefined }),
): Block;

/** A resource from bytes: text if they are UTF-8 without NUL, otherwise a blob; its type by the name's extension. */
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

/** An envelope of blocks: made by the builders, or plain objects. Several blocks go into one array. */
export function envelope(
  blocks?: Block | BlockDocument | readonly (Block | BlockDocument)[],
  options?: EnvelopeOptions & { type?: never },
): Envelope;

export interface ErrorOptions {
  /** Whether a retry may help. */
  transient?: boolean;
  /** In place of an error's own chain of causes. */
  trace?: readonly string[];
  meta?: { [name: string]: JsonInput };
}

/**
 * An error envelope from a message, or from whatever was thrown, with its `cause` chain and what an
 * AggregateError holds.
 */
export function error(messageOrThrown: unknown, options?: ErrorOptions): Envelope;
