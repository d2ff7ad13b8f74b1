#!/bin/bash
# Downloads from nginx and Apache with the binaries named, over http and https and both address
# families, and judges what arrives, the peak memory, redirects, and a resume by range.
#   Tests/RealServers/run.sh BINARY…
# Everything is in a temporary folder and on loopback ports; no installed service is touched.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
size=${RAWGET_TEST_SIZE:-$((1 << 30))} # bytes
memory_limit_http=8192                 # KiB, of peak resident memory
memory_limit_https=12288
deadline=120 # seconds for one download
PATH=$PATH:/usr/sbin:/sbin
unset http_proxy https_proxy all_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY

[ $# -gt 0 ] || { echo "usage: $0 BINARY…" >&2 && exit 2; }
for tool in nginx apache2 openssl /usr/bin/time; do
  command -v "$tool" >/dev/null || { echo "real servers: $tool is missing (scripts/setup test installs it)" >&2 && exit 1; }
done
temp=$(mktemp -d "${TMPDIR:-/var/tmp}/rawget-real-servers.XXXXXX")
# shellcheck source=Tests/RealServers/servers.sh
. "$here/servers.sh"

client=
cleanup() {
  [ -z "$client" ] || kill "$client" 2>/dev/null || true
  stop nginx
  stop apache
  rm -rf "$temp"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

failed=0
passed=0
row() { printf '%-8s %-9s %-7s %-5s %-6s %10s %7s %8s  %s\n' "$@"; }
judge() { # judge WHAT SERVER SCHEME FAMILY BYTES SECONDS PEAK PROBLEM
  if [ -z "$8" ]; then
    passed=$((passed + 1))
    row "$label" "$1" "$2" "$3" "$4" "$5" "$6" "$7" ok
  else
    failed=$((failed + 1))
    row "$label" "$1" "$2" "$3" "$4" "$5" "$6" "$7" "FAILED: $8"
    sed 's/^/    /' "$temp/stderr"
  fi
}

origin() { # origin SERVER SCHEME FAMILY
  local host=127.0.0.1 port=${http_port[$1]}
  [ "$3" = IPv4 ] || host='[::1]'
  [ "$2" = http ] || port=${https_port[$1]}
  echo "$2://$host:$port"
}

download() { # download URL: into $temp/out/file; its status in $status, "seconds peak-KiB" in $temp/usage
  status=0
  rm -rf "$temp/out"
  mkdir "$temp/out"
  timeout -s KILL "$deadline" /usr/bin/time -q -o "$temp/usage" -f '%e %M' \
    "$binary" -q --cacert "$temp/authority.pem" -o "$temp/out/file" "$1" >"$temp/stdout" 2>"$temp/stderr" &
  client=$!
}
finish() {
  wait "$client" || status=$?
  client=
}

problem() { # problem FILE: what is wrong with the download of it; nothing if it is whole and right
  if [ "$status" -ne 0 ]; then echo "exit $status"
  elif [ ! -f "$temp/out/file" ]; then echo "no file"
  elif [ "$(digest "$temp/out/file")" != "${digests[$1]}" ]; then echo "wrong SHA-256"
  elif [ "$(ls -A "$temp/out")" != file ]; then echo "left behind: $(ls -A "$temp/out")"
  fi
}
digest() { openssl dgst -sha256 -r "$1" | cut -c 1-64; }

whole_file() { # whole_file SERVER SCHEME FAMILY: the large one, within the memory
  local limit=$memory_limit_http seconds=- peak=- problem
  [ "$2" = http ] || limit=$memory_limit_https
  download "$(origin "$@")/large.bin"
  finish
  read -r seconds peak <"$temp/usage" || true
  problem=$(problem large.bin)
  if [ -z "$problem" ] && [ "$peak" -ge "$limit" ]; then problem="peak memory is not below $limit KiB"; fi
  judge whole "$@" "$size" "$seconds" "$peak" "$problem"
}

redirects() { # redirects SERVER SCHEME FAMILY: 301, 302, 307 and 308, the last of them to https
  download "$(origin "$@")/hop/1"
  finish
  judge redirect "$@" "$small" - - "$(problem small.bin)"
}

resume() { # resume SERVER SCHEME FAMILY: the server's process dies half way; the rest is asked for by range
  local name="resume-$binary_number-$2" problem pid
  download "$(origin "$@")/slow/medium.bin?$name"
  while kill -0 "$client" 2>/dev/null; do
    if [ "$(stat -c %s "$temp/out/file.part" 2>/dev/null || echo 0)" -gt $((medium / 4)) ]; then
      for pid in $(children "${master[$1]}"); do kill -KILL "$pid" || true; done
      break
    fi
    sleep 0.02
  done
  finish
  problem=$(problem medium.bin)
  if [ -z "$problem" ] && ! grep -q "$name 206 range=.bytes=[1-9][0-9]*-. if-range=.[^]-]" "$temp/$1-access.log"; then
    problem="no 206 with Range and If-Range in the log"
  fi
  judge resume "$@" "$medium" - - "$problem"
}

compresses() { # compresses SERVER: the control; a client that asks for gzip gets it
  local head
  exec 3<>"/dev/tcp/127.0.0.1/${http_port[$1]}"
  printf 'GET /small.bin?control HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n' >&3
  head=$(head -c 600 <&3 | tr -d '\0' | LC_ALL=C grep -ai '^content-encoding: gzip') || true
  exec 3<&-
  [ -n "$head" ]
}

# Twice the large file, once served and once downloaded, and some room.
free=$(df -Pk "$temp" | awk 'NR == 2 { print $4 }')
if [ "$free" -lt $((size / 512 + 262144)) ]; then
  echo "real servers: $free KiB free in $temp are too few; set TMPDIR" >&2
  exit 1
fi

small=$((1 << 20))
medium=$((1 << 25))
chmod 755 "$temp"
mkdir "$temp/www"
make_certificates
declare -A digests
for file in "small.bin $small" "medium.bin $medium" "large.bin $size"; do
  # shellcheck disable=SC2086 # name and size
  make_file $file
  digests[${file% *}]=$(digest "$temp/www/${file% *}")
done
start nginx
start apache

label=client
row client test server scheme family bytes seconds peak-KiB verdict
binary_number=0
for binary in "$@"; do
  binary_number=$((binary_number + 1))
  label=$(basename "$(dirname "$binary")")
  [ "$label" = embedded ] || label=ordinary
  binary=$(cd "$(dirname "$binary")" && pwd)/$(basename "$binary")
  # The large file once for each server and scheme, over either address family by turns, and the small one
  # over the other; the next binary has them the other way round.
  families=(IPv4 IPv6)
  turn=$binary_number
  for server in nginx apache; do
    for scheme in http https; do
      whole_file $server $scheme "${families[turn % 2]}"
      turn=$((turn + 1))
      redirects $server $scheme "${families[turn % 2]}"
      resume $server $scheme "${families[turn % 2]}"
    done
    turn=$((turn + 1))
  done
done

label=-
: >"$temp/stderr"
for server in nginx apache; do
  problem=
  compresses $server || problem="the control is not compressed: the test would prove nothing"
  if grep -v '?control' "$temp/$server-access.log" | grep -qv 'accept-encoding=.identity.$'; then
    problem="a request without Accept-Encoding: identity"
  fi
  judge identity $server - - - - - "$problem"
done
echo "RealServers: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
