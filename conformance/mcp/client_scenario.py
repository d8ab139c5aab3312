"""What the conformance suite starts as its client: `toolwire run` and `toolwire tools`, as the scenario
wants them. The suite gives the URL as the last argument, the scenario and its data in the environment.
"""

import json
import os
import subprocess
import sys

TOOLWIRE = os.environ["TOOLWIRE_COMMAND"]
URL = sys.argv[-1]
SCENARIO = os.environ["MCP_CONFORMANCE_SCENARIO"]


def run(*args: str) -> str:
    ran = subprocess.run([TOOLWIRE, *args], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    sys.stderr.write(f"$ toolwire {' '.join(args)}\n{ran.stdout}{ran.stderr}")
    return ran.stdout


def call(name: str, arguments: dict, *options: str) -> None:
    run("run", "--json", "--args", json.dumps(arguments), *options, URL, name)


def tools() -> list:
    return json.loads(run("tools", URL, "--json"))["tools"]


if SCENARIO == "tools_call":
    call("add_numbers", {"a": 5, "b": 3})
elif SCENARIO == "elicitation-sep1034-client-defaults":
    call("test_client_elicitation_defaults", {}, "--non-interactive", "defaults")
elif SCENARIO == "sse-retry":
    call("test_reconnection", {})
elif SCENARIO == "sep-2322-client-request-state":
    accept = ("--answer", 'confirm={"confirmed":true}')
    call("test_mrtr_unrelated", {})
    call("test_mrtr_echo_state", {}, *accept)
    call("test_mrtr_no_state", {}, *accept)
    call("test_mrtr_no_result_type", {})
elif SCENARIO == "http-custom-headers":
    for each in json.loads(os.environ["MCP_CONFORMANCE_CONTEXT"])["toolCalls"]:
        call(each["name"], each["arguments"])
elif SCENARIO == "http-invalid-tool-headers":
    for tool in tools():
        call(tool["name"], {"region": "us-east1"})
elif SCENARIO == "http-standard-headers":
    for tool in tools():
        call(tool["name"], {})
elif SCENARIO == "json-schema-2020-12-preservation":
    [focal] = [tool for tool in tools() if tool["name"] == "json_schema_2020_12_tool"]
    call("json_schema_echo", {"schema": focal["inputSchema"]})
else:
    tools()
