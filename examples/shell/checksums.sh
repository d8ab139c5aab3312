#!/bin/sh
# Checksums of files, with progress: the host reads the lines that are appended to the file of `TOOLWIRE_EVENTS`,
# and `toolwire run` shows a bar. Without a host the lines go nowhere.
#
#     toolwire run -- examples/shell/checksums.sh spec/*.md
set -eu

say() { printf '%s\n' "$1" >> "${TOOLWIRE_EVENTS:-/dev/null}"; }

number=0
for file do
	say "{\"type\":\"progress\",\"done\":$number,\"total\":$#}"
	if [ -f "$file" ]; then
		cksum "$file"
	else
		# A name would have to be quoted as JSON; its number needs no such thing.
		say "{\"type\":\"log\",\"level\":\"warning\",\"message\":\"argument $((number + 1)) is not a file\"}"
	fi
	number=$((number + 1))
done
say "{\"type\":\"progress\",\"done\":$number,\"total\":$#}"
