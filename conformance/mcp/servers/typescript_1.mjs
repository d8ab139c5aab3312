// A server of the TypeScript SDK 1.x that answers with results from a file; see servers/README.md.
import { readFileSync } from "node:fs";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

const server = new McpServer({ name: "results", version: "1" });
for (const [name, result] of Object.entries(JSON.parse(readFileSync(process.argv[2], "utf8")))) {
  server.registerTool(name, {}, () => result);
}
await server.connect(new StdioServerTransport());
