#!/bin/sh
# Builds the command, http only, for another C library or another processor:
#   scripts/cross.sh musl|aarch64|armv7|riscv64 OUTPUT
#
# With musl it is linked statically and needs nothing; elsewhere it needs libc, whose resolver would load shared libraries
# anyway. SwiftPM has no such targets, so each module is compiled here, as Embedded Swift and with the flags of the Makefile. For a processor other than this machine's the compiler believes that there is no
# system: the C library's headers are all that it takes to know Linux.
set -eu

target=$1
output=$2
case $target in
musl)
  triple=
  compiler=musl-gcc
  headers=/usr/include/$(uname -m)-linux-musl
  flags=
  link=-static
  ;;
aarch64)
  triple=aarch64-none-none-elf
  compiler=aarch64-linux-gnu-gcc
  headers=/usr/aarch64-linux-gnu/include
  flags=
  link=-pie # the compiler's code is position-independent, and says so
  ;;
armv7)
  triple=armv7-none-none-eabi
  compiler=arm-linux-gnueabihf-gcc
  headers=/usr/arm-linux-gnueabihf/include
  flags='-Xcc -mfloat-abi=hard -Xcc -mfpu=vfpv3-d16'
  link=
  ;;
riscv64)
  triple=riscv64-none-none-eabi
  compiler=riscv64-linux-gnu-gcc
  headers=/usr/riscv64-linux-gnu/include
  flags='-Xcc -mabi=lp64d'
  link=
  ;;
*)
  echo "usage: scripts/cross.sh musl|aarch64|armv7|riscv64 OUTPUT" >&2
  exit 2
  ;;
esac
command -v $compiler >/dev/null || {
  echo "cross: $compiler is not here (scripts/setup cross installs it)" >&2
  exit 1
}

objects=$(mktemp -d)
trap 'rm -rf "$objects"' EXIT

compile_module() { # compile_module NAME
  # shellcheck disable=SC2046,SC2086 # lists of words
  "${SWIFT:-swift}c" ${triple:+-target $triple} $flags -Osize -wmo -parse-as-library -swift-version 6 \
    -package-name rawget -enable-experimental-feature Embedded -enable-experimental-feature Lifetimes \
    -enable-upcoming-feature InternalImportsByDefault -enable-upcoming-feature ExistentialAny -strict-memory-safety \
    -enforce-exclusivity=unchecked -Xfrontend -function-sections -Xcc -D__linux__=1 \
    -Xcc -nostdlibinc -Xcc -isystem -Xcc "$headers" -I CModules/CPosix/include -I "$objects" \
    -module-name "$1" -emit-module -emit-module-path "$objects/$1.swiftmodule" \
    -c $(find "Sources/$1" -name '*.swift' | sort) -o "$objects/$1.o"
}

for module in HTTP1 Posix TLS RawGet RawGetCLI; do compile_module $module; done
for file in CModules/CPosix/*.c Sources/RawGetMain/main.c; do
  $compiler -Os -ffunction-sections -fno-asynchronous-unwind-tables -I CModules/CPosix/include \
    -c "$file" -o "$objects/$(basename "$file").c.o"
done
mkdir -p "$(dirname "$output")"
# shellcheck disable=SC2086 # nothing, or one word
$compiler $link -s -Wl,--gc-sections -o "$output" "$objects"/*.o
echo "$output: $(wc -c <"$output") bytes"
