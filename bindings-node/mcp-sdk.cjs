'use strict';
// For authors who stay with an official SDK for TypeScript: what a tool says as that SDK's result, and questions
// that are asked through it. Nothing of an SDK is loaded here; the server and the context are taken as they are.

const { randomUUID } = require('node:crypto');
const toolwire = require('./index.cjs');

const NEWEST = '2026-07-28';
const KNOWN = ['2025-06-18', '2025-11-25', NEWEST];
const ENVELOPE = 'io.modelcontextprotocol/';

/** How long a person may take to answer, in milliseconds: the SDKs would give up after one minute, and timers know no more. */
const PATIENCE = 2 ** 31 - 1;

function result(server, context, told) {
  return JSON.parse(toolwire.mcp.toResult(told, { revision: peerOf(server, context).revision }).text);
}

async function ask(server, context, ...questions) {
  const peer = peerOf(server, context);
  const { revision, capability } = peer;
  const asked = questions.map((question) => toolwire.questions.readQuestion(question));
  const answers = {};
  const requests = {};
  for (const question of asked) {
    const params = paramsOf(question, peer);
    if (params === undefined || !toolwire.elicitation.canElicit(question, capability, { revision })) {
      define(answers, question.id, new toolwire.Answer(undefined, { state: 'unavailable', source: 'policy' }));
      continue;
    }
    define(requests, question.id, { method: 'elicitation/create', params });
    if (revision !== NEWEST) {
      const { answer, wrong } = answerOf(question, await peer.elicit(params), revision);
      if (wrong !== undefined) refuse('bad_elicitation', '', `the answer to \`${question.id}\` does not fit: ${wrong}`);
      define(answers, question.id, answer);
    } else if (Object.hasOwn(peer.given, question.id)) {
      // One that does not fit is asked for again.
      const { answer, wrong } = answerOf(question, peer.given[question.id], revision);
      if (wrong === undefined) define(answers, question.id, answer);
    }
  }
  if (asked.every(({ id }) => Object.hasOwn(answers, id))) return { answers };
  // All of them again: whoever answers the rest has to bring these answers too.
  return { inputRequired: { resultType: 'input_required', inputRequests: requests } };
}

/** What is known of the client, and the way to ask it: in 2.x the context has it, in 1.x the server. */
function peerOf(server, context) {
  // The low-level server is a member of the other.
  const low = server?.server ?? server;
  if (typeof low?.elicitInput !== 'function' || typeof low.getClientCapabilities !== 'function') {
    refuse('bad_argument', '/server', '`server` is the `McpServer` or the `Server` of an official SDK');
  }
  const request = context?.mcpReq ?? context;
  const id = request?.requestId ?? request?.id;
  if (id === undefined) refuse('bad_argument', '/context', '`context` is what the SDK gives a tool beside its arguments');
  const envelope = request.envelope;
  const capabilities = envelope?.[`${ENVELOPE}clientCapabilities`] ?? low.getClientCapabilities();
  const client = envelope?.[`${ENVELOPE}clientInfo`] ?? low.getClientVersion();
  const capability = capabilities?.elicitation;
  const spoken =
    envelope?.[`${ENVELOPE}protocolVersion`] ??
    low.getNegotiatedProtocolVersion?.() ??
    context.requestInfo?.headers?.['mcp-protocol-version'] ??
    // 1.x keeps no revision: only a newer client than the oldest knows pages.
    (capability?.url === undefined ? undefined : '2025-11-25');
  return {
    revision: KNOWN.includes(spoken) ? spoken : KNOWN[0],
    capability,
    client: client?.title ?? client?.name,
    given: request.inputResponses ?? {},
    elicit: (params) => low.elicitInput(params, { relatedRequestId: id, signal: request.signal, timeout: PATIENCE }),
  };
}

/** The parameters of `elicitation/create`; undefined for a page, of which the revision knows nothing. */
function paramsOf(question, { revision, client }) {
  if (question.url !== undefined && revision === KNOWN[0]) return undefined;
  const elicitationId = question.url === undefined ? undefined : randomUUID();
  const { params } = toolwire.elicitation.toElicitation(question, { revision, client, elicitationId });
  // The SDKs write numbers as JavaScript does, and fail at a bigint.
  return JSON.parse(JSON.stringify(params, (_, value) => (typeof value === 'bigint' ? Number(value) : value)));
}

/** The answer in a result of `elicitation/create`, and why it can't be taken, if so. */
function answerOf(question, replied, revision) {
  let answer;
  try {
    answer = toolwire.elicitation.answerFromElicitResult(question, replied, { revision });
  } catch (error) {
    if (!(error instanceof toolwire.ToolwireError)) throw error;
    return { wrong: error.message };
  }
  const found = answer.accepted ? toolwire.schema.checkAnswer(question, answer.value) : [];
  return { answer, wrong: found.length === 0 ? undefined : found.map(({ message }) => message).join('; ') };
}

function refuse(code, pointer, message) {
  throw new toolwire.ToolwireError({ code, severity: 'error', pointer, message });
}

/** Sets a member of any name, `__proto__` included. */
function define(object, name, value) {
  Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true });
}

module.exports = { result, ask };
