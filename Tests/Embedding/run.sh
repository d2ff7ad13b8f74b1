#!/bin/bash
# Builds and runs what embeds the library, the programs of Examples among them, against a loopback server that drops its
# connections: Tests/Embedding/run.sh LIBRARY-FOLDER BUILD-FOLDER [ROUNDS]
# LIBRARY-FOLDER is build/lib; BUILD-FOLDER is where `swift build` put that server and the modules of RawGet, as ordinary
# Swift. ROUNDS are those of the soak: 100 if not given.
# shellcheck disable=SC2317 # functions that are called by their names
# shellcheck disable=SC2086 # lists of words
set -eu -o pipefail

[ $# -ge 2 ] || { echo "usage: $0 LIBRARY-FOLDER BUILD-FOLDER [ROUNDS]" >&2 && exit 2; }
lib=$(realpath "$1")
ordinary=$(realpath "$2")
rounds=${3:-100}
cd "$(dirname "$0")/../.."
limit=500000 # bytes of the stripped example in C
# shellcheck source=Tests/Embedding/server.sh
. Tests/Embedding/server.sh
in_files() { (cd "$temp/files" && "$@"); }
has_digest() { [ "$(sha256sum <"$1" | cut -c 1-64)" = "$digest" ]; }

# --- What is in the library

cc -E -P "$lib/rawget.h" | grep -oE '\brawget_[a-z_]+ *\(' | tr -d ' (' | LC_ALL=C sort -u >"$temp/declared"
symbols() { nm --defined-only "$@" | awk 'NF == 3 { print $3 }' | sed 's/@.*//' | grep -v '^RAWGET_[0-9]*$' | LC_ALL=C sort -u; }
archive_is_exact() { diff <(symbols -g "$lib/librawget.a") "$temp/declared"; }
shared_is_exact() { diff <(symbols -D "$lib"/librawget.so.[0-9]*) "$temp/declared"; }
soname_is_right() { readelf -d "$lib"/librawget.so.[0-9]* | grep 'SONAME.*librawget[.]so[.][0-9]*\]' >/dev/null; }
needs_libc_alone() { [ "$(readelf -d "$1" | grep -o 'NEEDED.*' | tr -d ' ')" = 'NEEDED)Sharedlibrary:[libc.so.6]' ]; }
expect 'the archive has the symbols of rawget.h and no other' archive_is_exact
expect 'so does the shared library' shared_is_exact
expect 'it has a soname' soname_is_right
expect 'it needs libc alone' needs_libc_alone "$lib"/librawget.so.[0-9]*

# --- The examples

flags="$(PKG_CONFIG_PATH=$lib pkg-config --cflags rawget)"
strict='-Wall -Wextra -Werror'
expect 'C99, pedantic' cc -std=c99 -pedantic $strict -fsyntax-only -x c "$lib/rawget.h"
expect 'C++98, pedantic' c++ -std=c++98 -pedantic $strict -fsyntax-only -x c++ "$lib/rawget.h"
expect 'builds: C, the archive' cc -Os -s -std=c99 $strict $flags Examples/C/download.c "$lib/librawget.a" \
  -Wl,--gc-sections -o "$temp/download"
expect 'builds: C, a loop of its own' cc -std=gnu11 $strict $flags Examples/C/own-loop.c -L"$lib" -lrawget \
  -Wl,-rpath,"$lib" -o "$temp/own-loop"
expect 'builds: C++' c++ -std=c++98 $strict $flags Examples/Cxx/check.cpp "$lib/librawget.a" -o "$temp/check"
modules="-I $ordinary/Modules -I $lib -I CModules/CPosix/include -I CModules/COpenSSL/include -I CModules/CRawGet/include"
objects=$(find "$ordinary"/{RawGet,HTTP1,Posix,TLS,CPosix,COpenSSL}.build -name '*.o')
expect 'builds: Swift, the archive and the package' swiftc -parse-as-library -static-stdlib $modules \
  Examples/Swift/Both.swift $objects "$lib/librawget.a" -o "$temp/both"
expect 'builds: the soak' cc -O1 -g -std=gnu11 $strict $flags Tests/Embedding/soak.c "$lib/librawget.a" -o "$temp/soak"

size=$(stat -c %s "$temp/download")
echo "        the example in C, stripped: $size bytes"
expect "it has at most $limit" test "$size" -le "$limit"

serve large --size 64000000 --drop-every 9000000
mkdir "$temp/files" "$temp/many"
file=$temp/files/demo.bin
expect 'C: 64 MB through drops' "$temp/download" "$http" "$file" "$digest"
expect 'as the server has it' has_digest "$file"
expect 'a file that is there is complete already' "$temp/download" "$http" "$file"
rm -f "$file"
expect 'C, https' "$temp/download" "$https" "$file" "$digest" "$authority"
expect 'as the server has it' has_digest "$file"
rm -f "$file"
status=0
"$temp/download" "$https" "$file" >"$temp/said" 2>&1 || status=$?
expect 'an authority that nobody knows: 5' test "$status" -eq 5
expect 'which a line says' grep -q "^tls (tls): the server's certificate" "$temp/said"
status=0
"$temp/download" "ftp://localhost/" "$file" >"$temp/log" 2>&1 || status=$?
expect 'another scheme: 16' test "$status" -eq 16
expect 'a loop of its own' "$temp/own-loop" "$temp/many" "${http%/*}/1.bin" "${http%/*}/2.bin" "${http%/*}/3.bin"
for file in "$temp"/many/*; do expect "${file##*/} as the server has it" has_digest "$file"; done
expect 'there are three' test "$(find "$temp/many" -type f | wc -l)" -eq 3
expect 'C++' in_files "$temp/check" "$http"
expect 'as the server has it' has_digest "$temp/files/demo.bin"
expect 'Python' python3 Examples/Python/download.py "$(echo "$lib"/librawget.so.[0-9]*)" "$http" "$temp/files/python.bin"
expect 'as the server has it' has_digest "$temp/files/python.bin"
expect 'Swift, the archive and the package' "$temp/both" "$temp/files" "$http"
expect 'as the server has it' has_digest "$temp/files/of-the-package"
expect 'as the server has it' has_digest "$temp/files/of-the-library"
rm -f "$temp"/files/* "$temp"/many/*

# What is reachable at the end are tables that Swift makes at their first use.
memcheck='valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite,indirect,possible'
expect 'valgrind: 64 MB through drops, no error, nothing lost' $memcheck "$temp/download" "$http" "$temp/files/demo.bin"
expect 'as the server has it' has_digest "$temp/files/demo.bin"

# --- Every call and option, as the header has it

mkdir "$temp/calls"
expect 'builds: the calls' cc -O1 -g -std=gnu11 $strict $flags Tests/Embedding/calls.c "$lib/librawget.a" -o "$temp/calls-of-c"
expect 'every call and option does as the header says' "$temp/calls-of-c" "$temp/calls"
expect 'and leaves nothing' rmdir "$temp/calls"

# --- What `make install-lib` brings

root=$temp/root
is() { [ "$1" = "$2" ] || { echo "not '$2' but '$1'" && return 1; }; }
installed() { [ ! -d "$root" ] || (cd "$root" && find . ! -type d | LC_ALL=C sort | tr '\n' ' '); }
configured() { PKG_CONFIG_SYSROOT_DIR=$root PKG_CONFIG_PATH=$root/opt/rawget/lib/pkgconfig pkg-config "$@" rawget; }
has_needed() { readelf -d "$1" | grep -F "NEEDED)             Shared library: [$2]" >/dev/null; }
shared=$(basename "$(echo "$lib"/librawget.so.[0-9]*)")
expect 'installs' make -s install-lib PREFIX=/opt/rawget DESTDIR="$root"
expect 'what it says' is "$(installed)" "./opt/rawget/include/rawget.h ./opt/rawget/lib/librawget.a \
./opt/rawget/lib/librawget.so ./opt/rawget/lib/$shared ./opt/rawget/lib/pkgconfig/rawget.pc "
expect 'the same library' cmp "$root/opt/rawget/lib/$shared" "$lib/$shared"
expect 'under the name that a linker looks for' cmp "$root/opt/rawget/lib/librawget.so" "$lib/$shared"
expect 'no word of DESTDIR' is "$(grep -c "$root" "$root/opt/rawget/lib/pkgconfig/rawget.pc" || true)" 0
read -r -a found < <(configured --cflags --libs)
expect 'where pkg-config says' is "${found[*]}" "-I$root/opt/rawget/include -L$root/opt/rawget/lib -lrawget"
expect 'builds: C, the installed library' cc -std=c99 $strict Examples/C/download.c "${found[@]}" \
  -o "$temp/installed"
expect 'needs it by its soname' has_needed "$temp/installed" "$shared"
expect 'downloads' env LD_LIBRARY_PATH="$root/opt/rawget/lib" "$temp/installed" "$http" "$temp/files/demo.bin" "$digest"
expect 'as the server has it' has_digest "$temp/files/demo.bin"
rm -f "$temp"/files/*
says_version() { [ "$("$@")" = "$(configured --modversion)" ]; }
expect 'of the version that it says' says_version env LD_LIBRARY_PATH="$root/opt/rawget/lib" python3 -c \
  "import ctypes; f = ctypes.CDLL('$shared').rawget_version; f.restype = ctypes.c_char_p; print(f().decode())"
expect 'is removed' make -s uninstall-lib PREFIX=/opt/rawget DESTDIR="$root"
expect 'leaves nothing' is "$(installed)" ''

# --- The soak

# What was freed counts as freed, and what threads that ended had is freed (soak.c).
export GLIBC_TUNABLES=glibc.malloc.tcache_count=0:glibc.pthread.stack_cache_size=0
serve small --size 400000 --drop-every 150000
expect "soak, $rounds rounds" "$temp/soak" "$rounds" 2026 "$temp/many" 400000 "$http" "${http/127.0.0.1/localhost}"
tail -n 1 "$temp/log" | sed 's/^/        /'
expect "soak, cancelled by other threads" "$temp/soak" -t "$rounds" 2027 "$temp/many" 400000 "$http"
tail -n 1 "$temp/log" | sed 's/^/        /'
expect 'soak under valgrind, 3 rounds' $memcheck "$temp/soak" -t 3 2028 "$temp/many" 400000 "$http"
exit "$failed"
