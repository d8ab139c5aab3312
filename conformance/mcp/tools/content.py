#!/usr/bin/env python3
# toolwire-tool: 1
"""Every kind of content, written by hand: a call on stdin, an envelope on stdout, no library."""

import json
import sys

# A red pixel, and 8 samples of silence.
PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
)
WAV = "UklGRiwAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQgAAACAgICAgICAgA=="

TEXT = {"type": "text", "text": "Multiple content types test:"}
IMAGE = {"type": "image", "data": PNG, "mimeType": "image/png"}
AUDIO = {"type": "audio", "data": WAV, "mimeType": "audio/wav"}
RESOURCE = {
    "type": "resource",
    "resource": {
        "uri": "test://embedded-resource",
        "mimeType": "text/plain",
        "text": "This is an embedded resource content.",
    },
}
MIXED = {
    "type": "resource",
    "resource": {
        "uri": "test://mixed-content-resource",
        "mimeType": "application/json",
        "text": '{"test":"data","value":123}',
    },
}
BLOB = {
    "type": "resource",
    "resource": {"uri": "test://blob", "mimeType": "application/octet-stream", "blob": "AAECAw=="},
}
LINK = {
    "type": "resource_link",
    "uri": "file:///project/README.md",
    "name": "README.md",
    "title": "Read me",
    "description": "What the project is",
    "mimeType": "text/markdown",
    "size": 1234,
    "annotations": {"audience": ["user"], "priority": 0.5},
}
# What MCP has no place for: `formatted`, and members of a resource.
EXTRAS = {
    "type": "resource",
    "resource": {
        "uri": "file:///project/src/main.rs",
        "name": "main.rs",
        "title": "The program",
        "mimeType": "text/rust",
        "text": "fn main() {}\n",
    },
    "formatted": "```rs\nfn main() {}\n```",
    "annotations": {"audience": ["assistant"]},
    "_meta": {"example.org/line": 7},
}
OBJECT = {"city": "Vienna", "celsius": 21.5, "wind": {"from": "NW", "gusts": [30, 45]}, "rain": None}

TOOLS = {
    "test_image_content": ("An image.", {"content": [IMAGE]}, None),
    "test_audio_content": ("A sound.", {"content": [AUDIO]}, None),
    "test_embedded_resource": ("A text as a resource.", {"content": [RESOURCE]}, None),
    "test_multiple_content_types": (
        "A text, an image and a resource.",
        {"content": [TEXT, IMAGE, MIXED]},
        None,
    ),
    "test_resource_link": ("A link to a resource.", {"content": [LINK]}, None),
    "test_everything": (
        "Blocks of every type, with what MCP has no place for.",
        {
            "content": [TEXT, IMAGE, AUDIO, RESOURCE, BLOB, LINK, EXTRAS],
            "structuredContent": OBJECT,
            "_meta": {"example.org/trace": {"id": "a-1"}},
        },
        None,
    ),
    "test_structured_object": (
        "Structured content with an output schema.",
        {"content": [], "structuredContent": OBJECT},
        {
            "type": "object",
            "properties": {"city": {"type": "string"}, "celsius": {"type": "number"}},
            "required": ["city", "celsius"],
        },
    ),
    "test_structured_list": (
        "Structured content that is no object.",
        {"content": [], "structuredContent": [1, "two", None]},
        {"type": "array"},
    ),
    "test_numbers": (
        "Integers that a double can't hold.",
        {"content": [], "structuredContent": {"id": 1234567890123456789}},
        None,
    ),
}


def main() -> None:
    call = json.load(sys.stdin)
    if call["context"]["action"] == "describe":
        answer = {"content": [], "structuredContent": {"toolwire": 1, "tools": described()}}
    else:
        _description, answer, _schema = TOOLS[call["tool"]["name"]]
    json.dump(answer, sys.stdout)


def described() -> list:
    tools = []
    for name, (description, _answer, schema) in TOOLS.items():
        tool = {"name": name, "description": description, "inputSchema": {"type": "object"}}
        tools.append(tool if schema is None else {**tool, "outputSchema": schema})
    return tools


main()
