#!/usr/bin/env python3
# toolwire-tool: 1
"""Input schemas that have to reach a client as they are, written by hand."""

import json
import sys

ADDRESS = {
    "$anchor": "addressDef",
    "type": "object",
    "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
}
SCHEMA_2020_12 = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {"address": ADDRESS},
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}
HEADERS = {
    "type": "object",
    "properties": {
        "region": {"type": "string", "x-mcp-header": "Region"},
        "query": {"type": "string"},
    },
    "required": ["region"],
}
TOOLS = {
    "json_schema_2020_12_tool": ("Tool with JSON Schema 2020-12 features", SCHEMA_2020_12),
    "test_headers": ("An argument that travels in a header too.", HEADERS),
}

call = json.load(sys.stdin)
if call["context"]["action"] == "describe":
    tools = [
        {"name": name, "description": description, "inputSchema": schema}
        for name, (description, schema) in TOOLS.items()
    ]
    answer = {"content": [], "structuredContent": {"toolwire": 1, "tools": tools}}
else:
    answer = {"content": [{"type": "text", "text": json.dumps(call["tool"]["arguments"])}]}
json.dump(answer, sys.stdout)
