#!/bin/sh
# How not to do it: JSON put together by hand. It works until a file holds a quote or a second line.
#
# Usage: by-hand.sh FILE
# Try: by-hand.sh README.md | toolwire explain
text=$(head -n 3 "$1")
printf '{"content":[{"type":"text","text":"%s"}]}\n' "$text"
