// Generated from schema/. Do not edit: run `cargo xtask codegen`.
//
// The JSON shapes of envelopes, blocks, diagnostics and identities. Objects may have members that
// no schema names; those are kept, and are `unknown` here.

/** Whom a block is for, and how much it matters. */
export interface Annotations {
  /** Whom the block is for. Absent means everybody. */
  audience?: Role[];
  /** When the content last changed: a date and time of RFC 3339. */
  lastModified?: string;
  /** From 0, which may be left out, to 1, which is needed. */
  priority?: number;
  [member: string]: unknown;
}

/** A sound. */
export interface AudioBlock {
  /** Data about what it stands in, under keys that begin with a domain of their owner. */
  _meta?: { [member: string]: unknown };
  /** Whom a block is for, and how much it matters. */
  annotations?: Annotations;
  /** The bytes, in base64. */
  data: string;
  /** The media type, such as `audio/wav`. */
  mimeType: string;
  /** Always `audio`. */
  type: 'audio';
  [member: string]: unknown;
}

/** One piece of content. `type` tells which; a block of another type is skipped and kept raw. */
export type BlockDocument =
  | TextBlock
  | ResourceBlock
  | QuestionBlock
  | ImageBlock
  | AudioBlock
  | ResourceLinkBlock;

/** Data about the envelope. Other keys are kept; they begin with a domain of their owner. */
export interface EnvelopeMeta {
  /** More about an error. */
  'computer.jp/error'?: ErrorMeta;
  /** Absent means `stopped`. */
  'computer.jp/status'?: Status;
  [member: string]: unknown;
}

/** More about an error. */
export interface ErrorMeta {
  /** The causes, from the nearest to the farthest. */
  trace?: string[];
  /** Whether the same call may succeed later. Absent means that it will not. */
  transient?: boolean;
  [member: string]: unknown;
}

/** A picture. */
export interface ImageBlock {
  /** Data about what it stands in, under keys that begin with a domain of their owner. */
  _meta?: { [member: string]: unknown };
  /** Whom a block is for, and how much it matters. */
  annotations?: Annotations;
  /** The bytes, in base64. */
  data: string;
  /** The media type, such as `image/png`. */
  mimeType: string;
  /** Always `image`. */
  type: 'image';
  [member: string]: unknown;
}

/** What is asked, and what an answer looks like. */
export interface Question {
  /** The answer that is suggested. Any JSON value; `null` is a value, apart from absent. */
  default?: unknown;
  /** Ties the answer to the question; no two questions of an envelope share it. */
  id: string;
  /** A JSON Schema for the answer. */
  schema: { [member: string]: unknown };
  /** The question itself, on one line. */
  text: string;
  [member: string]: unknown;
}

/** A question to a person or a model. The blocks before it are its context. */
export interface QuestionBlock {
  /** Data about what it stands in, under keys that begin with a domain of their owner. */
  _meta?: { [member: string]: unknown };
  /** Whom a block is for, and how much it matters. */
  annotations?: Annotations;
  /** What is asked, and what an answer looks like. */
  question: Question;
  /** Always `question`. */
  type: 'question';
  [member: string]: unknown;
}

/** Content with a name of its own: either text, or bytes in base64. */
export interface Resource {
  /** Data about what it stands in, under keys that begin with a domain of their owner. */
  _meta?: { [member: string]: unknown };
  /** Read too, but the annotations of the block go first, member by member. */
  annotations?: Annotations;
  /** The content, if it is bytes, in base64. */
  blob?: string;
  /** What the resource is about. */
  description?: string;
  /** The media type, such as `text/rust`. */
  mimeType?: string;
  /** A short name for programs. */
  name?: string;
  /** The content, if it is text. */
  text?: string;
  /** A name for people. */
  title?: string;
  /** What the resource is called everywhere. */
  uri: string;
  [member: string]: unknown;
}

/** A resource with its content. The host owns its formatting and knows it again by its URI. */
export interface ResourceBlock {
  /** Data about what it stands in, under keys that begin with a domain of their owner. */
  _meta?: { [member: string]: unknown };
  /** Whom a block is for, and how much it matters. */
  annotations?: Annotations;
  /**
   * The presentation that the tool prefers; it is passed on as it is, and never counts for the
   * identity.
   */
  formatted?: string;
  /** Content with a name of its own: either text, or bytes in base64. */
  resource: Resource;
  /** Always `resource`. */
  type: 'resource';
  [member: string]: unknown;
}

/** A resource without its content, which whoever wants it fetches by its URI. */
export interface ResourceLinkBlock {
  /** Data about what it stands in, under keys that begin with a domain of their owner. */
  _meta?: { [member: string]: unknown };
  /** Whom a block is for, and how much it matters. */
  annotations?: Annotations;
  /** What the resource is about. */
  description?: string;
  /** The media type, such as `text/html`. */
  mimeType?: string;
  /** A short name for programs. */
  name: string;
  /** How many bytes the content has. */
  size?: number;
  /** A name for people. */
  title?: string;
  /** Always `resource_link`. */
  type: 'resource_link';
  /** What the resource is called everywhere. */
  uri: string;
  [member: string]: unknown;
}

/** The person, or the model. */
export type Role = 'user' | 'assistant';

/** Where a tool with a state stands: it runs on, waits for an answer, or has stopped. */
export type Status = 'running' | 'waiting' | 'stopped';

/** Text that the tool has formatted itself; it is passed on as it is. */
export interface TextBlock {
  /** Data about what it stands in, under keys that begin with a domain of their owner. */
  _meta?: { [member: string]: unknown };
  /** Whom a block is for, and how much it matters. */
  annotations?: Annotations;
  /** The text. */
  text: string;
  /** Always `text`. */
  type: 'text';
  [member: string]: unknown;
}

/**
 * What a tool says back: blocks for a model or a person, and structured content for a program.
 * Unknown members are allowed everywhere and are kept.
 */
export interface EnvelopeDocument {
  /** Data about the envelope. Other keys are kept; they begin with a domain of their owner. */
  _meta?: EnvelopeMeta;
  /** The blocks, in the order in which they are shown. */
  content: BlockDocument[];
  /** Whether the tool failed. Absent means that it did not. */
  isError?: boolean;
  /** The same result for a program. Any JSON value; `null` is a value, apart from absent. */
  structuredContent?: unknown;
  [member: string]: unknown;
}

/** One finding about an output. Code and pointer are contract, the message is not. */
export interface Diagnostic {
  /** A code of the registry, `schema/diagnostics.json`. */
  code: DiagnosticCode;
  /** A sentence for a person. */
  message: string;
  /** The place as a byte offset into the output. */
  offset?: number;
  /** The place as a JSON Pointer into the document; empty for the whole. */
  pointer: string;
  /** The JSON text of a block that was skipped, to the letter. */
  raw?: string;
  /** How serious a diagnostic is; the registry fixes it for each code. */
  severity: Severity;
  [member: string]: unknown;
}

/** A code of the registry, `schema/diagnostics.json`. */
export type DiagnosticCode =
  | 'limit_bytes'
  | 'invalid_utf8'
  | 'bom'
  | 'empty_output'
  | 'plain_text'
  | 'json_syntax'
  | 'json_truncated'
  | 'trailing_data'
  | 'control_character'
  | 'bad_escape'
  | 'lone_surrogate'
  | 'non_finite'
  | 'number_range'
  | 'duplicate_name'
  | 'limit_depth'
  | 'limit_values'
  | 'limit_blocks'
  | 'no_content'
  | 'content_not_array'
  | 'untyped_content'
  | 'big_integer'
  | 'block_not_object'
  | 'block_type_missing'
  | 'unknown_block_type'
  | 'missing_field'
  | 'wrong_type'
  | 'both_bodies'
  | 'no_body'
  | 'bad_base64'
  | 'base64_variant'
  | 'bad_uri'
  | 'empty_field'
  | 'ignored_field'
  | 'out_of_range'
  | 'bad_role'
  | 'bad_timestamp'
  | 'bad_status'
  | 'duplicate_question_id'
  | 'waiting_without_question'
  | 'question_not_waiting'
  | 'error_without_flag'
  | 'diagnostics_truncated'
  | 'nonzero_exit'
  | 'bad_option'
  | 'bad_argument'
  | 'nonce_collision'
  | 'not_an_envelope'
  | 'bad_call'
  | 'unknown_action'
  | 'bad_description'
  | 'secret_question'
  | 'bad_schema'
  | 'over_budget'
  | 'default_mismatch'
  | 'answer_mismatch';

/** How serious a diagnostic is; the registry fixes it for each code. */
export type Severity = 'error' | 'warning' | 'note';

/** How the lines of a log were read. */
export interface Summary {
  /** How many diagnostics there are of each code. */
  byCode: { [member: string]: number };
  /** How many results are errors. */
  errors: number;
  /** How many lines there are. */
  lines: number;
  /** How many are raw text. */
  raw: number;
  /** How many of the errors are transient. */
  transient: number;
  /** How many are valid envelopes. */
  valid: number;
  /** How many are envelopes with warnings. */
  warnings: number;
  [member: string]: unknown;
}

/** An envelope without any warning, an envelope with warnings, or raw text. */
export type Verdict = 'valid' | 'warnings' | 'raw';

/** How a tool's output was read: what `toolwire parse --json` writes. */
export interface Report {
  /** How many blocks are delivered. */
  blocks: number;
  /** What there is to say about the output, in the order of the places. */
  diagnostics: Diagnostic[];
  /**
   * The envelope to the letter; for raw text the envelope that stands for it. It need not be
   * valid.
   */
  envelope: { [member: string]: unknown };
  /** Whether the tool failed. */
  isError: boolean;
  /** Where the tool stands; `stopped` unless the output says otherwise. */
  status: 'running' | 'waiting' | 'stopped';
  /** An envelope without any warning, an envelope with warnings, or raw text. */
  verdict: Verdict;
  [member: string]: unknown;
}

/** Whether the URI is not known, known with this digest, or known with another one. */
export type Receipt = 'new' | 'repeat' | 'changed';

/** The identity of a resource that an output holds, and whether it was known before. */
export interface Identity {
  /** The digest of the raw content: the text in UTF-8, or the decoded bytes. */
  digest: string;
  /** The media type that the tool gave. */
  mimeType?: string;
  /** Whether `uri` is canonical. */
  normalized: boolean;
  /** The block, as a JSON Pointer into the document. */
  pointer: string;
  /** The digest under which the URI was known, if the resource changed. */
  previous?: string;
  /** How many bytes the raw content has. */
  size: number;
  /** Whether the URI is not known, known with this digest, or known with another one. */
  status: Receipt;
  /** The canonical URI; if there is none, the URI to the letter. */
  uri: string;
  [member: string]: unknown;
}

/** What became of a question. */
export interface AnswerRecord {
  /** Who decided. */
  source?: AnswerSource;
  /** Whether there is a value, and if not, why. */
  state: AnswerState;
  [member: string]: unknown;
}

/** Who decided. */
export type AnswerSource =
  | 'user'
  | 'assistant'
  | 'default'
  | 'policy';

/** Whether there is a value, and if not, why. */
export type AnswerState =
  | 'accepted'
  | 'declined'
  | 'cancelled'
  | 'unavailable';

/** What holds for the call, whatever the tool. */
export interface CallContext {
  /** What the tool is to do. `Run` is what earlier hosts wrote for `run`. */
  action: | 'run'
  | 'Run'
  | 'format_arguments'
  | 'describe';
  /** The root of the workspace: an absolute path or a `file:` URI. */
  root?: string;
  [member: string]: unknown;
}

/** The tool and what it gets. */
export interface CallTool {
  /** The accepted values, by the ids of their questions. */
  answers?: { [member: string]: unknown };
  /** The arguments, as the tool's `inputSchema` says. */
  arguments?: { [member: string]: unknown };
  /** States and sources of all answers, by the ids of their questions. */
  'dev.toolwire/answers'?: { [member: string]: AnswerRecord };
  /** The tool. Only a program that is asked to describe all of its tools needs none. */
  name?: string;
  /** What the host is configured to pass to this tool. */
  options?: { [member: string]: unknown };
  [member: string]: unknown;
}

/**
 * What a host tells a tool to do (chapter 10 of the specification). Unknown members are allowed
 * and are kept.
 */
export interface CallDocument {
  /** What holds for the call, whatever the tool. */
  context: CallContext;
  /** The tool and what it gets. */
  tool: CallTool;
  [member: string]: unknown;
}

/** Begin, say where it stands, take input, end early. */
export type SessionAction =
  | 'spawn'
  | 'fetch'
  | 'apply'
  | 'abort';

/** A tool, in the shape that MCP has for it. */
export interface ToolDocument {
  /** More about a tool, under names with a domain in front. */
  _meta?: ToolMeta;
  /** Hints, which a host trusts no further than the tool. */
  annotations?: ToolAnnotations;
  /** What it does, for people and models. */
  description?: string;
  /** JSON Schema of the arguments. */
  inputSchema: { [member: string]: unknown };
  /** The name by which it is called. */
  name: string;
  /** JSON Schema of the result's `structuredContent`. */
  outputSchema?: { [member: string]: unknown };
  /** A title for people. */
  title?: string;
  [member: string]: unknown;
}

/** Hints, which a host trusts no further than the tool. */
export interface ToolAnnotations {
  /** What it changes may be lost. */
  destructiveHint?: boolean;
  /** A second call with the same arguments changes nothing more. */
  idempotentHint?: boolean;
  /** It deals with things outside of a closed world, such as the web. */
  openWorldHint?: boolean;
  /** It changes nothing. */
  readOnlyHint?: boolean;
  /** A title for people. */
  title?: string;
  [member: string]: unknown;
}

/** More about a tool, under names with a domain in front. */
export interface ToolMeta {
  /** What the tool can be asked to do while it keeps running. */
  'dev.toolwire/actions'?: SessionAction[];
  [member: string]: unknown;
}

/**
 * What tools a program holds: the `structuredContent` of its answer to `describe` (chapter 10 of
 * the specification). Unknown members are allowed and are kept.
 */
export interface Description {
  /** The tools, in an order that does not change; no two have the same name. */
  tools: ToolDocument[];
  /** Tells a description from other structured content, and which form it has. */
  toolwire: number;
  [member: string]: unknown;
}
