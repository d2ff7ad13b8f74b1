#!/bin/bash
# Which regions of HTTP1 are reached:
#   fuzz/coverage.sh             by the seeds, the reproducers, and what the fuzzers gathered in build/fuzz/corpus
#   fuzz/coverage.sh unit        by the unit tests of HTTP1 alone, and the places that they do not reach
#   fuzz/coverage.sh unit 97     the same, and ends with 1 if fewer than 97 % are
# A region is what runs as one, as the compiler counts: a body, a branch, the rest of an expression after `&&`.
set -eu

cd "$(dirname "$0")/.."
swift=${SWIFT:-swift}
what=${1-fuzz}
least=${2-0} # per cent
scratch=${SCRATCH:-build/scratch}/coverage
export SWIFT_BACKTRACE=enable=no

case $what in
fuzz)
  filter=FuzzTests
  [ ! -d build/fuzz/corpus ] || export RAWGET_FUZZ_CORPUS=$PWD/build/fuzz/corpus
  ;;
unit) filter=HTTP1Tests ;;
*) echo 'usage: fuzz/coverage.sh [fuzz|unit [LEAST]]' >&2 && exit 2 ;;
esac

mkdir -p "$scratch"
log=$scratch/$what.log
timeout -k 20 3600 "$swift" test --scratch-path "$scratch" --disable-xctest --enable-code-coverage --filter "$filter" \
  >"$log" 2>&1 || { tail -n 20 "$log" && echo "coverage: the tests failed; all of it is in $log" && exit 1; }

# The toolchain's own llvm-cov: another version does not read its format.
tools=$(dirname "$(readlink -f "$(command -v "$swift")")")
program=$(echo "$scratch"/debug/*PackageTests.xctest)
cov() { "$tools/llvm-cov" "$@" "$program" -instr-profile "$scratch/debug/codecov/default.profdata" Sources/HTTP1; }

# Columns of the report: name; regions, missed, covered; functions, missed, executed; and so on.
cov report | awk '
  / / && $1 ~ /\.swift$|^TOTAL$/ { printf "%-36s %5d regions %5d missed %8s\n", $1, $2, $3, $4 }'

if [ "$what" = unit ]; then
  echo 'not reached (file:line:column):'
  cov export | sed 's/"filenames":/\n&/g' | awk -v root="$PWD/" '
    match($0, /^"filenames":\["[^"]*"/) {
      file = substr($0, 15, RLENGTH - 15)
      if (!sub(root, "", file) || file !~ /^Sources\/HTTP1\//) next
      if (!match($0, /"regions":\[\[.*\]\]/)) next
      count = split(substr($0, RSTART + 12, RLENGTH - 14), regions, /\],\[/)
      for (i = 1; i <= count; i++) { # first line, column, last line, column, times, …, kind (0: code)
        split(regions[i], region, ",")
        if (region[8] != 0) continue
        place = file ":" region[1] ":" region[2] " to " region[3] ":" region[4]
        if (!(place in times) || times[place] < region[5]) times[place] = region[5] # specialised more than once
      }
    }
    END { for (place in times) if (times[place] == 0) print "  " place }' | LC_ALL=C sort -t: -k1,1 -k2,2n
fi

cov report | awk -v least="$least" '$1 == "TOTAL" { exit !(100 * ($2 - $3) >= least * $2) }' || {
  echo "coverage: less than $least %"
  exit 1
}
