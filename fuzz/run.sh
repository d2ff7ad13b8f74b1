#!/bin/bash
# Builds the fuzzers where a source has changed, and runs them.
#   fuzz/run.sh [-j JOBS] [SECONDS [HARNESS…]]    every harness, or those named, for SECONDS each (60), JOBS at a time (1)
# Prints a line a harness, and ends with 1 if there was a finding. The corpus grows in build/fuzz/corpus/HARNESS, beside the
# seeds and reproducers of this folder; what was found lies in build/fuzz/artifacts/HARNESS. FUZZ_FLAGS adds to
# libFuzzer's flags: FUZZ_FLAGS=-use_value_profile=1, say.
set -eu

cd "$(dirname "$0")/.."
export SWIFT_BACKTRACE=enable=no # a crash ends the run instead of drawing a backtrace for minutes
build=build/fuzz

# The bounds of time and memory, as libFuzzer's flags: from the same file that a fuzzing service reads.
limits() { sed -n 's/^\([a-z_]*\) *= *\([0-9]*\)$/-\1=\2/p' fuzz/oss-fuzz/fuzzer.options; }

last() { sed -n "s/$1/\\1/p" "$log" | tail -n 1; } # last PATTERN: its group, in the last line of the log that has it

run_one() { # run_one HARNESS SECONDS
  local name=$1 seconds=$2 status=0 finding='no finding' folders=("$build/corpus/$1") flags folder
  log=$build/logs/$name.log
  mkdir -p "$build/corpus/$name" "$build/artifacts/$name" "$build/logs"
  for folder in "fuzz/corpus/$name" "fuzz/reproducers/$name"; do
    [ ! -d "$folder" ] || folders+=("$folder")
  done
  read -ra flags < <(limits | tr '\n' ' ' && echo "${FUZZ_FLAGS-}")
  # libFuzzer ends by itself; KILL is for one that cannot. In the foreground, so that control-C reaches it.
  timeout --foreground -s KILL $((seconds + 60)) "$build/$name" -max_total_time="$seconds" -dict=fuzz/http.dict \
    "${flags[@]}" -artifact_prefix="$build/artifacts/$name/" -print_final_stats=1 "${folders[@]}" >"$log" 2>&1 || status=$?
  [ "$status" -eq 0 ] || finding='A FINDING'
  printf '%-20s %12s executions %8s/s %6s edges %7s features %6s inputs  %s\n' "$name" \
    "$(last '^stat::number_of_executed_units: *\([0-9]*\).*')" "$(last '^stat::average_exec_per_sec: *\([0-9]*\).*')" \
    "$(last '.* cov: \([0-9]*\) .*')" "$(last '.* ft: \([0-9]*\) .*')" "$(last '.* corp: \([0-9]*\)\/.*')" "$finding"
  [ "$status" -eq 0 ] || explain "$name" "$status"
  return "$status"
}

explain() { # explain HARNESS STATUS: what was found, and how to see it again
  local input
  input=$(last '.*Test unit written to \(.*\)')
  grep -m 3 -E 'Fatal error|ERROR: |SUMMARY: ' "$log" | sed 's/^/    /' || true
  echo "    status $2; all that was said: $log"
  if [ -n "$input" ]; then
    echo "    the input: $input"
    echo "    again:     build/fuzz/$1 $input"
    echo "    smaller:   build/fuzz/$1 -minimize_crash=1 -runs=100000 $input"
  fi
}

if [ "${1-}" = --one ]; then # what this script calls for each harness
  run_one "$3" "$2"
  exit
fi
jobs=1
if [ "${1-}" = -j ]; then
  jobs=$2
  shift 2
fi
seconds=${1:-60}
[ $# -eq 0 ] || shift
fuzz/build.sh
all=(fuzz/corpus/*)
[ $# -gt 0 ] || set -- "${all[@]##*/}"
for name in "$@"; do
  [ -x "$build/$name" ] || { echo "fuzz: there is no harness $name. There are: ${all[*]##*/}" >&2 && exit 2; }
done
printf '%s\n' "$@" | xargs -n 1 -P "$jobs" fuzz/run.sh --one "$seconds" || exit 1
