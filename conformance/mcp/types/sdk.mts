// Compiled, never run: the helpers fit the types of the official SDKs, and what would fail must not.
import { McpServer as McpServer1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { McpServer, Server } from '@modelcontextprotocol/server';
import { envelope, parse, text } from 'toolwire';
import { ask, result } from 'toolwire/mcp-sdk';
import * as z from 'zod';

const question = { id: 'confirm', text: 'Go on?', schema: { type: 'boolean' } };

const one = new McpServer1({ name: 'one', version: '1' });
one.registerTool('go', { inputSchema: { path: z.string() } }, async ({ path }, extra) => {
  const { answers } = await ask(one, extra, question);
  const agreed: boolean | undefined = answers.confirm?.accepted;
  return result(one.server, extra, envelope([text(`${path} ${agreed}`)]));
});

const two = new McpServer({ name: 'two', version: '1' });
two.registerTool('go', { inputSchema: z.object({ path: z.string() }) }, async ({ path }, ctx) => {
  const { answers, inputRequired } = await ask(two, ctx, question, JSON.stringify(question));
  if (inputRequired) return inputRequired;
  return result(two, ctx, envelope([text(`${path} ${answers.confirm?.state}`)]));
});
two.registerTool('careless', {}, async (ctx) => {
  const asked = await ask(two, ctx, question);
  // @ts-expect-error the client may have to ask first
  return result(two, ctx, envelope([text(asked.answers.confirm.state)]));
});

const low = new Server({ name: 'low', version: '1' });
low.setRequestHandler('tools/call', async (_request, ctx) => {
  const asked = await ask(low, ctx, question);
  return asked.inputRequired ?? result(low, ctx, parse('{"content":[]}'));
});
// @ts-expect-error that is no server
result({}, { requestId: 1, signal: AbortSignal.timeout(1) }, '');
