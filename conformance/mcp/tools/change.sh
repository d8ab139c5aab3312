#!/bin/sh
# Renames a tool of the manifest beside it, and back.
set -eu
cd "$(dirname "$0")"
if grep -q 'tools.renamed' toolwire.toml; then
	sed 's/tools.renamed/tools.test_resource_link/' toolwire.toml >changed.toml
else
	sed 's/tools.test_resource_link/tools.renamed/' toolwire.toml >changed.toml
fi
mv changed.toml toolwire.toml
echo 'Changed.'
