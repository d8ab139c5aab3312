#!/usr/bin/env node
// @ts-check
// A host that runs the tools of a folder, and whose model answers their questions.
//
//     export OPENAI_API_KEY=…         # also OPENAI_BASE_URL and OPENAI_MODEL, for other services
//     node examples/host/ask-a-model.mjs TOOL [NAME=VALUE…]
//
// TOOL is a tool of the nearest `toolwire.toml`. Any service with the chat completions API of OpenAI will
// do. Questions that seem to ask for a secret, and those that the manifest leaves to the user, are not for
// a model: this host has nobody else to ask, so they get no answer.

import { Answer, envelope, format, loadManifest, schema, ToolwireError, wire } from 'toolwire';

const { OPENAI_BASE_URL = 'https://api.openai.com/v1', OPENAI_MODEL = 'gpt-5-mini', OPENAI_API_KEY } = process.env;
const SYSTEM = 'A tool that was called for the user asks a question. Answer it as the user would want it.';

/** @param {import('toolwire').PendingQuestion} question */
async function answerer(question) {
  if (question.secret !== undefined || question.who === 'user') return undefined;
  // Providers take only a part of JSON Schema.
  const { schema: accepted } = schema.projectSchema(question.schema, { answer: true });
  const { choices } = await post(`${OPENAI_BASE_URL}/chat/completions`, {
    model: OPENAI_MODEL,
    messages: [{ role: 'system', content: SYSTEM }, { role: 'user', content: prompt(question) }],
    response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: accepted, strict: true } },
  });
  const { content, refusal } = choices[0].message;
  if (refusal) return new Answer(undefined, { state: 'declined', source: 'assistant' });
  return new Answer(schema.unwrapValue(question.schema, JSON.parse(content), { answer: true }), { source: 'assistant' });
}

/** @param {import('toolwire').PendingQuestion} question */
function prompt({ context, tool, arguments: args, text, mismatches }) {
  // Blocks that are meant for the user alone are left out.
  const before = format(envelope(context), { audience: 'assistant' });
  const asks = `The tool \`${tool}\` was called with ${JSON.stringify(args)}. It asks: ${text}`;
  const wrong = mismatches.map(({ pointer, message }) => `Your last answer does not fit: at \`${pointer}\` ${message}`);
  return [before, asks, ...wrong].join('\n\n').trim();
}

/**
 * @param {string} url
 * @param {object} body
 */
async function post(url, body) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${OPENAI_API_KEY}` };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal: AbortSignal.timeout(60_000) });
  if (!response.ok) throw new Error(`${url} answers with ${response.status}: ${await response.text()}`);
  return response.json();
}

const [name, ...words] = process.argv.slice(2);
if (name === undefined) {
  console.error('usage: node ask-a-model.mjs TOOL [NAME=VALUE…]');
  process.exit(2);
}
try {
  const manifest = loadManifest();
  const described = (await manifest.listTools()).find((tool) => tool.name === name);
  const args = wire.parseArguments(words, described?.inputSchema ?? {});
  const { parsed, answers } = await manifest.run(name, args, { answerer, host: 'ask-a-model' });
  console.log(format(parsed, { target: 'terminal' }));
  for (const [id, { state, source }] of Object.entries(answers)) console.error(`${id}: ${state}, from ${source}`);
  process.exitCode = parsed.isError ? 1 : 0;
} catch (error) {
  if (!(error instanceof ToolwireError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
