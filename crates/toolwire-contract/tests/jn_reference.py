"""The function of JN that hashes a list of tools, as it is, over many lists.

Reads a JSON array of texts on stdin, each a list of tools, and writes an array of their hashes; null where
the function raises an exception.
"""

import hashlib
import json
import sys


def calculate_schema_hash(tools: list[dict]) -> str:
    hash_input = []

    for tool in sorted(tools, key=lambda t: t["name"]):
        tool_sig = {
            "name": tool["name"],
            "required": sorted(tool["inputSchema"].get("required", [])),
            "types": {
                param: schema["type"]
                for param, schema in tool["inputSchema"]["properties"].items()
            }
        }
        hash_input.append(json.dumps(tool_sig, sort_keys=True))

    return hashlib.md5("\n".join(hash_input).encode()).hexdigest()


def hash_or_none(text):
    try:
        return calculate_schema_hash(json.loads(text))
    except (KeyError, TypeError, AttributeError):
        return None


json.dump([hash_or_none(text) for text in json.load(sys.stdin)], sys.stdout)
