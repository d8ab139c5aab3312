#!/bin/sh
# Stages the hunks that add a line with a certain word, and leaves the others. It drives `git add --patch` in a
# session, as an agent that has a shell does: start it, read, answer, read on.
#
#     examples/shell/stage-hunks.sh WORD
set -eu
word=${1:?give a word}
id=staging-$$
trap 'toolwire session abort "$id" > /dev/null 2>&1 || :' EXIT

said=$(toolwire session spawn "$id" --pty --size 200x50 -- git add --patch 2> /dev/null)
number=1
while :; do
	# Each question begins with its number, as in `(2/5) Stage this hunk`; after the last one, git ends.
	more=$(toolwire session fetch "$id" --until "($number/" --wait 10s 2> /dev/null)
	case $more in '[status value=running]'*) ;; *) break ;; esac
	said="$said
$more"
	if printf '%s\n' "$said" | grep -q "^+.*$word"; then answer=y; else answer=n; fi
	echo "hunk $number: $answer"
	said=$(toolwire session apply "$id" "$answer" --enter 2> /dev/null)
	number=$((number + 1))
done
git diff --cached --stat
