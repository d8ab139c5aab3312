#!/usr/bin/env python3
"""Find the notes that people leave in code: TODO, FIXME and HACK.

Usage: todo.py [FOLDER]

A person or a model reads the text; a program reads the structured content.
"""

import os
import re
import sys
from collections.abc import Iterator
from typing import TypedDict

import toolwire as tw

class Note(TypedDict):
    path: str
    line: int
    kind: str
    text: str


MARK = re.compile(r"\b(TODO|FIXME|HACK)\b[:\s(]*(.*)")
PASSED_OVER = {"target", "node_modules", "__pycache__", "venv"}


def notes(folder: str) -> Iterator[Note]:
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(f for f in folders if not f.startswith(".") and f not in PASSED_OVER)
        for name in sorted(files):
            path = os.path.join(parent, name)
            try:
                with open(path, encoding="utf-8") as lines:
                    for number, line in enumerate(lines, start=1):
                        found = MARK.search(line)
                        if found:
                            yield {
                                "path": os.path.relpath(path, folder),
                                "line": number,
                                "kind": found.group(1),
                                "text": found.group(2).strip(),
                            }
            except (UnicodeDecodeError, OSError):
                continue  # Binary files and dead links hold no notes.


def main(folder: str = ".") -> int:
    if not os.path.isdir(folder):
        print(tw.error(NotADirectoryError(f"`{folder}` is not a folder")))
        return 1
    found = list(notes(folder))
    lines = [f"{note['path']}:{note['line']}: {note['kind']} {note['text']}" for note in found]
    heading = f"{len(found)} notes" if len(found) != 1 else "1 note"
    print(
        tw.envelope(
            tw.text("\n".join([heading, *lines])),
            structured_content={"notes": found},
        )
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:2]))
