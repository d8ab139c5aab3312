#!/usr/bin/env python3
"""Answer with a file, or with some of its lines, as a resource.

Usage: read_file.py PATH [FIRST-LAST]
"""

import itertools
import os
import re
import sys
from typing import Optional

import toolwire as tw


def read(path: str, lines: Optional[str] = None) -> tw.Envelope:
    if lines is None:
        return tw.envelope(tw.resource_from_file(path))
    found = re.fullmatch(r"([0-9]{1,9})-([0-9]{1,9})", lines)
    first, last = map(int, found.groups()) if found else (0, 0)
    if not 1 <= first <= last:
        raise ValueError(f"`{lines}` is no range of lines; give FIRST-LAST, such as 1-20")
    # Lines end with a line feed, and stay as they are.
    with open(path, encoding="utf-8", newline="\n") as file:
        part = "".join(itertools.islice(file, first - 1, last))
    return tw.envelope(
        tw.resource(
            f"{tw.file_uri(path)}#L{first}-{last}",
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
