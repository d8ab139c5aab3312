"""A client of the official Python SDK that carries out a plan; see clients/README.md."""

from contextlib import asynccontextmanager
from types import SimpleNamespace

import httpx2
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_types import ElicitResult
from plan import bearer, carry_out, plain


@asynccontextmanager
async def over_http(server):
    async with (
        httpx2.AsyncClient(headers=bearer(server), timeout=None) as client,
        streamable_http_client(server["url"], http_client=client) as streams,
    ):
        yield streams


@asynccontextmanager
async def connect(plan, answer, logged):
    async def elicit(_context, params):
        return ElicitResult.model_validate(answer(plain(params)))

    async def log(params):
        logged(plain(params))

    server = plan["server"]
    modern = plan["revision"] == "2026-07-28"
    client = Client(
        over_http(server)
        if "url" in server
        else StdioServerParameters(
            command=server["command"], args=server["args"], env=server.get("env")
        ),
        elicitation_callback=elicit if plan.get("elicitation") else None,
        logging_callback=log,
        log_level="debug" if modern else None,
        mode=plan["revision"] if modern else "legacy",
    )
    async with client:

        async def tools():
            return (await client.list_tools()).tools

        async def call(call, progress):
            return await client.call_tool(
                call["name"],
                call.get("arguments", {}),
                progress_callback=progress,
                meta=call.get("_meta"),
            )

        async def offers():
            listed = await client.list_resources(), await client.list_resource_templates()
            prompts = await client.list_prompts()
            uris = [*(str(one.uri) for one in listed[0].resources), "notes://friday"]
            return {
                "resources": plain(listed[0])["resources"],
                "templates": plain(listed[1])["resourceTemplates"],
                "prompts": plain(prompts)["prompts"],
                "contents": [plain(await client.read_resource(uri))["contents"] for uri in uris],
                "messages": [
                    plain(await client.get_prompt(one.name, {"day": "Monday"}))["messages"] for one in prompts.prompts
                ],
            }

        # In the newest revision, the level travels with each request.
        log_level = None if modern else client.set_logging_level
        yield SimpleNamespace(
            revision=client.protocol_version, tools=tools, call=call, log_level=log_level, offers=offers
        )


carry_out(connect)
