// Generated from schema/. Do not edit: run `cargo xtask codegen`.
//
// The JSON shapes of envelopes, blocks, diagnostics and identities. Objects may have members that
// no schema names; those are kept, and are `unknown` here.

import type { Answer, AskedQuestion, Block, Call, Envelope, Json, Message, Parsed, Progress } from './index.js';

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

/** What a tool is asked to do: run, explain its arguments, or describe the tools of its program. */
export type Action = 'run' | 'format_arguments' | 'describe';

/** The form of a schema for actions: one object for all of them, or one schema for each. */
export type ActionStyle = 'flat' | 'one_of';

/** Whom a question of a manifest's tool is for. */
export type Asked = 'user' | 'assistant';

/** The type of a block. */
export type BlockType =
  | 'text'
  | 'resource'
  | 'question'
  | 'image'
  | 'audio'
  | 'resource_link';

/** Where a call is: in a document of its own, or in the `_meta` of an MCP request. */
export type Carrier = 'document' | 'meta';

/** How grave a change is; the gravest last. */
export type ChangeVerdict =
  | 'same'
  | 'compatible'
  | 'text'
  | 'behaviour'
  | 'safety'
  | 'unknown'
  | 'breaking';

/** How a tool differs from what a profile expects. */
export type DeviationKind =
  | 'gone'
  | 'contract'
  | 'text'
  | 'safety'
  | 'unknown'
  | 'hash'
  | 'no_hash';

/** What became of a member when a document was mapped to another format. */
export type Fate =
  | 'kept'
  | 'moved'
  | 'approximated'
  | 'dropped';

/** How something is hidden in a text. */
export type HiddenKind =
  | 'invisible'
  | 'bidi'
  | 'tag'
  | 'variation'
  | 'homoglyph'
  | 'escape'
  | 'control'
  | 'marks';

/** Why a tool could not be run, or a server not be used. */
export type HostErrorCode =
  | 'tool_not_found'
  | 'tool_is_directory'
  | 'tool_not_executable'
  | 'interpreter_not_found'
  | 'bad_directory'
  | 'bad_argument'
  | 'bad_description'
  | 'manifest_not_found'
  | 'bad_manifest'
  | 'untrusted_manifest'
  | 'unknown_tool'
  | 'describe_failed'
  | 'not_started'
  | 'not_connected'
  | 'timeout'
  | 'unauthorized'
  | 'no_common_revision'
  | 'bad_tools'
  | 'unknown_server'
  | 'untrusted_server'
  | 'bad_config'
  | 'unresolved_config'
  | 'unexpected_tools'
  | 'bad_option'
  | 'bad_lock'
  | 'not_locked'
  | 'not_served'
  | 'system_error';

/** A format that came before envelopes. */
export type LegacyFormat = 'outcome' | 'tool_state' | 'input_text';

/** How serious a log message is: a level of syslog and MCP. */
export type Level =
  | 'debug'
  | 'info'
  | 'notice'
  | 'warning'
  | 'error'
  | 'critical'
  | 'alert'
  | 'emergency';

/** Who wrote a line of the line transport. */
export type LineSource = 'host' | 'tool';

/** How something compares with what is locked of it. */
export type LockState =
  | 'same'
  | 'changed'
  | 'added'
  | 'removed'
  | 'not_verified';

/**
 * Where a program has its marker: in a comment, by an import, or in the bytes of an executable
 * file.
 */
export type Marker = 'comment' | 'import' | 'binary';

/** A revision of MCP. */
export type McpRevision = '2025-06-18' | '2025-11-25' | '2026-07-28';

/** A family of models, or the version of a framework, where the rules of a provider depend on it. */
export type MessageFamily =
  | 'azure'
  | 'gemini_2'
  | 'nova'
  | 'llama'
  | 'mistral'
  | 'text'
  | 'writer'
  | 'ai_sdk_6';

/** A provider's or a framework's form of messages; `openai` is OpenAI Responses. */
export type MessageProvider =
  | 'anthropic'
  | 'openai'
  | 'openai_chat'
  | 'gemini'
  | 'bedrock'
  | 'mistral'
  | 'ai_sdk'
  | 'langchain'
  | 'pydantic_ai'
  | 'openai_agents';

/** A provider of models, or what all of them accept. */
export type Provider =
  | 'common'
  | 'openai'
  | 'openai_strict'
  | 'anthropic'
  | 'anthropic_strict'
  | 'google';

/** What was wanted: a password, another secret, or plain input. */
export type RefusalAbout = 'password' | 'secret' | 'input';

/** Why a question has no answer; `refused` means that it must not be asked in a form. */
export type RefusalReason =
  | 'refused'
  | 'unavailable'
  | 'cancelled'
  | 'declined';

/** How resources with text are written, where a provider has such a part. */
export type ResourceForm = 'text' | 'document' | 'search_result';

/** What happens if the tools of a server differ from what a profile expects. */
export type SchemaValidation = 'warn' | 'error' | 'ignore';

/** The kind of secret that a question asks for. */
export type SecretAbout = 'password' | 'secret';

/** Which part of a question shows that it asks for a secret. */
export type SecretReason =
  | 'write_only'
  | 'format'
  | 'name'
  | 'wording';

/**
 * `declared`: never asked in a form. `suspected`, because of its wording: asked of a person
 * only.
 */
export type SecretTier = 'declared' | 'suspected';

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
 * Which part of a result a model gets: content, and structured content if there is none; or
 * structured content instead of texts.
 */
export type StructuredPolicy = 'when_empty' | 'preferred';

/** How the content of a resource is enclosed. */
export type Style = 'fence' | 'xml';

/** Who reads a text. */
export type Target = 'model' | 'terminal';

/** What happens to questions without an answer that is known beforehand. */
export type Unanswered =
  | 'ask'
  | 'defaults'
  | 'decline'
  | 'fail';

/** Which part of a terminal a model reads. */
export type SessionView = 'screen' | 'changes' | 'new';

/**
 * What is computed of a tool: digests that begin with `sha256:`, or the texts that they are the
 * digests of.
 */
export interface Fingerprint {
  /** The tool's name and its schemas, without words. */
  contract: string;
  /** What people and models read of it. */
  text: string;
  /** Its annotations and actions, and how its server is launched. */
  safety: string;
}

/** A block that was skipped; the diagnostics say why. */
export interface Skipped {
  /** Its index in `content`. */
  index: number;
  /** Its JSON text, unchanged. */
  json: string;
}

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
  witness?: Witness;
  /** Whether it is a guess, such as a new name. */
  guess?: boolean;
  /** What has changed, in words. */
  message: string;
  /** What a caller has to do, if anything. */
  advice?: string;
}

/** A value that is valid for one version of a tool and not for the other. */
export interface Witness {
  arguments?: Json;
  result?: Json;
  name?: string;
}

/** The difference between two versions of a tool, or of a list of tools. */
export interface Diff {
  /** The gravest of the changes. */
  verdict: ChangeVerdict;
  changes: Change[];
}

/** The version of a package that a launch URI names. */
export interface LaunchVersion {
  text: string;
  /** Whether only one version fits. */
  exact: boolean;
}

/** A launch URI that was read. */
export interface ReadLaunch {
  /** What it starts and what is wanted of it; `format_launch_uri` takes it. */
  launch: { [member: string]: Json };
  /** The URI in canonical form. */
  uri: string;
  /** The program and its arguments; null for a URL. */
  command: string[] | null;
  /** The facts that count as safety. */
  facts: { [member: string]: Json };
  /** The version of the package; null if none is named. */
  version: LaunchVersion | null;
}

/** A word that names a profile, which was read. */
export interface ReadProfileWord {
  /** What `format_profile_word` takes. */
  word: { [member: string]: Json };
  /** The word in canonical form. */
  text: string;
}

/** Something that a text hides from its reader. */
export interface Hidden {
  kind: HiddenKind;
  /** Where it begins, in bytes of UTF-8. */
  offset: number;
  /** How long it is, in bytes of UTF-8. */
  length: number;
  /** Its name. */
  name: string;
  /** The text that it stands for, if any. */
  says?: string;
}

/** A lock file. */
export interface Lock {
  lockVersion: number;
  /** What is locked of each source, by its name. */
  sources: { [member: string]: Json };
  [member: string]: unknown;
}

/** A lock file that was read, and warnings about members that are not known. */
export interface ReadLock {
  lock: Lock;
  diagnostics: Diagnostic[];
}

/** A fact of a launch that differs from what is locked. */
export interface LaunchChange {
  member: string;
  verdict: ChangeVerdict;
  old: Json;
  new: Json;
}

/** How the launch of a source compares with what is locked of it. */
export interface LaunchReport {
  state: LockState;
  changes: LaunchChange[];
  /** What only a launcher or an interpreter knows, and was not asked for. */
  notVerified?: string[];
}

/** How the instructions of a server compare with what is locked of them. */
export interface InstructionsReport {
  state: LockState;
  diff?: string;
}

/** How a tool compares with what is locked of it. */
export interface ToolReport {
  name: string;
  state: LockState;
  verdict: ChangeVerdict;
  /** The fingerprints that differ. */
  fingerprints: string[];
  changes: Change[];
  hidden: Json[];
  hiddenCount?: number;
  problem?: string;
}

/** How a source compares with what is locked of it. */
export interface SourceReport {
  name: string;
  state: LockState;
  verdict: ChangeVerdict;
  launch: LaunchReport;
  instructions: InstructionsReport;
  /** The tools that are not the same. */
  tools: ToolReport[];
  /** The number of tools that are the same. */
  same: number;
  /** The number of tools that were not compared. */
  notVerified: number;
}

/** How the sources of a lock compare with it. */
export interface LockReport {
  /** The gravest of all sources. */
  verdict: ChangeVerdict;
  /** Whether everything could be compared. */
  verified: boolean;
  sources: SourceReport[];
}

/** A tool of a profile. */
export interface ProfileTool {
  name: string;
  /** The server's name for it. */
  tool: string;
  /** The schema of its arguments, if it is known. */
  inputSchema?: Json;
  /** The JSON text of the schema, verbatim. */
  inputSchemaText?: string;
}

/** A profile: a server, its tools, and what is known of them. */
export interface Profile {
  /** The profile as one document, verbatim. */
  text: string;
  /** How the server is reached. */
  launcher: { [member: string]: Json };
  /** The JSON text of the launcher, verbatim. */
  launcherText: string;
  schemaValidation: SchemaValidation;
  tools: ProfileTool[];
  /** What each tool was tried with. */
  testedWith: { [member: string]: Json[] };
}

/** How the tools of a server differ from what a profile expects. */
export interface Deviation {
  /** The tool, if it is about one. */
  tool?: string;
  what: DeviationKind;
  message: string;
}

/** What became of a member when a document was mapped to another format. */
export interface MappedMember {
  /** The place in the document that was mapped, as a JSON Pointer. */
  pointer: string;
  fate: Fate;
  /** Why; empty for what is kept. */
  reason: string;
}

/** A call that a model has made. */
export interface ModelCall {
  /** Correlates the result; Gemini may leave it out. */
  id?: string;
  name: string;
  /** The namespace of the name, at OpenAI. */
  namespace?: string;
  /** Absent if they could not be read. */
  arguments?: { [member: string]: Json };
  /** What the model wrote instead of an object. */
  invalid?: string;
  /** Other members of the provider's call: they go into the history unchanged. */
  echo?: { [member: string]: Json };
}

/** A tool's result as a message. */
export interface ProviderMessage {
  message: any;
  /** The message of the user that belongs behind all results of the turn, or null. */
  companion: any;
  report: MappedMember[];
}

/** The messages that answer all calls of a response. */
export interface ProviderTurn {
  messages: any[];
  /** A report for each result. */
  reports: Array<MappedMember[]>;
}

/** The name under which a model knows a tool. */
export interface ToolName {
  tool: string;
  name: string;
}

/** Definitions of tools for a request. */
export interface ProviderTools {
  tools: any[];
  names: ToolName[];
  report: MappedMember[];
}

/** A call of a model that was read. */
export interface FromCall {
  call: ModelCall;
  /** The envelope to answer with, if the call is not to be run. */
  refusal: EnvelopeDocument | null;
  /** The call for later requests. */
  history: any;
  report: MappedMember[];
}

/** A server in another form. */
export interface ConvertedServer {
  /** What was understood of the server. */
  entry: { [member: string]: Json };
  /** The server in the other form. */
  text: string;
  /** The same as a value. */
  members: Json;
  report: MappedMember[];
}

/** An output as the result of an MCP tool. */
export interface ToResult {
  result: { [member: string]: Json };
  /** The result as JSON text, with all digits of all numbers. */
  text: string;
  report: MappedMember[];
}

/** The result of an MCP tool as an envelope. */
export interface FromResult {
  parsed: Parsed;
  report: MappedMember[];
}

/** A tool as MCP lists it. */
export interface ToTool {
  tool: { [member: string]: Json };
  /** Whether the output schema was wrapped; then results are wrapped too. */
  wrapped: boolean;
  report: MappedMember[];
}

/** A tool that an MCP server lists, as a tool of a description. */
export interface FromTool {
  tool: ToolDocument;
  /** The name by which the server calls it. */
  name: string;
  /** Whether its output schema was wrapped. */
  wrapped: boolean;
  report: MappedMember[];
}

/** A question as MCP asks it. */
export interface ToElicitation {
  params: { [member: string]: Json };
  report: MappedMember[];
}

/** The question that an MCP server asks. */
export interface FromElicitation {
  question: AskedQuestion;
  report: MappedMember[];
}

/** The result with which a server asks its client. */
export interface ToInputRequired {
  result: { [member: string]: Json };
  report: MappedMember[];
}

/** What replaces questions that a client cannot ask. */
export interface WithoutElicitation {
  envelope: Envelope;
  /** Whether there is another way to each of the answers. */
  hasWay: boolean;
}

/** A document in a legacy format, as an envelope. */
export interface Legacy {
  format: LegacyFormat;
  /** The envelope. */
  parsed: Parsed;
  report: MappedMember[];
}

/** The sign that a question asks for a secret. */
export interface Secret {
  /**
   * The place in the question, such as `/schema/format`, or in the texts before it, such as
   * `/context/0`.
   */
  pointer: string;
  reason: SecretReason;
  about: SecretAbout;
  tier: SecretTier;
}

/** A value to choose. */
export interface Choice {
  value: | null
  | boolean
  | number
  | string;
  /** The text that a person sees. */
  label: string;
  description?: string;
}

/** Yes or no. */
export interface BooleanPrompt {
  kind: 'boolean';
  default?: boolean;
}

/** One of several values. */
export interface SelectPrompt {
  kind: 'select';
  choices: Choice[];
  default?: | null
  | boolean
  | number
  | string;
}

/** Some of several values. */
export interface MultiSelectPrompt {
  kind: 'multi_select';
  choices: Choice[];
  minItems?: number;
  maxItems?: number;
  default?: Json[];
}

/** Text. */
export interface TextPrompt {
  kind: 'text';
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  default?: string;
}

/** A number. */
export interface NumberPrompt {
  kind: 'number';
  /** Whether it must be an integer. */
  integer: boolean;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  default?: number;
}

/** How a field of a form is presented. `default` is present only if the prompt can produce it. */
export type FieldPrompt =
  | BooleanPrompt
  | SelectPrompt
  | MultiSelectPrompt
  | TextPrompt
  | NumberPrompt;

/** A field of a form. */
export interface FormField {
  name: string;
  title?: string;
  description?: string;
  required: boolean;
  prompt: FieldPrompt;
}

/** An object whose members are asked one after the other. */
export interface FormPrompt {
  kind: 'form';
  fields: FormField[];
  /** The text that an editor starts with, for a host without forms. */
  template: string;
  default?: { [member: string]: Json };
}

/** Any value, written in an editor. */
export interface EditorPrompt {
  kind: 'editor';
  /** The text that the editor starts with. */
  template: string;
  default?: Json;
}

/** A page that a person may open. */
export interface UrlPrompt {
  kind: 'url';
  /** The page to open if the person agrees. Show all of it, and open it for nobody else. */
  url: string;
  host: string;
}

/**
 * How a question is presented to a person. `default` is present only if the prompt can produce
 * it.
 */
export type Prompt =
  | BooleanPrompt
  | SelectPrompt
  | MultiSelectPrompt
  | TextPrompt
  | NumberPrompt
  | FormPrompt
  | EditorPrompt
  | UrlPrompt;

/** A place where a value does not fit a schema. */
export interface Mismatch {
  /** The place in the value, as a JSON Pointer; empty for the whole value. */
  pointer: string;
  message: string;
}

/** A part of a schema that its projection does not express. */
export interface Loss {
  /** The place in the schema, as a JSON Pointer. */
  pointer: string;
  /** The keyword. */
  what: string;
}

/** A schema in the form that a provider of models accepts. */
export interface Projection {
  schema: { [member: string]: Json };
  /** The schema as JSON text in exact form. */
  text: string;
  /** Whether the value is the member `answer` of what the model returns. */
  wrapped: boolean;
  losses: Loss[];
}

/** An output schema in the common form. */
export interface TidyOutput {
  schema: { [member: string]: Json };
  /** Whether values are wrapped as `result`. */
  wrapped: boolean;
}

/**
 * What a terminal sends for an input, and what is written to pipes unless it is for a terminal
 * alone; or a new size.
 */
export interface TerminalBytes {
  typed?: string;
  piped?: string;
  eof?: boolean;
  size?: number[];
}

/** Text that is typed. */
export interface TerminalText {
  text: string;
  enter?: boolean;
  eof?: boolean;
}

/** A key that is pressed. */
export interface TerminalKey {
  key: string;
}

/** Keys that are pressed one after the other. */
export interface TerminalKeys {
  keys: string[];
}

/** A new size: columns and rows. */
export interface TerminalSize {
  size: number[];
}

/** Input for a program in a terminal or on pipes: text, which is typed as it is, or an object. */
export type TerminalInput =
  | string
  | TerminalText
  | TerminalKey
  | TerminalKeys
  | TerminalSize;

/** A model's answer to a question of a session. */
export interface CommandAnswer {
  state: AnswerState;
  source: AnswerSource;
  value?: Json;
}

/** A model's call of a tool that keeps running; the members depend on the action. */
export interface SessionCommand {
  action: SessionAction;
  id: string;
  arguments?: { [member: string]: Json };
  after?: number;
  wait?: number;
  until?: string;
  view?: SessionView;
  input?: Json;
  answer?: CommandAnswer;
  question?: string;
}

/** Limits for reading. Output that exceeds a limit is read as raw text. */
export interface Limits {
  /** Maximum number of bytes of the whole output (default: 67,108,864). */
  maxBytes?: number | null | undefined;
  /** Maximum depth of nested arrays and objects (default: 128). */
  maxDepth?: number | null | undefined;
  /** Maximum number of JSON values (default: 10,000,000). */
  maxValues?: number | null | undefined;
  /** Maximum number of elements of `content` (default: 100,000). */
  maxBlocks?: number | null | undefined;
  /** Maximum number of diagnostics that are kept (default: 100). */
  maxDiagnostics?: number | null | undefined;
}

/** What people can do if a question, such as one for a secret, has no answer. */
export interface Alternatives {
  /** The service that the secret belongs to. */
  service?: string | null | undefined;
  /** How to sign in with OAuth: a page, a command or a tool. */
  oauth?: string | null | undefined;
  /** A page where the value can be entered, out of band. */
  url?: string | null | undefined;
  /** How to supply the value in advance. */
  upFront?: string | null | undefined;
  /** The page where app passwords are created. */
  appPasswords?: string | null | undefined;
}
