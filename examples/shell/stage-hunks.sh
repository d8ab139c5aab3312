#!/bin/sh
# Stages the hunks that add a line with a certain word, and leaves the others. It drives `git add --patch` in a
# session, as an agent that has a shell does: start it, read, answer, read on.
#
#     ./examples/shell/stage-hunks.sh WORD
set -eu
word=${1:?give a word}
id=staging-$$
trap 'toolwire session abort "$id" > /dev/null 2>&1 || :' EXIT

# Each question begins with its number, as in `(2/5) Stage this hunk`; after the last one, git ends, and no further
# one comes: then the command ends with another status than 0.
number=1
said=$(toolwire session spawn "$id" -q --pty --size 200x50 --until "(1/" -- git add --patch 2> /dev/null) || number=0
while [ "$number" -gt 0 ]; do
	if printf '%s\n' "$said" | grep -q "^+.*$word"; then answer=y; else answer=n; fi
	echo "hunk $number: $answer"
	number=$((number + 1))
	said=$(toolwire session apply "$id" "$answer" -q --enter --until "($number/" 2> /dev/null) || number=0
done
git diff --cached --stat
