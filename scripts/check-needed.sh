#!/bin/sh
# Proves that a binary needs the shared libraries named and no others, and prints its size:
#   scripts/check-needed.sh BINARY LIBRARY…
# This is what catches an Embedded build that was silently linked with the Swift runtime.
set -eu

binary=$1
shift
readelf=$(command -v readelf || command -v llvm-readelf) || {
  echo "check-needed: neither readelf nor llvm-readelf is here (package binutils)" >&2
  exit 1
}

# The loader may be named too: libc itself needs it.
needed=$("$readelf" -d "$binary" | sed -n 's/.*(NEEDED).*\[\(.*\)\].*/\1/p' | grep -v '^ld-linux' | sort | tr '\n' ' ')
allowed=$(printf '%s\n' "$@" | sort | tr '\n' ' ')
if [ "$needed" != "$allowed" ]; then
  echo "check-needed: $binary needs '$needed', and may need exactly '$allowed'" >&2
  exit 1
fi
echo "$binary: $(wc -c <"$binary") bytes, needs $needed"
