// A client of the TypeScript SDK 2.x that carries out a plan; see clients/README.md.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { bearer, carryOut } from "./plan.mjs";

await carryOut(async (plan, answer, logged, completed) => {
  const capabilities = plan.elicitation ? { elicitation: { form: {}, url: {} } } : {};
  const modern = plan.revision === "2026-07-28";
  const client = new Client(
    { name: "typescript-2", version: "1" },
    { capabilities, versionNegotiation: { mode: modern ? { pin: plan.revision } : "legacy" } },
  );
  if (plan.elicitation) {
    client.setRequestHandler("elicitation/create", ({ params }) => answer(params));
  }
  client.setNotificationHandler("notifications/elicitation/complete", ({ params }) => completed(params));
  client.setNotificationHandler("notifications/message", ({ params }) => logged(params));
  const { command, args, env, url, token } = plan.server;
  await client.connect(
    url
      ? new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: bearer(token) } })
      : new StdioClientTransport({ command, args, env }),
  );
  return {
    revision: client.getNegotiatedProtocolVersion?.() ?? null,
    tools: async () => (await client.listTools()).tools,
    call: (params, options) => client.callTool(params, options),
    logLevel: modern ? undefined : (level) => client.setLoggingLevel(level),
    close: () => client.close(),
  };
});
