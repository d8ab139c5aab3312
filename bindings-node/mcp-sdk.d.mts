export * from './mcp-sdk.js';
