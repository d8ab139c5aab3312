"""An MCP server over stdio that answers each call with a result from a file, byte by byte.

    python canned_server.py CANNED.json

`CANNED.json` has `results`, which maps the name of a tool to the text of its result, so that a result
keeps its digits and may be one that no SDK would write, and `tools`, which may map a name to more
members of its description. Speaks all three revisions.
"""

import json
import sys

OLD = ("2025-06-18", "2025-11-25")
NEW = "2026-07-28"


def main() -> None:
    with open(sys.argv[1], encoding="utf-8") as file:
        canned = json.load(file)
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        answer = reply(message.get("method"), message.get("params") or {}, canned)
        head = '{"jsonrpc":"2.0","id":' + json.dumps(message["id"]) + ","
        sys.stdout.write(head + answer + "}\n")
        sys.stdout.flush()


def reply(method: str, params: dict, canned: dict) -> str:
    """The member `result` or `error` of the response, as text."""
    results = canned["results"]
    about = {"capabilities": {"tools": {}}, "serverInfo": {"name": "canned", "version": "1"}}
    if method == "initialize":
        asked = params.get("protocolVersion")
        return result({"protocolVersion": asked if asked in OLD else OLD[-1], **about})
    if method == "server/discover":
        return result({"supportedVersions": [NEW], **cached(), **about})
    if method == "tools/list":
        base = {"inputSchema": {"type": "object"}}
        more = canned.get("tools", {})
        tools = [{"name": name, **base, **more.get(name, {})} for name in sorted(results)]
        modern = "io.modelcontextprotocol/protocolVersion" in params.get("_meta", {})
        return result({"tools": tools, **(cached() if modern else {})})
    if method == "tools/call" and params.get("name") in results:
        return '"result":' + results[params["name"]]
    return '"error":' + json.dumps({"code": -32601, "message": f"no {method} here"})


def result(value: dict) -> str:
    return '"result":' + json.dumps(value)


def cached() -> dict:
    return {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}


if __name__ == "__main__":
    main()
