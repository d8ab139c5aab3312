// A client of the TypeScript SDK 1.x that carries out a plan; see clients/README.md.
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  ElicitationCompleteNotificationSchema,
  ElicitRequestSchema,
  LoggingMessageNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { bearer, carryOut } from "./plan.mjs";

await carryOut(async (plan, answer, logged, completed) => {
  const capabilities = plan.elicitation ? { elicitation: { form: {}, url: {} } } : {};
  const client = new Client({ name: "typescript-1", version: "1" }, { capabilities });
  if (plan.elicitation) {
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params));
  }
  client.setNotificationHandler(ElicitationCompleteNotificationSchema, ({ params }) => completed(params));
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => logged(params));
  const { command, args, env, url, token } = plan.server;
  await client.connect(
    url
      ? new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: bearer(token) } })
      : new StdioClientTransport({ command, args, env }),
  );
  return {
    revision: client.transport.protocolVersion ?? null,
    tools: async () => (await client.listTools()).tools,
    call: (params, options) => client.callTool(params, undefined, options),
    logLevel: (level) => client.setLoggingLevel(level),
    close: () => client.close(),
  };
});
