#!/bin/bash
# The command for other C libraries and processors, over http, through drops:
#   Tests/Cross/run.sh LOOPBACK-SERVER BINARY…
# A binary for another processor is run by user emulation: NAME-aarch64 by qemu-aarch64-static, and so on. Each has to
# need no library but libc (and its loader), the static one none at all, to download a file whose server hangs up all the
# time, and to go on with the part of a run that gave up.
set -eu

loopback=$(realpath "$1")
shift
size=20000000      # bytes
drop_every=3000000 # bytes
# shellcheck source=scripts/loopback.sh
. "$(dirname "$0")/../../scripts/loopback.sh"
serve file --size "$size" --drop-every "$drop_every"

passed=0
failed=0
judge() { # judge WHAT COMMAND…
  local what=$1
  shift
  if "$@" >"$temp/log" 2>&1; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $what"
    tail -n 5 "$temp/log"
  fi
}
needs_only() { # needs_only LIBRARIES BINARY
  [ "$(readelf -d "$2" | sed -n 's/.*(NEEDED).*\[\([^]]*\)\].*/\1/p' | grep -v '^ld-linux' | tr '\n' ' ')" = "$1" ]
}
is_whole() { [ "$(sha256sum <"$temp/file" | cut -c 1-64)" = "$digest" ] && [ ! -e "$temp/file.part" ]; }
refuses_https() {
  local status=0
  "$@" -o "$temp/never" https://127.0.0.1:1/ || status=$?
  [ "$status" -eq 16 ] && [ ! -e "$temp/never" ]
}
stops_at() { # stops_at STATUS COMMAND…: with a part kept
  local status=0 wanted=$1
  shift
  "$@" || status=$?
  [ "$status" -eq "$wanted" ] && [ -s "$temp/file.part" ]
}

for binary; do
  name=$(basename "$binary")
  case $name in
  *-aarch64) run=(qemu-aarch64-static -L /usr/aarch64-linux-gnu "$binary") ;;
  *-armv7) run=(qemu-arm-static -L /usr/arm-linux-gnueabihf "$binary") ;;
  *-riscv64) run=(qemu-riscv64-static -L /usr/riscv64-linux-gnu "$binary") ;;
  *) run=("$(realpath "$binary")") ;;
  esac
  needed='libc.so.6 '
  if [ ${#run[@]} -eq 1 ]; then needed=; fi
  judge "$name: the libraries it needs" needs_only "$needed" "$binary"
  judge "$name: --version" "${run[@]}" --version
  judge "$name: https has to be refused" refuses_https "${run[@]}"
  judge "$name: a download through drops" "${run[@]}" -q -o "$temp/file" "$http"
  judge "$name: its content" is_whole
  rm -f "$temp/file"
  # A run that gives up at the first drop leaves the part; the next one goes on.
  judge "$name: the part of a run that gave up" stops_at 9 "${run[@]}" -q --retry 0 -o "$temp/file" "$http"
  judge "$name: a second run goes on" "${run[@]}" -q -o "$temp/file" "$http"
  judge "$name: its content" is_whole
  rm -f "$temp/file"
  echo "$name: $(wc -c <"$binary") bytes"
done
echo "cross: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
