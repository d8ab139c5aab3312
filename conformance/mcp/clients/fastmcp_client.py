"""A client of FastMCP that carries out a plan; see clients/README.md."""

from contextlib import asynccontextmanager
from types import SimpleNamespace

from fastmcp import Client
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport
from mcp_types import ElicitResult
from plan import bearer, carry_out, plain


@asynccontextmanager
async def connect(plan, answer, logged):
    async def elicit(_message, _type, params, _context):
        return ElicitResult.model_validate(answer(plain(params)))

    async def log(params):
        logged(plain(params))

    server = plan["server"]
    modern = plan["revision"] == "2026-07-28"
    client = Client(
        StreamableHttpTransport(server["url"], headers=bearer(server))
        if "url" in server
        else StdioTransport(
            command=server["command"], args=server["args"], env=server.get("env")
        ),
        elicitation_handler=elicit if plan.get("elicitation") else None,
        log_handler=log,
        mode=plan["revision"] if modern else "legacy",
    )
    async with client:

        async def call(call, progress):
            return await client.call_tool_mcp(
                call["name"],
                call.get("arguments", {}),
                progress_handler=progress,
                meta=call.get("_meta"),
            )

        revision = client.session.protocol_version
        # In the newest revision, the level travels with each request.
        log_level = None if modern else client.set_logging_level
        yield SimpleNamespace(
            revision=revision, tools=client.list_tools, call=call, log_level=log_level
        )


carry_out(connect)
