#!/bin/sh
# toolwire-tool: 1
#
# Commit what is staged in a git repository; asks for the message, and before it commits.
#
#     toolwire run examples/shell/commit.sh
#     toolwire run examples/shell/commit.sh message="Fix the fence" repository=../other
#
# The same tool is there in Python, Node and Rust. A tool in a shell needs no library: it reads the
# call with `toolwire get`, or any other reader of JSON, and prints an envelope, or plain text. The line
# at the top says that it does so.
set -eu

call=$(cat)
get() { printf '%s' "$call" | toolwire get "$@"; }

if [ "$(get /context/action)" = describe ]; then
	cat <<'END'
{"content": [], "structuredContent": {"toolwire": 1, "tools": [{
  "name": "commit",
  "title": "Commit",
  "description": "Commit what is staged in a git repository.",
  "inputSchema": {
    "type": "object",
    "properties": {
      "message": {"type": ["string", "null"], "description": "The message of the commit; asked for if it is left out."},
      "repository": {"type": "string", "default": ".", "description": "The folder of the repository."}
    },
    "additionalProperties": false
  },
  "annotations": {"destructiveHint": false, "openWorldHint": false}
}]}}
END
	exit
fi

repository=$(get /tool/arguments/repository --default .)
message=$(get /tool/arguments/message --default "$(get /tool/answers/message --default '')")

if [ "$(get /context/action)" = format_arguments ]; then
	printf 'git -C %s commit -m “%s”\n' "$repository" "${message:-…}"
	exit
fi

staged=$(git -C "$repository" diff --cached --stat)
if [ -z "$staged" ]; then
	echo 'nothing is staged; stage it with `git add` first'
	exit 1
fi

# What has no fixed text would have to be quoted as JSON; these questions need no such thing.
ask() {
	printf '{"content": [{"type": "question", "question": {"id": "%s", "text": "%s", "schema": %s}}]}\n' "$@"
	exit
}
[ -n "$message" ] || ask message 'What is the message of the commit?' '{"type": "string", "minLength": 1, "maxLength": 72}'
confirm=$(get /tool/answers/confirm --default '')
[ -n "$confirm" ] || ask confirm 'Commit what is staged?' '{"type": "boolean"}'

if [ "$confirm" = true ]; then
	git -C "$repository" commit --quiet -m "$message"
	printf '%s\n\nCommitted as %s.\n' "$staged" "$(git -C "$repository" rev-parse HEAD)"
else
	echo 'Left as it was.'
fi
