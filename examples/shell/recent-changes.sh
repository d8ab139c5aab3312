#!/bin/sh
# What changed lately, as plain text. A shell tool needs no library: its output is a result as it is.
#
# Usage: recent-changes.sh [COUNT]
exec git log --max-count="${1:-5}" --date=short --pretty='%ad %s'
