#!/bin/bash
# The soak whose downloads are cancelled by other threads, under ThreadSanitizer:
# Tests/Embedding/threads.sh ARCHIVE BUILD-FOLDER [ROUNDS]
# ARCHIVE is libRawGetC.a, of ordinary Swift with -sanitize=thread; BUILD-FOLDER is where `swift build` put the loopback server.
set -eu -o pipefail

[ $# -ge 2 ] || { echo "usage: $0 ARCHIVE BUILD-FOLDER [ROUNDS]" >&2 && exit 2; }
archive=$(realpath "$1")
ordinary=$(realpath "$2")
rounds=${3:-100}
cd "$(dirname "$0")/../.."
# shellcheck source=Tests/Embedding/server.sh
. Tests/Embedding/server.sh

# The compiler and the linker are Swift's: the runtime of ThreadSanitizer has to be one.
expect 'compiles' clang -c -fsanitize=thread -O1 -g -std=gnu11 -ICModules/CRawGet/include Tests/Embedding/soak.c \
  -o "$temp/soak.o"
expect 'links' swiftc -sanitize=thread -static-stdlib "$temp/soak.o" "$archive" -o "$temp/soak"
serve small --size 400000 --drop-every 150000
mkdir "$temp/many"
export TSAN_OPTIONS=halt_on_error=1:exitcode=66
expect "cancelled by other threads, $rounds rounds" "$temp/soak" -t "$rounds" 2029 "$temp/many" 400000 "$http" \
  "${http/127.0.0.1/localhost}"
tail -n 1 "$temp/log" | sed 's/^/        /'
exit "$failed"
