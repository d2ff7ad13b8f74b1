#!/bin/bash
# Downloads from nginx with the binaries named, kills them and runs them again, and starts several at once:
#   Tests/Resilience/run.sh [--kills N] BINARY…
# Judges the SHA-256 of what arrives, and from the server's log how much was sent for it. Everything is in a temporary
# folder and on loopback ports; no installed service is touched.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
kills=20
size=$((64 << 20))      # bytes
kept_at_most=512000     # bytes that a kill may cost: one receive
lane_at_most=$((2 << 20)) # bytes that wait in the system for each of several connections, and are lost with them
overlap=65536           # bytes that are compared before a part is continued
heads=1000              # bytes of a response that are no content
commands=8              # at once
interrupts=20           # by SIGINT, for the times
deadline=120            # seconds for one command
PATH=$PATH:/usr/sbin:/sbin
unset http_proxy https_proxy all_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY

if [ "${1-}" = --kills ]; then
  kills=$2
  shift 2
fi
[ $# -gt 0 ] || { echo "usage: $0 [--kills N] BINARY…" >&2 && exit 2; }
for tool in nginx openssl; do
  command -v "$tool" >/dev/null || { echo "resilience: $tool is missing (scripts/setup test installs it)" >&2 && exit 1; }
done
temp=$(mktemp -d "${TMPDIR:-/var/tmp}/rawget-resilience.XXXXXX")
# shellcheck source=Tests/RealServers/servers.sh
. "$here/../RealServers/servers.sh"

clients=()
cleanup() {
  [ ${#clients[@]} -eq 0 ] || kill -KILL "${clients[@]}" 2>/dev/null || true
  stop nginx
  rm -rf "$temp"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

failed=0
passed=0
judge() { # judge WHAT MEASURED PROBLEM
  local verdict=ok
  if [ -z "$3" ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    verdict="FAILED: $3"
  fi
  printf '%-9s %-28s %-74s %s\n' "$label" "$1" "$2" "$verdict"
  [ -z "$3" ] || sed 's/^/    /' "$temp"/stderr.* 2>/dev/null || true
}

digest() { openssl dgst -sha256 -r "$1" | cut -c 1-64; }

fresh() { # fresh: an empty folder to download into
  rm -rf "$temp/out" "$temp"/stderr.*
  mkdir "$temp/out"
}

start_client() { # start_client LOG OPTIONS…: the same file, in the background
  local log=$1
  shift
  (cd "$temp/out" && exec timeout -s KILL --foreground "$deadline" "$binary" -q -o file "$@") 2>"$temp/stderr.$log" &
  clients+=($!)
}

problem() { # problem: what is wrong with the file; nothing if it is whole and right, and alone
  if [ ! -f "$temp/out/file" ]; then echo "no file"
  elif [ "$(digest "$temp/out/file")" != "$right" ]; then echo "wrong SHA-256"
  elif [ "$(ls -A "$temp/out")" != file ]; then echo "left behind: $(cd "$temp/out" && echo ./* ./.[!.]*)"
  fi
}

# The log has a line once nginx has noticed the end of the connection; the last of them after a moment.
sent() { # sent REQUESTS TAG: bytes, heads included, of that many requests with the tag
  local tries=0
  until [ "$(grep -c "?$2 " "$temp/nginx-access.log")" -ge "$1" ] || [ $((tries += 1)) -gt 100 ]; do sleep 0.05; done
  awk -v tag="?$2" 'index($1, tag) { total += $3 } END { print total + 0 }' "$temp/nginx-access.log"
}

pause() { # pause MILLISECONDS
  sleep "$(printf '%d.%03d' $(($1 / 1000)) $(($1 % 1000)))"
}

# Killed at random moments and run again, as often as is wanted, over as many downloads as that takes. Most kills come
# soon after the start, when a second's worth of content arrives at once.
killed() { # killed CONNECTIONS
  local done=0 downloads=0 wrong=0 tag="killed-$1-$binary_number" status most total url spread resumed lost=$kept_at_most answers=1
  if [ "$1" -gt 1 ]; then
    lost=$(($1 * lane_at_most))
    answers=$((size / 262144)) # of the shortest block
  fi
  url="http://127.0.0.1:${http_port[nginx]}/killed/file.bin?$tag"
  fresh
  while [ "$done" -lt "$kills" ] || [ -n "$(ls -A "$temp/out")" ]; do
    clients=()
    (cd "$temp/out" && exec "$binary" -q -x "$1" -o file "$url") 2>"$temp/stderr.killed" &
    clients+=($!)
    spread=40
    [ $((RANDOM % 4)) -ne 0 ] || spread=1200
    if [ "$done" -lt "$kills" ]; then
      pause $((1 + RANDOM % spread))
      kill -KILL "${clients[0]}" 2>/dev/null || true
    fi
    status=0
    wait "${clients[0]}" 2>/dev/null || status=$?
    clients=()
    case $status in
    0)
      downloads=$((downloads + 1))
      if [ -n "$(problem)" ]; then
        wrong=$((wrong + 1))
        echo "after $done kills: $(problem)"
      fi
      fresh
      ;;
    137) done=$((done + 1)) ;;
    *)
      judge "kills, -x $1" "after $done kills" "exit $status"
      return
      ;;
    esac
  done
  resumed=$(grep -c "?$tag 206" "$temp/nginx-access.log" || true)
  pause 500 # for the last lines of the log, one for each connection that broke
  total=$(sent 1 "$tag")
  most=$((downloads * (size + answers * heads) + done * (lost + overlap + heads)))
  local problem=
  [ "$wrong" -eq 0 ] || problem="$wrong wrong"
  [ "$total" -le "$most" ] || problem="$problem more than $most bytes were sent"
  [ "$resumed" -gt 0 ] || problem="$problem no range was asked for: the test proves nothing"
  judge "kills $done, -x $1, wrong $wrong" \
    "$downloads downloads, $resumed resumed, $(((total - downloads * size) / (done > 0 ? done : 1))) bytes extra a kill" "$problem"
}

# shellcheck disable=SC2086 # options are words
together() { # together NAME OPTIONS: the same command several times at once
  local tag="$1-$binary_number" number problem endings='' status total zeros=0 others=0
  fresh
  clients=()
  for number in $(seq "$commands"); do
    start_client "$number" $2 "http://127.0.0.1:${http_port[nginx]}/shared/file.bin?$tag"
  done
  for number in "${clients[@]}"; do
    status=0
    wait "$number" || status=$?
    endings="$endings $status"
    case $status in
    0) zeros=$((zeros + 1)) ;;
    12 | 13) others=$((others + 1)) ;;
    esac
  done
  clients=()
  total=$(sent "$commands" "$tag")
  problem=$(problem)
  case $1 in
  waiting) [ "$zeros" -eq "$commands" ] || problem="$problem not all ended with 0" ;;
  leaving) [ "$zeros" -ge 1 ] && [ $((zeros + others)) -eq "$commands" ] || problem="$problem other endings" ;;
  esac
  [ "$total" -le $((size + size / 10)) ] || problem="$problem more than 1.1 times the size was sent"
  judge "$commands at once, $1" "exits$endings; $(awk -v a="$total" -v b="$size" 'BEGIN { printf "%.3f", a / b }') times the size sent" "$problem"
}

now() { date +%s%N; }

# How long a command needs to keep everything and die by SIGINT: shown, and not judged. The length is.
interrupted() {
  local number from problem='' times='' status
  for number in $(seq "$interrupts"); do
    fresh
    clients=()
    (cd "$temp/out" && exec "$binary" -q -o file "http://127.0.0.1:${http_port[nginx]}/killed/file.bin?interrupted") \
      2>"$temp/stderr.$number" &
    clients+=($!)
    until [ "$(stat -c %s "$temp/out/file.part" 2>/dev/null || echo 0)" -gt 1000000 ]; do sleep 0.01; done
    from=$(now)
    kill -INT "${clients[0]}"
    status=0
    wait "${clients[0]}" || status=$?
    times="$times $((($(now) - from) / 100000))"
    clients=()
    [ "$status" -eq 130 ] || problem="exit $status"
    [ "$(stat -c %s "$temp/out/file.part")" -gt 1000000 ] || problem="$problem the part is gone"
  done
  # shellcheck disable=SC2086 # a list of words
  times=$(printf '%s\n' $times | sort -n | awk '{ t[NR] = $1 / 10 } END { print "median " t[int((NR + 1) / 2)] " ms, longest " t[NR] " ms" }')
  judge "SIGINT, $interrupts times" "$times until the process is gone" "$problem"
}

chmod 755 "$temp"
mkdir "$temp/www"
make_certificates
make_file file.bin "$size"
right=$(digest "$temp/www/file.bin")
start nginx

binary_number=0
for binary in "$@"; do
  binary_number=$((binary_number + 1))
  label=$(basename "$(dirname "$binary")")
  [ "$label" = embedded ] || label=ordinary
  binary=$(cd "$(dirname "$binary")" && pwd)/$(basename "$binary")
  killed 1
  killed 4
  together waiting --wait
  together leaving ''
  interrupted
done
echo "Resilience: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
