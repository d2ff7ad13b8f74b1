#!/bin/bash
# Shows rawget at work: scripts/demo.sh RAWGET LOOPBACK-SERVER
# With URL set in the environment, that is downloaded into this folder and nothing else happens.
# Without, the loopback server hands out one file over http and https, drops the connection every few
# megabytes, and what arrived is compared with what it sent.
set -eu

rawget=$(realpath "$1")
loopback=$2
if [ -n "${URL:-}" ]; then exec "$rawget" "$URL"; fi

size=64000000      # bytes
drop_every=9000000 # bytes
# shellcheck source=scripts/loopback.sh
. "$(dirname "$0")/loopback.sh"
serve file --size "$size" --drop-every "$drop_every"

failed=0
echo
echo "A file of $size bytes; its server hangs up after every $drop_every."
for uri in "$http" "$https"; do
  file=$temp/demo-${uri%%:*}.bin
  echo
  echo "\$ rawget --cacert authority.pem -o ${file##*/} $uri"
  status=0
  (cd "$temp" && exec "$rawget" --cacert "$authority" -o "${file##*/}" "$uri") || status=$?
  if [ "$status" -ne 0 ]; then
    echo "  FAILED: exit $status"
    failed=1
  elif [ "$(sha256sum <"$file" | cut -c 1-64)" != "$digest" ]; then
    echo "  FAILED: the SHA-256 is not the server's"
    failed=1
  else
    echo "  exit 0, SHA-256 $digest: as the server has it"
  fi
done

echo
echo "What the server was asked:"
exec {keep}>&-
while read -r -t 30 line <&"$said"; do echo "  $line"; done
exit "$failed"
