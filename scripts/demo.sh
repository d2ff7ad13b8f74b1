#!/bin/bash
# Shows rawget at work: scripts/demo.sh RAWGET LOOPBACK-SERVER
# With URL set in the environment, that is downloaded into this folder and nothing else happens.
# Without, the loopback server hands out one file over http and https, drops the connection every few
# megabytes, and what arrived is compared with what it sent.
# shellcheck disable=SC2317 # the trap calls cleanup
set -eu

rawget=$(realpath "$1")
loopback=$2
if [ -n "${URL:-}" ]; then exec "$rawget" "$URL"; fi

size=64000000      # bytes
drop_every=9000000 # bytes
temp=$(mktemp -d)
server=
cleanup() {
  if [ -n "$server" ]; then
    kill "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
  fi
  rm -rf "$temp"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

mkfifo "$temp/in" "$temp/out"
"$loopback" --size "$size" --drop-every "$drop_every" <"$temp/in" >"$temp/out" &
server=$!
exec 4>"$temp/in" 3<"$temp/out" # it serves until 4 is closed

uris=()
digests=()
authority=
while [ -z "$authority" ]; do
  read -r -t 30 word first second <&3 || {
    echo "demo: the loopback server did not say that it is ready" >&2
    exit 1
  }
  case $word in
  ready) uris+=("$first") digests+=("${second#sha256=}") ;;
  authority) authority=$first ;;
  esac
done

failed=0
echo
echo "A file of $size bytes; its server hangs up after every $drop_every."
for i in "${!uris[@]}"; do
  file=$temp/demo-${uris[i]%%:*}.bin
  echo
  echo "\$ rawget --cacert authority.pem -o ${file##*/} ${uris[i]}"
  status=0
  (cd "$temp" && exec "$rawget" --cacert "$authority" -o "${file##*/}" "${uris[i]}") || status=$?
  if [ "$status" -ne 0 ]; then
    echo "  FAILED: exit $status"
    failed=1
  elif [ "$(sha256sum <"$file" | cut -c 1-64)" != "${digests[i]}" ]; then
    echo "  FAILED: the SHA-256 is not the server's"
    failed=1
  else
    echo "  exit 0, SHA-256 ${digests[i]}: as the server has it"
  fi
done

echo
echo "What the server was asked:"
exec 4>&-
while read -r -t 30 line <&3; do echo "  $line"; done
wait "$server" || true
server=
exit "$failed"
