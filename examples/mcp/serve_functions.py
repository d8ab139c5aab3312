#!/usr/bin/env python3
"""Serve functions of this program, and programs on disk beside them, to MCP clients.

    claude mcp add notes -- python3 examples/mcp/serve_functions.py examples/python/query.py
    python3 examples/mcp/serve_functions.py --http 127.0.0.1:8080

What a function keeps in memory stays there between calls, unlike in a tool that is a program of its own.
"""

import sys

import toolwire as tw

notes: "dict[str, str]" = {}


@tw.tool
def note(title: str, text: str, ctx: tw.Context) -> str:
    """Write down a note."""
    if title in notes and not ctx.answer("replace", tw.boolean(f"Replace the note {title}?")):
        return "Left as it was."
    notes[title] = text
    print(f"{len(notes)} notes")  # on stderr, since stdout is for messages
    return "Written down."


@tw.tool(read_only=True)
async def search(word: str) -> "list[str]":
    """Find the notes that have a word in them."""
    found: "list[str]" = []
    for done, (title, text) in enumerate(notes.items()):
        tw.progress(done, len(notes), title)
        if word in text:
            found.append(title)
    return found


if __name__ == "__main__":
    programs = sys.argv[1:]
    http = None
    if programs[:1] == ["--http"]:
        http, programs = programs[1], programs[2:]
    tw.serve_sync(note, search, *programs, http=http)
