#!/usr/bin/env python3
"""Answer with a file, or with some of its lines, as a resource.

Usage: read_file.py PATH [FIRST-LAST]
"""

import os
import pathlib
import sys

import toolwire as tw


def read(path, lines=None):
    if lines is None:
        return tw.envelope(tw.resource_from_file(path))
    first, last = (int(number) for number in lines.split("-"))
    text = pathlib.Path(path).read_text(encoding="utf-8")
    part = "".join(text.splitlines(keepends=True)[first - 1 : last])
    return tw.envelope(
        tw.resource(
            f"{pathlib.Path(path).resolve().as_uri()}#L{first}-{last}",
            text=part,
            name=f"{os.path.basename(path)}, lines {first} to {last}",
        )
    )


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    try:
        print(read(*sys.argv[1:]))
    except (OSError, ValueError) as problem:
        print(tw.error(problem))
        sys.exit(1)
