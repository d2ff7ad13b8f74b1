#!/bin/bash
# All tests, each step in turn; says at the end how each went and how long it took. `make test` calls
# it after scripts/setup test. A failed step does not hide the ones after it.
set -eu

cd "$(dirname "$0")/.."
scratch=${SCRATCH:-build/scratch}
swift=${SWIFT:-swift}
export SWIFT_BACKTRACE=enable=no
limit=1800 # seconds for one step: a test that hangs is a failure
logs=build/logs
mkdir -p "$logs"
running=
summary=()
reasons=() # of what failed: its name, its log
passed=0
failed=0

# A step is a process group of its own, which timeout ends as a whole.
trap '[ -z "$running" ] || kill "$running"; exit 130' INT TERM

# What a person wants to see of a log: not every step of a build and every test that passed.
show() { awk '/^✔ Test run/ || !/^(◇|✔|\[[0-9])/' "$1" | tail -n 400; }

step() { # step NAME COMMAND…
  local name=$1 from=$SECONDS verdict=ok log
  log=$logs/$((passed + failed + 1)).log
  shift
  echo "== $name (in full: $log)"
  timeout -k 20 "$limit" "$@" >"$log" 2>&1 </dev/null &
  running=$!
  if wait "$running"; then
    passed=$((passed + 1))
  else
    verdict=FAILED
    failed=$((failed + 1))
    reasons+=("$name" "$log")
  fi
  running=
  show "$log"
  summary+=("$(printf '%-44s %-6s %4d s' "$name" "$verdict" $((SECONDS - from)))")
}
tests=("$swift" test --scratch-path "$scratch/tests" --disable-xctest)
again=("${tests[@]}" --skip-build --filter CommandTests)

step 'the rules can be red' scripts/check-selftest.sh
step 'the benchmarks judge rightly' python3 Benchmarks/selftest.py
step 'build' make --no-print-directory build
step 'build, Embedded' make --no-print-directory embedded
step 'tests, command: ordinary' env RAWGET_BINARY="$PWD/build/rawget" "${tests[@]}"
step 'command: Embedded' env RAWGET_BINARY="$PWD/build/embedded/rawget" "${again[@]}"
step 'command: Embedded without TLS' \
  env RAWGET_BINARY="$PWD/build/embedded/rawget-notls" RAWGET_WITHOUT_TLS=1 "${again[@]}"
step 'what is public is as docs/interface has it' scripts/interface.sh check "$scratch/tests/debug/Modules"
step 'documentation' scripts/docs.sh "$scratch/tests/debug/Modules" build/docs
step 'build, static' make --no-print-directory static
step 'command: static' env RAWGET_BINARY="$PWD/build/static/rawget" RAWGET_WITHOUT_TLS=1 "${again[@]}"
step 'static: nothing needed, drops' Tests/Cross/run.sh "$scratch/tests/debug/rawget-loopback" build/static/rawget
step 'fuzzers, 20 s each' fuzz/run.sh -j "$(nproc)" 20
step 'build, parse driver' make --no-print-directory parse-driver
step 'the parse driver tells what it reads' Tests/ParseDriverCases/run.sh build/rawget-parse-driver
step 'the same as llhttp' Tests/Differential/run.sh build/rawget-parse-driver
step 'build, parse load' "$swift" build -c release --scratch-path "$scratch/parse-load" --product rawget-parse-load
step 'linear time, flat memory' Tests/Linear/run.sh "$scratch/parse-load/release/rawget-parse-load"
step 'what a download costs' \
  Tests/Cost/run.sh 12:build/rawget 6:build/embedded/rawget 6:build/embedded/rawget-notls
step 'nginx, kills and crowds' Tests/Resilience/run.sh --kills 10 build/rawget build/embedded/rawget
step 'lists over several runs' Tests/Scale/run.sh build/rawget build/embedded/rawget
step 'install and package' Tests/Install/run.sh build/rawget build/embedded/rawget
step 'build, C library' make --no-print-directory lib
step 'programs that embed it' Tests/Embedding/run.sh build/lib "$scratch/tests/debug"
step 'build, C library with ThreadSanitizer' \
  "$swift" build --scratch-path "$scratch/tsan" --sanitize=thread --product RawGetC
step 'cancels from other threads' Tests/Embedding/threads.sh "$scratch/tsan/debug/libRawGetC.a" "$scratch/tests/debug"
step 'proxies' Tests/RealServers/proxies.sh build/rawget build/embedded/rawget
step 'nginx and Apache, 1 GiB' Tests/RealServers/run.sh build/rawget build/embedded/rawget

echo
printf '%s\n' "${summary[@]}"
# Once more, where whoever sees only the end of the output finds it.
set -- "${reasons[@]+"${reasons[@]}"}"
while [ $# -gt 0 ]; do
  echo "-- $1:"
  show "$2" | { grep -E 'FAILED|✘|error:|did not|missing' || true; } | tail -n 8 | cut -c 1-300
  show "$2" | tail -n 8 | cut -c 1-300
  shift 2
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
