#!/usr/bin/env node
// An MCP server of the official SDK, version 1, with one tool, which removes a file after its user has agreed. What
// it answers is an envelope, and what it asks a question of Toolwire.
//
//   npm install toolwire @modelcontextprotocol/sdk zod
//   claude mcp add remove -- node examples/mcp/with-typescript-sdk-1.mjs
//
// The same server is there for version 2 of this SDK, for FastMCP, and for the official SDKs in Python and Rust.

import { readFile, unlink } from 'node:fs/promises';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { envelope, resource, text } from 'toolwire';
import { ask, result } from 'toolwire/mcp-sdk';
import * as z from 'zod';

const server = new McpServer({ name: 'remove', version: '1' });
const inputSchema = { path: z.string() };

server.registerTool('remove', { description: 'Remove a file.', inputSchema }, async ({ path }, extra) => {
  const question = { id: 'confirm', text: `Remove ${path}?`, schema: { type: 'boolean' } };
  const { answers } = await ask(server, extra, question);
  return result(server, extra, await remove(path, answers.confirm));
});

async function remove(path, confirm) {
  if (!confirm.accepted) return envelope([text(`Kept it: the question was ${confirm.state}.`)]);
  if (!confirm.value) return envelope([text('Kept it.')]);
  const content = await readFile(path, 'utf8');
  await unlink(path);
  return envelope([text('Removed it.'), resource(path, { text: content, name: 'what was removed' })]);
}

await server.connect(new StdioServerTransport());
