/**
 * For authors who stay with an official SDK for TypeScript, `@modelcontextprotocol/sdk` 1.x or
 * `@modelcontextprotocol/server` 2.x: what a tool says becomes that SDK's own result, and a question is asked through
 * it. Nothing of an SDK is loaded here.
 *
 * ```ts
 * server.registerTool('remove', { inputSchema: z.object({ path: z.string() }) }, async ({ path }, ctx) => {
 *   const question = { id: 'confirm', text: `Remove ${path}?`, schema: { type: 'boolean' } };
 *   const { answers, inputRequired } = await ask(server, ctx, question);
 *   if (inputRequired) return inputRequired;
 *   return result(server, ctx, envelope([text(answers.confirm?.value === true ? 'Removed it.' : 'Kept it.')]));
 * });
 * ```
 */

import type { Answer, Envelope, Input, Parsed, QuestionInput } from './index.js';

/** The `McpServer` of either SDK, or the `Server` in it. */
export type SdkServer = LowServer | { readonly server: LowServer };

interface LowServer {
  getClientCapabilities(): { elicitation?: object | undefined } | undefined;
  getClientVersion(): { name: string; title?: string | undefined } | undefined;
  elicitInput(params: never, options?: never): Promise<object>;
}

/** What `@modelcontextprotocol/sdk` gives a tool beside its arguments. */
export interface Sdk1Context {
  readonly requestId: string | number;
  readonly signal: AbortSignal;
}

/** What `@modelcontextprotocol/server` gives a tool beside its arguments. */
export interface Sdk2Context {
  readonly mcpReq: { readonly id: string | number; readonly signal: AbortSignal };
}

interface BlockMembers {
  annotations?: { audience?: ('user' | 'assistant')[]; priority?: number; lastModified?: string };
  _meta?: { [name: string]: unknown };
}

/** A block of a result, as the SDKs declare it. */
export type SdkBlock =
  | (BlockMembers & { type: 'text'; text: string })
  | (BlockMembers & { type: 'image' | 'audio'; data: string; mimeType: string })
  | (BlockMembers & { type: 'resource_link'; uri: string; name: string })
  | (BlockMembers & { type: 'resource'; resource: SdkResource });

/** The resource in a block. */
export type SdkResource = { uri: string; mimeType?: string; _meta?: { [name: string]: unknown } } & (
  | { text: string }
  | { blob: string }
);

/** A `CallToolResult` of either SDK. */
export interface SdkResult {
  [name: string]: unknown;
  content: SdkBlock[];
  structuredContent?: { [name: string]: unknown };
  isError?: boolean;
  _meta?: { [name: string]: unknown };
}

/** An `InputRequiredResult` of `@modelcontextprotocol/server`. */
export interface SdkInputRequired {
  [name: string]: unknown;
  resultType: 'input_required';
  // The SDK declares each kind of field that a form can have, and the core knows which there are.
  inputRequests: { [id: string]: { method: 'elicitation/create'; params: any } };
}

/** The answers to questions, by their ids. */
export interface Answered {
  answers: { [id: string]: Answer };
  inputRequired?: undefined;
}

/** Questions that the client has yet to ask. */
export interface Open {
  answers?: undefined;
  /** What the tool has to return. */
  inputRequired: SdkInputRequired;
}

/**
 * What a tool says as a result for the revision that the client speaks (MCP-1). What MCP has no member for travels in
 * `_meta`. The SDKs write numbers as JavaScript does, so integers past 2^53 are rounded.
 *
 * Throws a ToolwireError, `bad_argument`, if the server or the context is none of an SDK.
 */
export function result(server: SdkServer, context: Sdk1Context | Sdk2Context, told: Envelope | Parsed | Input): SdkResult;

/**
 * Asks the client's user (ELI-10 to ELI-33). Each answer is accepted with a value that fits its question, opened,
 * declined, cancelled, or unavailable where the client can't ask.
 *
 * A client of 2026-07-28 asks and calls again. Until then there is `inputRequired` instead of answers, which the tool
 * has to return; all questions of one call of this function are answered in one round. In older revisions the client
 * is asked while the tool waits, until there is an answer or the call is cancelled.
 *
 * Rejects with a ToolwireError: `bad_argument` or what `readQuestion` throws for a question that is malformed,
 * `secret_question` for one that declares a secret, `bad_elicitation` if the client of an older revision gives an
 * answer that does not fit; and with what the SDK throws.
 */
export function ask(server: SdkServer, context: Sdk1Context, ...questions: QuestionInput[]): Promise<Answered>;
export function ask(server: SdkServer, context: Sdk2Context, ...questions: QuestionInput[]): Promise<Answered | Open>;
