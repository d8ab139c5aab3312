/**
 * Messages of the providers of models: a tool's result, the results of a turn, definitions of tools, and the calls that
 * a model makes. Nothing is sent, and nothing of an SDK is loaded.
 *
 * ```js
 * const read = fromCall(block, 'anthropic', { stopReason: response.stop_reason });
 * const result = read.refusal ?? (await run('./list.py', read.call.arguments)).parsed;
 * const { messages } = toTurn([read.call], [result], 'anthropic');
 * ```
 */

import type { Envelope, Input, Json, Parsed } from './index.js';

/** A provider's or a framework's form of messages; `openai` is OpenAI Responses. */
export type Provider =
  | 'anthropic' | 'openai' | 'openai_chat' | 'gemini' | 'bedrock' | 'mistral'
  | 'ai_sdk' | 'langchain' | 'pydantic_ai' | 'openai_agents';

/** The family of models, or the version of a framework, where the rules of a provider depend on it. */
export type Family = 'azure' | 'gemini_2' | 'nova' | 'llama' | 'mistral' | 'text' | 'writer' | 'ai_sdk_6';

/** A message, an item or a value in the form of a provider. */
export type ProviderJson = any;

/** What became of something, with a JSON Pointer to it. */
export interface ReportEntry {
  pointer: string;
  fate: 'kept' | 'moved' | 'approximated' | 'dropped';
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
  arguments?: { [name: string]: Json };
  /** What the model wrote instead of an object. */
  invalid?: string;
  /** Other members of the provider's call: they go into the history unchanged. */
  echo?: { [name: string]: Json };
}

/** How a result becomes a message. */
export interface MessageOptions {
  family?: Family;
  /** Content, and structured content if there is none; or structured content instead of texts. */
  structured?: 'when_empty' | 'preferred';
  /** How resources with text are written, where the provider has such a part. */
  resources?: 'text' | 'document' | 'search_result';
  /** The maximum of text in bytes, at least 256. */
  maxBytes?: number;
  /** Whether media that have no room in a result follow in a message of the user; default true. */
  companion?: boolean;
  /** Whether the end of the result is a place to cache up to. */
  cache?: boolean;
  /** Whether the definition has an output schema, so that the result has to be JSON (OpenAI Responses). */
  outputSchema?: boolean;
}

/** A tool's result as the message that answers a call. The companion belongs behind all results of the turn. */
export function toMessage(
  data: Input | Parsed | Envelope,
  call: ModelCall,
  provider: Provider,
  options?: MessageOptions,
): { message: ProviderJson; companion: ProviderJson | null; report: ReportEntry[] };

/** The messages that answer all calls of a response. A result that is null is that of a call that was not run. */
export function toTurn(
  calls: readonly ModelCall[],
  results: readonly (Input | Parsed | Envelope | object | null | undefined)[],
  provider: Provider,
  options?: MessageOptions,
): { messages: ProviderJson[]; reports: ReportEntry[][] };

/** How tools are defined. */
export interface ToolsOptions {
  family?: Family;
  /** Whether the provider makes sure that arguments fit the schema. */
  strict?: boolean;
  /** Whether the definitions get a cache hint. */
  cache?: boolean;
  /** Whether output schemas are sent, where the provider takes them. */
  outputSchemas?: boolean;
}

/** Definitions for a request, and the names of the tools in it. A tool that can't be defined is left out and reported. */
export function toTools(
  tools: readonly object[] | string,
  provider: Provider,
  options?: ToolsOptions,
): { tools: ProviderJson[]; names: { tool: string; name: string }[]; report: ReportEntry[] };

/** What is known of a call beside the call itself. */
export interface FromCallOptions {
  /** Why the model stopped, in the provider's word. */
  stopReason?: string;
  /** Whether it is the last call of its message: only that one can be cut off. Default true. */
  isLast?: boolean;
  /** The tools that were given to {@link toTools}, so that names and arguments come back as the tool has them. */
  tools?: readonly object[];
  family?: Family;
  strict?: boolean;
}

/**
 * What a model has called. If `refusal` is not null, the call is not to be run: it was cut off, or its arguments can't
 * be read. The refusal is the envelope to answer with; `history` is the call for later requests.
 */
export function fromCall(
  call: object | Input,
  provider: Provider,
  options?: FromCallOptions,
): { call: ModelCall; refusal: { [name: string]: Json } | null; history: ProviderJson; report: ReportEntry[] };

/** A call as it stands in the history of a provider, which may be another than the one that it came from. */
export function toHistory(call: ModelCall, provider: Provider): ProviderJson;
