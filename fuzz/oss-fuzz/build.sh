#!/bin/bash
# What a fuzzing service runs in its container: for each harness the program, its seeds, the dictionary and the bounds,
# in $OUT. It sets SRC, OUT, SANITIZER, CC and CFLAGS, and its base image has precompile_swift, which says SWIFTFLAGS.
set -eu

cd "$SRC/rawget"
if command -v precompile_swift >/dev/null; then
  # shellcheck disable=SC1091 # a file of the image
  . precompile_swift
fi
fuzz/build.sh

for folder in fuzz/corpus/*/; do
  name=$(basename "$folder")
  inputs=("$folder")
  [ ! -d "fuzz/reproducers/$name" ] || inputs+=("fuzz/reproducers/$name/")
  rm -f "$OUT/${name}_seed_corpus.zip"
  find "${inputs[@]}" -type f -print0 | xargs -0 zip -q -j "$OUT/${name}_seed_corpus.zip"
  cp fuzz/http.dict "$OUT/$name.dict"
  cp fuzz/oss-fuzz/fuzzer.options "$OUT/$name.options"
done
