#!/bin/bash
# Read by scripts that need the loopback server: a temporary folder, and servers that are gone with it at the end.
# `loopback` is the server's program.
# shellcheck disable=SC2034,SC2154 # variables of whoever reads this
set -eu

temp=$(mktemp -d)
servers=()
cleanup() {
  for server in "${servers[@]+"${servers[@]}"}"; do
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
  done
  rm -rf "$temp"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# serve NAME OPTIONS…: sets http, https, digest and authority. It serves until the descriptor `keep` is closed, and says on
# `said` what it was asked.
serve() {
  local word first second
  mkfifo "$temp/$1.in" "$temp/$1.out"
  "$loopback" "${@:2}" <"$temp/$1.in" >"$temp/$1.out" &
  servers+=($!)
  exec {keep}>"$temp/$1.in" {said}<"$temp/$1.out"
  authority=
  while [ -z "$authority" ]; do
    read -r -t 30 word first second <&"$said" || {
      echo "${0##*/}: the loopback server did not say that it is ready" >&2
      exit 1
    }
    case $word in
    ready)
      digest=${second#sha256=}
      if [ "${first%%:*}" = https ]; then https=$first; else http=$first; fi
      ;;
    authority) authority=$first ;;
    esac
  done
}
