#!/bin/bash
# Builds the fuzzing programs, without SwiftPM: each module by one call of swiftc, instrumented.
#   fuzz/build.sh          build/fuzz/HARNESS for each harness: libFuzzer and a sanitizer
#   fuzz/build.sh afl      build/fuzz/afl/HARNESS: AFL++ in persistent mode
#   fuzz/build.sh stdin    build/fuzz/rawget-fuzz-stdin: no instrumentation at all
# Every HARNESS is the same program under another name. SANITIZER is address (the default), thread, or coverage for the
# service's reports; SWIFTC and CC name compilers, SWIFTFLAGS and CFLAGS add to them, OUT is a folder instead of build/fuzz.
set -eu

cd "$(dirname "$0")/.."
kind=${1-libfuzzer}
sanitizer=${SANITIZER:-address}
swiftc=${SWIFTC:-swiftc}
cc=${CC:-clang}
out=${OUT:-build/fuzz}
objects=build/fuzz/objects/$kind-$sanitizer

common=(-g -wmo -swift-version 6 -package-name rawget -enable-testing
  -enable-upcoming-feature InternalImportsByDefault -enable-upcoming-feature ExistentialAny
  -enable-experimental-feature Lifetimes -I CModules/CPosix/include -I "$objects")
c=(-O1 -g -ICModules/CPosix/include)
link=(-use-ld=lld)
entry=(-parse-as-library fuzz/LibFuzzer/Entry.swift)
instrument=() # what is fuzzed
observe=()    # the harnesses: to trace their own comparisons as well costs two thirds of the speed

case $kind-$sanitizer in
libfuzzer-address | libfuzzer-thread)
  common+=(-O)
  instrument=("-sanitize=fuzzer,$sanitizer")
  observe=("-sanitize=$sanitizer")
  c+=("-fsanitize=fuzzer-no-link,$sanitizer")
  ;;
libfuzzer-coverage) common+=(-Onone -sanitize=fuzzer -profile-generate -profile-coverage-mapping) ;;
afl-*) # swiftc's edges in the form that AFL++'s runtime expects. At the link, its driver takes the place of libFuzzer.
  objects=build/fuzz/objects/afl
  common+=(-O -I "$objects")
  out=$out/afl
  afl=${AFL_PATH:-/usr/lib/afl}
  link+=("$afl/afl-compiler-rt.o" "$afl/libAFLDriver.a" -lstdc++)
  [ -e "$afl/libAFLDriver.a" ] || { echo "build: no AFL++ in $afl (Debian's package is afl++; AFL_PATH says where)" >&2 && exit 1; }
  ;;
stdin-*)
  objects=build/fuzz/objects/stdin
  common+=(-O -I "$objects")
  entry=(fuzz/Stdin/main.swift)
  ;;
*) echo "usage: [SANITIZER=address|thread|coverage] fuzz/build.sh [afl|stdin]" >&2 && exit 2 ;;
esac
if [ "$kind" = afl ]; then instrument=(-sanitize=fuzzer '-sanitize-coverage=edge,trace-pc-guard'); fi

# A service gives its flags as for `swift build`; swiftc has other words for the same. The sanitizer is known by now.
read -ra given <<<"${SWIFTFLAGS-}"
while [ ${#given[@]} -gt 0 ]; do
  case ${given[0]} in
  -Xswiftc)
    case ${given[1]} in
    -sanitize=* | -parse-as-library | -use-ld=*) ;;
    *) common+=("${given[1]}") ;;
    esac
    given=("${given[@]:1}")
    ;;
  --static-swift-stdlib) common+=(-static-stdlib) ;;
  --sanitize=* | -Xcc=* | -Xcxx=*) ;; # C is compiled here, not imported with these
  *) echo "build: what is ${given[0]} in SWIFTFLAGS to swiftc?" >&2 && exit 1 ;;
  esac
  given=("${given[@]:1}")
done
read -ra given <<<"${CFLAGS-}"
c+=("${given[@]}")

mkdir -p "$objects" "$out"
flags="$("$swiftc" --version 2>&1 | head -n 1) ${common[*]} ${instrument[*]} / ${observe[*]} ${c[*]} ${link[*]}"
if [ "$(cat "$objects/flags" 2>/dev/null)" != "$flags" ]; then
  rm -f "$objects"/*
  printf '%s\n' "$flags" >"$objects/flags"
fi

# A module is rebuilt when a source of it is newer, or a module before it was rebuilt: each may import those before it.
rebuilt=
stale() { # stale PRODUCT FOLDER…
  local product=$1
  shift
  [ -n "$rebuilt" ] || [ ! -e "$product" ] || [ -n "$(find "$@" -newer "$product" -print -quit)" ]
}
if stale "$objects/CPosix.stamp" CModules/CPosix; then
  for file in CModules/CPosix/*.c; do
    "$cc" "${c[@]}" -c "$file" -o "$objects/CPosix.$(basename "$file" .c).o"
  done
  touch "$objects/CPosix.stamp"
  rebuilt=1
fi
for module in HTTP1 Posix TLS RawGet FuzzHarnesses; do
  folder=Sources/$module
  flagged=("${instrument[@]}")
  if [ "$module" = FuzzHarnesses ]; then
    folder=fuzz/Harnesses
    flagged=("${observe[@]}")
  fi
  stale "$objects/$module.o" "$folder" || continue
  echo "build: $module ($kind)"
  find "$folder" -name '*.swift' -print0 | LC_ALL=C sort -z |
    xargs -0 "$swiftc" "${common[@]}" "${flagged[@]}" -parse-as-library -module-name "$module" \
      -emit-module -emit-module-path "$objects/$module.swiftmodule" -o "$objects/$module.o" -c
  rebuilt=1
done

program=$objects/program
if stale "$program" "${entry[-1]}"; then
  sanitize=()
  if [ "$kind" = libfuzzer ]; then sanitize=("${instrument[@]}"); fi
  "$swiftc" "${common[@]}" "${sanitize[@]}" "${entry[@]}" -module-name FuzzEntry "$objects"/*.o "${link[@]}" -o "$program"
fi

# One program under many names: hard links here, copies in a folder that somebody else will read.
name_it() { # name_it PATH
  [ "$program" -ef "$1" ] || { [ -z "${OUT-}" ] && ln -f "$program" "$1" 2>/dev/null; } || cp -f "$program" "$1"
}
if [ "$kind" = stdin ]; then
  name_it "$out/rawget-fuzz-stdin"
  exit 0
fi
for folder in fuzz/corpus/*/; do name_it "$out/$(basename "$folder")"; done
