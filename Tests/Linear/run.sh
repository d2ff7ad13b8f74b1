#!/bin/bash
# Proves that reading takes time linear in the input and memory that does not grow with it: runs Tests/ParseLoad, counts
# its instructions with callgrind (which are the same on every machine and under every load, so that nothing here is
# timed), and has GNU time say the peak of its memory.
#   Tests/Linear/run.sh PROGRAM [NAME…]   the release build of rawget-parse-load; all loads, or those named
#
# For each load and size of piece a row: instructions at the first size, and how much more than its share each further
# size takes. An input twice as long may cost 2.2 times as much. What is refused at a bound costs next to nothing after
# it.
set -eu

limit=1.10         # times the instructions that the growth of the input explains
flat_limit=1.10    # times the instructions, when a refusal makes 64 KiB pieces of the rest free
least=10           # instructions a piece: with fewer it was not the reading that was counted
# The kernel counts resident pages for each processor and adds them up only now and then: a peak is some 100 KiB off, now
# one way, now the other. Whoever keeps what comes needs 7,168 KiB.
memory_limit=1024 # KiB between a flood of 1 MB and one of 8 MB
deadline=300       # seconds for one load
flood='65536:1000000,2000000,4000000,8000000 64:125000,250000,500000,1000000 1:30000,60000,120000,240000'
head='65536:32000,64000,128000,256000 1:32000,64000,128000,256000'
value='65536:32000,64000,128000,256000' # a value is read whole

[ $# -gt 0 ] || { echo "usage: $0 PROGRAM [NAME…]" >&2 && exit 2; }
program=$(realpath "$1")
shift
for tool in valgrind /usr/bin/time; do
  command -v "$tool" >/dev/null || { echo "linear: $tool is missing (scripts/setup test installs it)" >&2 && exit 1; }
done
temp=$(mktemp -d "${TMPDIR:-/tmp}/rawget-linear.XXXXXX")
trap 'rm -rf "$temp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# count NAME GROUP EXPECTATION SERIES…: a line for each measurement, its instructions at the end
count() {
  local about="$2\t$3\t" out=$temp/$1
  local run=("$program" "$1" "${@:4}")
  if ! timeout -k 5 "$deadline" valgrind --tool=callgrind --callgrind-out-file="$out.counts" --combine-dumps=yes \
    --toggle-collect=rawget_measured --dump-after=rawget_measured "${run[@]}" >"$out" 2>"$out.errors"; then
    printf '%s\tFAILED\n' "$1"
    tail -n 8 "$out.errors" >&2
  fi
  sed -n 's/^totals: //p' "$out.counts" | head -n "$(wc -l <"$out")" | paste "$out" - | sed "s/^/$about/"
  rm -f "$out.counts"
}

# Where the parts of a process lie is left to chance, which costs a page more or less; without it the peaks are equal.
unmoved=
if setarch -R true 2>/dev/null; then unmoved='setarch -R'; fi

# memory NAME SIZE: the peak in KiB, the least of three
memory() {
  for _ in 1 2 3; do
    # shellcheck disable=SC2086 # words
    timeout -k 5 "$deadline" $unmoved /usr/bin/time -q -f %M "$program" "$1" "65536:$2" 2>&1 >/dev/null ||
      echo 999999999 # a failure
  done | grep -x '[0-9]*' | sort -n | head -n 1
}

measure() { # measure NAME GROUP EXPECTATION
  # shellcheck disable=SC2086 # lists of words
  case $2 in
  flood)
    count "$@" $flood
    printf '%s\t%s\t%s\n' memory "$1" $(($(memory "$1" 8000000) - $(memory "$1" 1000000)))
    ;;
  head) count "$@" $head ;;
  value) count "$@" $value ;;
  esac
}
export -f measure count memory
export temp unmoved program deadline flood head value

"$program" >"$temp/loads"
for name in "$@"; do grep -P "^\Q$name\E\t" "$temp/loads"; done >"$temp/named" ||
  { echo "linear: there is no such load" >&2 && exit 2; }
[ $# -eq 0 ] || mv "$temp/named" "$temp/loads"

# shellcheck disable=SC2016 # the inner shell's
tr '\t\n' ' \0' <"$temp/loads" |
  xargs -0 -P "$(nproc)" -I '{}' bash -c 'set -eu; measure {} >"$temp/rows.$$"' || true # judged below

cat "$temp"/rows.* | awk -F '\t' -v limit="$limit" -v flat_limit="$flat_limit" -v least="$least" \
  -v memory_limit="$memory_limit" -v loads="$(wc -l <"$temp/loads")" '
  function finish() { if (line != "") print line (problem == "" ? "  ok" : "  FAILED:" problem) }
  function blame(text) { problem = problem " " text; failed++ }
  BEGIN {
    form = "%-26s %7s %12s  %-26s"
    printf form "\n", "load", "piece", "instructions", "share of each doubling"
  }
  $1 == "memory" { growth[$2] = $3; next }
  NF < 8 { finish(); line = ""; print $0; failed++; next }
  {
    size = $5; cost = $8
    if ($3 FS $4 != series) {
      finish()
      series = $3 FS $4; problem = ""; shares = 0; seen[$3] = 1
      line = sprintf("%-26s %7d %12d ", $3, $4, cost)
    } else {
      flat = $2 == "refused" && $4 == 65536
      share = cost / lastcost / (flat ? 1 : size / lastsize)
      line = line sprintf(" %5.2f", share)
      if (share > (flat ? flat_limit : limit)) blame("more than linear")
      doublings++
    }
    if (cost < least * size / $4) blame("too little to be true")
    lastsize = size; lastcost = cost
  }
  END {
    finish()
    for (name in seen) read++
    for (name in growth) {
      if (growth[name] > memory_limit) {
        print name ": FAILED: " growth[name] " KiB more for 8 MB than for 1 MB"
        failed++
      }
      if (growth[name] > most || !floods++) most = growth[name]
    }
    if (read != loads) { print "FAILED: " read " of " loads " loads were measured"; failed++ }
    printf "%d loads, %d doublings, %d failed; most memory that 8 MB need beyond 1 MB: %d KiB (limit %d)\n",
      read, doublings, failed, most, memory_limit
    exit failed > 0
  }'
