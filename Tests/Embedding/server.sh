#!/bin/bash
# Read by scripts of this folder, in the project's: loopback servers, and what is expected. `ordinary` is where the servers'
# program is; `failed` is 1 at the end where something was not as expected.
# shellcheck disable=SC2034,SC2154 # variables of whoever reads this
set -eu

loopback=$ordinary/rawget-loopback
# shellcheck source=scripts/loopback.sh
. scripts/loopback.sh

failed=0
expect() { # expect WHAT COMMAND…
  local what=$1
  shift
  [ "$(type -t "$1")" = function ] || set -- timeout -k 5 600 "$@"
  if "$@" >"$temp/log" 2>&1; then
    echo "ok      $what"
  else
    failed=1
    echo "FAILED  $what"
    tail -n 30 "$temp/log" | sed 's/^/        /'
  fi
}
