#!/bin/bash
# What curl, wget, aria2, axel and rawget make of the same trouble: runs every scenario of the loopback server with each
# of them that is installed, and prints docs/COMPARISON.md's table.
#   scripts/compare-peers.sh RAWGET LOOPBACK-SERVER
# Each client runs in an empty folder, with its option to continue, and is judged by its exit status and its files.
set -eu

[ $# -eq 2 ] || { echo "usage: $0 RAWGET LOOPBACK-SERVER" >&2 && exit 2; }
rawget=$(realpath "$1")
loopback=$(realpath "$2")
limit=20 # seconds for one run of a client
unset http_proxy https_proxy all_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY
export HOME=/nonexistent # nobody's configuration

temp=$(mktemp -d)
server=
client=
cleanup() {
  [ -z "$client" ] || kill -KILL "$client" 2>/dev/null || true
  [ -z "$server" ] || kill "$server" 2>/dev/null || true
  rm -rf "$temp"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

run_client() { # run_client NAME URI: becomes the client, in the folder it is in
  case $1 in
  curl) exec timeout -s KILL "$limit" curl -q -f -s -S -C - --retry 5 --retry-delay 1 --speed-time 5 -O "$2" ;;
  wget) exec timeout -s KILL "$limit" wget --no-config -q -c -t 6 -T 5 --waitretry=1 "$2" ;;
  aria2) exec timeout -s KILL "$limit" aria2c --no-conf -q -c -m 6 --retry-wait=1 -t 5 "$2" ;;
  axel) exec timeout -s KILL "$limit" axel -q -n 1 -T 5 "$2" ;;
  rawget) exec timeout -s KILL "$limit" "$rawget" -q -c --retry 5 --idle-timeout 5 "$2" ;;
  esac
}

version() {
  case $1 in
  curl) curl -q --version | awk 'NR == 1 { print $2 }' ;;
  wget) wget --no-config --version | awk 'NR == 1 { print $3 }' ;;
  aria2) aria2c --version | awk 'NR == 1 { print $3 }' ;;
  axel) axel --version | awk 'NR == 1 { print $2 }' ;;
  rawget) "$rawget" --version | awk 'NR == 1 { print $2 }' ;;
  esac
}

installed() { # installed NAME
  case $1 in
  rawget) true ;;
  aria2) command -v aria2c >/dev/null ;;
  *) command -v "$1" >/dev/null ;;
  esac
}

start() { # start NAME: the client, in the background; it is $client
  (cd "$temp/out" && run_client "$1" "$uri") >"$temp/said" 2>&1 &
  client=$!
}

finish() { # finish: waits for it; its exit status is $status, 124 when it did not end by itself
  status=0
  wait "$client" 2>/dev/null || status=$?
  [ "$status" -ne 137 ] || status=124
  client=
}

largest() { # largest: bytes of the largest file
  local most
  most=$(find "$temp/out" -type f -exec stat -c %s {} + 2>/dev/null | sort -n | tail -1)
  echo "${most:-0}"
}

# Waits until a file holds what the server sent before it fell silent; not for long, as some keep it in memory.
await_content() { # await_content BYTES
  local tries=0
  until [ "$(largest)" -ge "$1" ] || [ $((tries += 1)) -gt 40 ]; do sleep 0.05; done
}

begins_with_first() { # begins_with_first BYTES: a file whose first bytes are those of the first representation
  local file
  for file in "$temp"/out/*; do
    if [ -f "$file" ] && [ "$(stat -c %s "$file")" -ge "$1" ] && cmp -s -n "$1" "$file" "$temp/served/first"; then
      return 0
    fi
  done
  return 1
}

# A few words for where the user stands, and the exit status.
verdict() { # verdict KEPT: bytes that were there before the run
  local file=$temp/out/file.bin
  if [ "$status" -eq 124 ]; then
    echo 'does not end'
  elif [ "$status" -eq 0 ]; then
    if cmp -s "$file" "$temp/served/second"; then echo 'right'
    elif [ ! -e "$file" ]; then echo '**no file, exit 0**'
    else echo '**wrong, exit 0**'
    fi
  elif [ "$1" -eq 0 ]; then echo "exit $status"
  elif begins_with_first "$1"; then echo "kept, exit $status"
  else echo "**lost**, exit $status"
  fi
}

# shellcheck disable=SC2094 # a scenario's pipes are its own
run_scenario() { # run_scenario CLIENT NAME STEPS KEPT: prints the verdict
  local first=- before=0
  rm -rf "$temp/out" "$temp/served"
  mkdir "$temp/out" "$temp/served"
  rm -f "$temp/in" "$temp/heard"
  mkfifo "$temp/in" "$temp/heard"
  "$loopback" --scenario "$2" "$temp/served" <"$temp/in" >"$temp/heard" &
  server=$!
  exec 4>"$temp/in" 3<"$temp/heard"
  read -r -t 20 _ uri <&3 # ready URI
  case $3 in
  again)
    start "$1"
    await_content "$4"
    sleep 0.3
    kill "$client" 2>/dev/null || true
    finish
    before=$(largest)
    [ "$before" -le "$4" ] || before=$4 # some make the file as long as it will be
    if cmp -s "$temp/out/file.bin" "$temp/served/first"; then
      echo "compare-peers: $1 was done with $2 before it was interrupted" >&2
    fi
    ;;
  twice)
    start "$1"
    finish
    before=$(largest)
    ;;
  together)
    start "$1"
    first=$client
    sleep 0.3
    ;;
  esac
  if [ "$3" = again ] || [ "$3" = twice ]; then
    echo >&4
    read -r -t 20 _ <&3 # next
  fi
  start "$1"
  finish
  if [ "$first" = - ]; then
    verdict "$before"
  else
    local second=$status
    client=$first
    finish
    echo "$(verdict 0); the second exit $second"
  fi
  exec 4>&-
  wait "$server" || true
  server=
  exec 3<&-
}

names=()
for name in curl wget aria2 axel rawget; do
  if installed "$name"; then names+=("$name"); else echo "compare-peers: $name is not installed" >&2; fi
done
header='| the server |'
rule='|---|'
for name in "${names[@]}"; do
  header="$header $name $(version "$name") |"
  rule="$rule---|"
done
echo "$header"
echo "$rule"
"$loopback" --scenarios >"$temp/scenarios"
while IFS='|' read -r scenario steps kept summary <&5; do
  row="| \`$scenario\`: $summary |"
  for name in "${names[@]}"; do row="$row $(run_scenario "$name" "$scenario" "$steps" "$kept") |"; done
  echo "$row"
done 5<"$temp/scenarios"
