#!/bin/bash
# Read by scripts of this folder: a temporary folder, a loopback server in it, and what is expected. `ordinary` is where the
# server's program is; `failed` is 1 at the end where something was not as expected.
# shellcheck disable=SC2034,SC2154 # variables of whoever reads this
set -eu

temp=$(mktemp -d)
servers=()
cleanup() {
  for server in "${servers[@]+"${servers[@]}"}"; do kill "$server" 2>/dev/null || true; done
  rm -rf "$temp"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

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
serve() { # serve NAME OPTIONS…: sets http, https, digest and authority
  local word first second
  mkfifo "$temp/$1.in" "$temp/$1.out"
  "$ordinary/rawget-loopback" "${@:2}" <"$temp/$1.in" >"$temp/$1.out" &
  servers+=($!)
  # shellcheck disable=SC2034 # it serves until this is closed
  exec {keep}>"$temp/$1.in" {said}<"$temp/$1.out"
  authority=
  while [ -z "$authority" ]; do
    read -r -t 30 word first second <&"$said"
    case $word in
    ready)
      digest=${second#sha256=}
      if [ "${first%%:*}" = https ]; then https=$first; else http=$first; fi
      ;;
    authority) authority=$first ;;
    esac
  done
}
