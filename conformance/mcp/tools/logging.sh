#!/bin/sh
# Writes log messages by hand: one JSON object a line, appended to the file that a host names.
set -eu
for message in 'Tool execution started' 'Tool processing data' 'Tool execution completed'; do
	[ -z "${TOOLWIRE_EVENTS:-}" ] || echo "{\"type\": \"log\", \"level\": \"info\", \"message\": \"$message\"}" >>"$TOOLWIRE_EVENTS"
	sleep 0.05
done
echo 'Wrote three log messages.'
