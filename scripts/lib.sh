#!/bin/bash
# Makes the C library of what `swift build` made: scripts/lib.sh ARCHIVE FOLDER
# ARCHIVE has the objects of all modules, built as Embedded Swift. FOLDER gets librawget.a, librawget.so.N, rawget.h and
# rawget.pc.
#
# An archive as it comes has some 500 global symbols, weak ones of the Swift runtime among them: in a program that has a
# Swift runtime too, calls of one would end up in the other, and crash. So all objects become one, whose only global
# symbols are the functions of rawget.h; what these don't need is dropped.
set -eu -o pipefail

archive=$1
folder=$2
root=$(cd "$(dirname "$0")/.." && pwd)
header=$root/CModules/CRawGet/include/rawget.h
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
mkdir -p "$folder"

abi=$(sed -n 's/^#define RAWGET_ABI_VERSION //p' "$header")
version=$(sed -n 's/.*StaticString = "\(.*\)".*/\1/p' "$root/Sources/RawGetC/Exports.swift")
"${CC:-cc}" -E -P "$header" | grep -oE '\brawget_[a-z_]+ *\(' | tr -d ' (' | LC_ALL=C sort -u >"$temp/functions"
[ -n "$abi" ] && [ -n "$version" ] && [ -s "$temp/functions" ]

needed=()
while read -r function; do needed+=(-u "$function"); done <"$temp/functions"
ld -r --gc-sections "${needed[@]}" -e "$(head -n 1 "$temp/functions")" --whole-archive "$archive" -o "$temp/all.o"
objcopy --keep-global-symbols="$temp/functions" "$temp/all.o" "$temp/rawget.o"
objcopy --strip-unneeded -R .comment -R .swift1_autolink_entries "$temp/rawget.o"
rm -f "$folder"/librawget.*
(cd "$temp" && ar -D -rcs librawget.a rawget.o)
install -m 644 "$temp/librawget.a" "$header" "$folder"

{
  echo "RAWGET_$abi { global:"
  sed 's/$/;/' "$temp/functions"
  echo 'local: *; };'
} >"$temp/exported"
clang -shared -fuse-ld=lld "$temp/all.o" -o "$folder/librawget.so.$abi" \
  -Wl,-soname,"librawget.so.$abi" -Wl,--version-script="$temp/exported" -Wl,--no-undefined \
  -Wl,--gc-sections -Wl,--icf=all -Wl,-z,relro -Wl,-z,now -s
ln -sf "librawget.so.$abi" "$folder/librawget.so"

# Works where the files lie together; scripts/install-lib.sh replaces the first lines.
cat >"$folder/rawget.pc" <<END
prefix=\${pcfiledir}
libdir=\${prefix}
includedir=\${prefix}

Name: rawget
Description: Downloads over HTTP/1.1 that come whole and right, or say why not
Version: $version
Libs: -L\${libdir} -lrawget
Libs.private: -ldl -pthread
Cflags: -I\${includedir}
END
# Not head, which leaves before it has read everything: who writes to it would die of that, and this script with it.
(cd "$folder" && wc -c librawget.a "librawget.so.$abi" | sed '$d')
