// A server of the official TypeScript SDK with a tool that does nothing.

import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';

const server = new McpServer({ name: 'noop', version: '1' });
server.registerTool('noop', { description: 'Do nothing.' }, () => ({ content: [{ type: 'text', text: 'ok' }] }));
await server.connect(new StdioServerTransport());
