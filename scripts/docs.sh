#!/bin/sh
# The documentation of `import RawGet`, as a DocC archive: scripts/docs.sh MODULES FOLDER
# MODULES is where `swift build` put the modules. What is public, and the articles of Sources/RawGet/RawGet.docc; a link
# that leads nowhere is an error. That every symbol has a word is for `scripts/interface.sh check`.
set -eu

modules=$1
folder=$2
graphs=$(mktemp -d)
trap 'rm -rf "$graphs"' EXIT
mkdir -p "$folder"
scripts/interface.sh graph "$modules" "$graphs"
docc convert Sources/RawGet/RawGet.docc --fallback-display-name RawGet --fallback-bundle-identifier rawget.RawGet \
  --additional-symbol-graph-dir "$graphs" --output-path "$folder/RawGet.doccarchive" >"$graphs/said" 2>&1
if grep -A 1 "doesn't exist at" "$graphs/said" >&2; then exit 1; fi
echo "$folder/RawGet.doccarchive: $(find "$folder/RawGet.doccarchive/data" -name '*.json' | wc -l) pages"
