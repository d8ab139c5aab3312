// A server of the TypeScript SDK 2.x that answers with results from a file; see servers/README.md.
import { readFileSync } from "node:fs";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

serveStdio(() => {
  const server = new McpServer({ name: "results", version: "1" });
  for (const [name, result] of Object.entries(JSON.parse(readFileSync(process.argv[2], "utf8")))) {
    server.registerTool(name, {}, () => result);
  }
  return server;
});
