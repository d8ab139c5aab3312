// Generated from schema/. Do not edit: run `cargo xtask codegen`.
//
// The JSON shapes of envelopes, blocks, diagnostics and identities. Objects may have members that
// no schema names; those are kept, and are `unknown` here.

/** The intended readers of a block, and its priority. */
export interface Annotations {
  /** The intended readers. If it is absent, the block is for everybody. */
  audience?: Role[];
  /** The time when the content last changed: an RFC 3339 timestamp. */
  lastModified?: string;
  /** The priority, from 0 (optional) to 1 (required). */
  priority?: number;
  [member: string]: unknown;
}

/** A sound. */
export interface AudioBlock {
  /**
   * Data about the object that contains it. The names of its members begin with a domain of
   * their author.
   */
  _meta?: { [member: string]: unknown };
  /** The intended readers of a block, and its priority. */
  annotations?: Annotations;
  /** The bytes, in base64. */
  data: string;
  /** The media type, such as `audio/wav`. */
  mimeType: string;
  /** Always `audio`. */
  type: 'audio';
  [member: string]: unknown;
}

/**
 * One piece of content. `type` says which kind; a block of an unknown type is skipped and kept
 * raw.
 */
export type BlockDocument =
  | TextBlock
  | ResourceBlock
  | QuestionBlock
  | ImageBlock
  | AudioBlock
  | ResourceLinkBlock;

/**
 * Data about the envelope. Other members are kept; their names begin with a domain of their
 * author.
 */
export interface EnvelopeMeta {
  /** More about an error. */
  'computer.jp/error'?: ErrorMeta;
  /** The default is `stopped`. */
  'computer.jp/status'?: Status;
  [member: string]: unknown;
}

/** More about an error. */
export interface ErrorMeta {
  /** The messages of the causes, nearest first. */
  trace?: string[];
  /** Whether the same call may succeed later. The default is false. */
  transient?: boolean;
  [member: string]: unknown;
}

/** An image. */
export interface ImageBlock {
  /**
   * Data about the object that contains it. The names of its members begin with a domain of
   * their author.
   */
  _meta?: { [member: string]: unknown };
  /** The intended readers of a block, and its priority. */
  annotations?: Annotations;
  /** The bytes, in base64. */
  data: string;
  /** The media type, such as `image/png`. */
  mimeType: string;
  /** Always `image`. */
  type: 'image';
  [member: string]: unknown;
}

/** A question and the form of its answer. */
export interface Question {
  /**
   * The suggested answer. Any JSON value; `null` is a value, which differs from an absent
   * member.
   */
  default?: unknown;
  /** The id, by which an answer refers to the question. It is unique in the envelope. */
  id: string;
  /** A JSON Schema for the answer. */
  schema: { [member: string]: unknown };
  /** The question itself, on one line. */
  text: string;
  /**
   * A page where the person answers, so that the host never sees what is entered. No value
   * answers such a question: the host opens the page if the person agrees.
   */
  url?: string;
  [member: string]: unknown;
}

/** A question to a person or a model. The blocks before it are its context. */
export interface QuestionBlock {
  /**
   * Data about the object that contains it. The names of its members begin with a domain of
   * their author.
   */
  _meta?: { [member: string]: unknown };
  /** The intended readers of a block, and its priority. */
  annotations?: Annotations;
  /** A question and the form of its answer. */
  question: Question;
  /** Always `question`. */
  type: 'question';
  [member: string]: unknown;
}

/** Content that has a URI: either text, or bytes in base64. */
export interface Resource {
  /**
   * Data about the object that contains it. The names of its members begin with a domain of
   * their author.
   */
  _meta?: { [member: string]: unknown };
  /** Read as well, but each member of the block's annotations takes precedence. */
  annotations?: Annotations;
  /** The content in base64, if it is bytes. */
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
  /** The URI of the resource. */
  uri: string;
  [member: string]: unknown;
}

/** A resource with its content. The host formats it, and recognizes it by its URI. */
export interface ResourceBlock {
  /**
   * Data about the object that contains it. The names of its members begin with a domain of
   * their author.
   */
  _meta?: { [member: string]: unknown };
  /** The intended readers of a block, and its priority. */
  annotations?: Annotations;
  /**
   * The presentation that the tool prefers. It is passed on unchanged, and is not part of the
   * identity.
   */
  formatted?: string;
  /** Content that has a URI: either text, or bytes in base64. */
  resource: Resource;
  /** Always `resource`. */
  type: 'resource';
  [member: string]: unknown;
}

/** A link to a resource, whose content is not included. */
export interface ResourceLinkBlock {
  /**
   * Data about the object that contains it. The names of its members begin with a domain of
   * their author.
   */
  _meta?: { [member: string]: unknown };
  /** The intended readers of a block, and its priority. */
  annotations?: Annotations;
  /** What the resource is about. */
  description?: string;
  /** The media type, such as `text/html`. */
  mimeType?: string;
  /** A short name for programs. */
  name: string;
  /** The size of the content in bytes. */
  size?: number;
  /** A name for people. */
  title?: string;
  /** Always `resource_link`. */
  type: 'resource_link';
  /** The URI of the resource. */
  uri: string;
  [member: string]: unknown;
}

/** The person, or the model. */
export type Role = 'user' | 'assistant';

/** The state of a long-running tool: it keeps running, waits for an answer, or has stopped. */
export type Status = 'running' | 'waiting' | 'stopped';

/** Text, which is passed on unchanged. */
export interface TextBlock {
  /**
   * Data about the object that contains it. The names of its members begin with a domain of
   * their author.
   */
  _meta?: { [member: string]: unknown };
  /** The intended readers of a block, and its priority. */
  annotations?: Annotations;
  /** The text. */
  text: string;
  /** Always `text`. */
  type: 'text';
  [member: string]: unknown;
}

/**
 * The answer of a tool: blocks for a model or a person, and structured content for a program.
 * Unknown members are allowed everywhere and are kept.
 */
export interface EnvelopeDocument {
  /**
   * Data about the envelope. Other members are kept; their names begin with a domain of their
   * author.
   */
  _meta?: EnvelopeMeta;
  /** The blocks, in the order in which they are shown. */
  content: BlockDocument[];
  /** Whether the call failed. The default is false. */
  isError?: boolean;
  /**
   * The result for programs. Any JSON value; `null` is a value, which differs from an absent
   * member.
   */
  structuredContent?: unknown;
  [member: string]: unknown;
}

/** A finding about an output. Code and pointer are stable; the wording of the message is not. */
export interface Diagnostic {
  /** A code of the registry, `schema/diagnostics.json`. */
  code: DiagnosticCode;
  /** A sentence for a person. */
  message: string;
  /** The place as a byte offset into the output. */
  offset?: number;
  /** The place as a JSON Pointer into the document; empty for the whole. */
  pointer: string;
  /** The unchanged JSON text of a block that was skipped. */
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
  | 'bad_url'
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
  | 'bad_legacy'
  | 'unknown_action'
  | 'bad_description'
  | 'bad_event'
  | 'bad_line'
  | 'secret_question'
  | 'bad_schema'
  | 'schema_refused'
  | 'over_budget'
  | 'default_mismatch'
  | 'answer_mismatch'
  | 'cannot_elicit'
  | 'bad_elicitation'
  | 'unknown_handle'
  | 'handle_exists'
  | 'handle_stopped'
  | 'action_not_offered'
  | 'no_question'
  | 'person_only'
  | 'bad_tool'
  | 'limit_schemas'
  | 'no_jn_hash'
  | 'bad_launch_uri'
  | 'value_in_launch_uri'
  | 'bad_profile_word'
  | 'bad_profile'
  | 'bad_server_entry'
  | 'cannot_convert'
  | 'bad_lock'
  | 'newer_lock'
  | 'unknown_lock_member';

/** How serious a diagnostic is; the registry fixes it for each code. */
export type Severity = 'error' | 'warning' | 'note';

/** Counts of the lines of a log. */
export interface Summary {
  /** The number of diagnostics by code. */
  byCode: { [member: string]: number };
  /** The number of results that are errors. */
  errors: number;
  /** The number of lines. */
  lines: number;
  /** The number of lines that are raw text. */
  raw: number;
  /** The number of errors that are transient. */
  transient: number;
  /** The number of valid envelopes. */
  valid: number;
  /** The number of envelopes with warnings. */
  warnings: number;
  [member: string]: unknown;
}

/** An envelope without any warning, an envelope with warnings, or raw text. */
export type Verdict = 'valid' | 'warnings' | 'raw';

/** The result of reading a tool's output, as printed by `toolwire parse --json`. */
export interface Report {
  /** The number of blocks, without those that were skipped. */
  blocks: number;
  /** The diagnostics, in the order of the output. */
  diagnostics: Diagnostic[];
  /** The unchanged envelope; for raw text, the envelope in its place. It may have warnings. */
  envelope: { [member: string]: unknown };
  /** Whether the call failed. */
  isError: boolean;
  /** The state of the tool; `stopped` unless the output says otherwise. */
  status: 'running' | 'waiting' | 'stopped';
  /** An envelope without any warning, an envelope with warnings, or raw text. */
  verdict: Verdict;
  [member: string]: unknown;
}

/** Whether the URI is not known, known with this digest, or known with another one. */
export type Receipt = 'new' | 'repeat' | 'changed';

/** The identity of a resource in an output, and whether it was known before. */
export interface Identity {
  /** The digest of the raw content: the text in UTF-8, or the decoded bytes. */
  digest: string;
  /** The media type that the tool gave. */
  mimeType?: string;
  /** Whether `uri` is canonical. */
  normalized: boolean;
  /** The block, as a JSON Pointer into the document. */
  pointer: string;
  /** The digest that was known for the URI, if the resource has changed. */
  previous?: string;
  /** The size of the content in bytes. */
  size: number;
  /** Whether the URI is not known, known with this digest, or known with another one. */
  status: Receipt;
  /** The canonical URI; if there is none, the URI as it was written. */
  uri: string;
  [member: string]: unknown;
}

/** The answer to a question. */
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
  | 'opened'
  | 'declined'
  | 'cancelled'
  | 'unavailable';

/** The context of the call, independent of the tool. */
export interface CallContext {
  /** What the tool is asked to do. Earlier hosts wrote `Run` for `run`. */
  action: | 'run'
  | 'Run'
  | 'format_arguments'
  | 'describe';
  /** The root of the workspace: an absolute path or a `file:` URI. */
  root?: string;
  [member: string]: unknown;
}

/** The tool and its input. */
export interface CallTool {
  /** The values of accepted answers, by question id. */
  answers?: { [member: string]: unknown };
  /** The arguments, which fit the tool's `inputSchema`. */
  arguments?: { [member: string]: unknown };
  /** The states and sources of all answers, by question id. */
  'dev.toolwire/answers'?: { [member: string]: AnswerRecord };
  /** The name of the tool. It is absent only if a program is asked to describe all of its tools. */
  name?: string;
  /** The settings that the host passes to this tool. */
  options?: { [member: string]: unknown };
  [member: string]: unknown;
}

/**
 * The call of a tool by a host (chapter 10 of the specification). Unknown members are allowed
 * and are kept.
 */
export interface CallDocument {
  /** The context of the call, independent of the tool. */
  context: CallContext;
  /** The tool and its input. */
  tool: CallTool;
  [member: string]: unknown;
}

/** Start, report the state, take input, end early. */
export type SessionAction =
  | 'spawn'
  | 'fetch'
  | 'apply'
  | 'abort';

/** A tool, in the form that MCP uses. */
export interface ToolDocument {
  /** More about a tool. The names of members begin with a domain. */
  _meta?: ToolMeta;
  /** Hints about the tool. A host should trust them no more than the tool itself. */
  annotations?: ToolAnnotations;
  /** What the tool does, for people and models. */
  description?: string;
  /** JSON Schema of the arguments. */
  inputSchema: { [member: string]: unknown };
  /** The name of the tool. */
  name: string;
  /** JSON Schema of the result's `structuredContent`. */
  outputSchema?: { [member: string]: unknown };
  /** A title for people. */
  title?: string;
  [member: string]: unknown;
}

/** Hints about the tool. A host should trust them no more than the tool itself. */
export interface ToolAnnotations {
  /** The tool may destroy something. */
  destructiveHint?: boolean;
  /** Repeating a call with the same arguments has no further effect. */
  idempotentHint?: boolean;
  /** The tool reaches beyond this machine, for example to the web. */
  openWorldHint?: boolean;
  /** The tool changes nothing. */
  readOnlyHint?: boolean;
  /** A title for people. */
  title?: string;
  [member: string]: unknown;
}

/** More about a tool. The names of members begin with a domain. */
export interface ToolMeta {
  /** What the tool can be asked to do while it keeps running. */
  'dev.toolwire/actions'?: SessionAction[];
  [member: string]: unknown;
}

/**
 * The tools of a program: the `structuredContent` of its answer to `describe` (chapter 10 of the
 * specification). Unknown members are allowed and are kept.
 */
export interface Description {
  /** The tools, in a stable order and with unique names. */
  tools: ToolDocument[];
  /** Marks the value as a description, and gives its version. */
  toolwire: number;
  [member: string]: unknown;
}
