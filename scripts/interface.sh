#!/bin/sh
# The public interface, as text that a review can see the difference of:
#   scripts/interface.sh check MODULES          whether docs/interface is that of now, and every symbol has a word
#   scripts/interface.sh write MODULES          makes it that of now
#   scripts/interface.sh graph MODULES FOLDER   the symbol graph of `import RawGet`, into FOLDER
# MODULES is where `swift build` put the modules.
set -eu

mode=$1
modules=$2
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
graph() { # graph FOLDER
  swift-symbolgraph-extract -module-name RawGet -target "$(uname -m)-unknown-linux-gnu" -I "$modules" \
    -I CModules/CPosix/include -I CModules/COpenSSL/include -minimum-access-level public -output-dir "$1"
}
if [ "$mode" = graph ]; then
  graph "$3"
  exit
fi
graph "$temp"
mkdir "$temp/now"
python3 scripts/interface.py swift "$temp/RawGet.symbols.json" >"$temp/now/swift.txt"
python3 scripts/interface.py c CModules/CRawGet/include/rawget.h >"$temp/now/c.txt"
case $mode in
check)
  diff -u docs/interface "$temp/now" || {
    echo "interface: it changed. If that was meant: make interface, and a line in CHANGELOG.md" >&2
    exit 1
  }
  python3 scripts/interface.py undocumented "$temp/RawGet.symbols.json" >"$temp/silent"
  if [ -s "$temp/silent" ]; then
    cat "$temp/silent" >&2
    echo "interface: these are public and have no documentation" >&2
    exit 1
  fi
  ;;
write) cp "$temp"/now/*.txt docs/interface ;;
*)
  echo "usage: scripts/interface.sh check|write|graph MODULES [FOLDER]" >&2
  exit 2
  ;;
esac
