#!/usr/bin/env node
// An MCP server of the official SDK with one tool, which removes a file after its user has agreed. What it answers
// is an envelope, and what it asks a question of Toolwire.
//
//   npm install toolwire @modelcontextprotocol/server zod
//   claude mcp add remove -- node examples/mcp/with-typescript-sdk.mjs
//
// The same server is there for version 1 of this SDK, for FastMCP, and for the official SDKs in Python and Rust.

import { readFile, unlink } from 'node:fs/promises';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { envelope, resource, text } from 'toolwire';
import { ask, result } from 'toolwire/mcp-sdk';
import * as z from 'zod';

serveStdio(() => {
  const server = new McpServer({ name: 'remove', version: '1' });
  const inputSchema = z.object({ path: z.string() });
  server.registerTool('remove', { description: 'Remove a file.', inputSchema }, async ({ path }, ctx) => {
    const question = { id: 'confirm', text: `Remove ${path}?`, schema: { type: 'boolean' } };
    const { answers, inputRequired } = await ask(server, ctx, question);
    if (inputRequired) return inputRequired;
    const { confirm } = answers;
    const told = async () => {
      if (!confirm.accepted) return envelope([text(`Kept it: the question was ${confirm.state}.`)]);
      if (!confirm.value) return envelope([text('Kept it.')]);
      const content = await readFile(path, 'utf8');
      await unlink(path);
      return envelope([text('Removed it.'), resource(path, { text: content, name: 'what was removed' })]);
    };
    return result(server, ctx, await told());
  });
  return server;
});
