// A server of version 2 of the official TypeScript SDK with a tool that does nothing.

import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

serveStdio(() => {
  const server = new McpServer({ name: 'noop', version: '1' });
  server.registerTool('noop', { description: 'Do nothing.' }, () => ({ content: [{ type: 'text', text: 'ok' }] }));
  return server;
});
