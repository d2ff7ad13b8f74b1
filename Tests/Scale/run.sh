#!/bin/bash
# The recipes of docs/SCALE.md, tried on this machine with nginx and GNU parallel: Tests/Scale/run.sh BINARY…
# Every file has to be whole and right, every line to have its event, and a second run nothing to fetch. Everything is in
# a temporary folder and on a loopback port.
# shellcheck disable=SC2317 # the recipes are called by their names
set -eu -o pipefail

files=120
PATH=$PATH:/usr/sbin:/sbin
unset http_proxy https_proxy all_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY
[ $# -gt 0 ] || { echo "usage: $0 BINARY…" >&2 && exit 2; }
for tool in nginx parallel; do
  command -v "$tool" >/dev/null || { echo "scale: $tool is missing (scripts/setup test installs it)" >&2 && exit 1; }
done

temp=$(mktemp -d "${TMPDIR:-/var/tmp}/rawget-scale.XXXXXX")
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$temp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
mkdir "$temp/www" "$temp/home"
chmod 755 "$temp" "$temp/www" # nginx works as a user of its own
export HOME=$temp/home

start_nginx() { # on a free port
  local tries
  for tries in 1 2 3 4 5 6 7 8; do
    port=$((20000 + RANDOM % 12000))
    cat >"$temp/nginx.conf" <<END
daemon off;
worker_processes 1;
pid $temp/nginx.pid;
events { worker_connections 256; }
http {
  access_log $temp/access.log;
  client_body_temp_path $temp/b; proxy_temp_path $temp/p; fastcgi_temp_path $temp/f;
  uwsgi_temp_path $temp/u; scgi_temp_path $temp/s;
  server { listen 127.0.0.1:$port; root $temp/www; }
}
END
    nginx -c "$temp/nginx.conf" -e "$temp/error.log" &
    server=$!
    until [ -s "$temp/nginx.pid" ]; do
      kill -0 "$server" 2>/dev/null || continue 2
      sleep 0.1
    done
    return 0
  done
  echo "scale: nginx does not start ($tries tries)" >&2
  exit 1
}

make_list() { # URL, name and checksum by tabs
  local number
  for number in $(seq "$files"); do
    head -c $((number * 1000)) /dev/urandom >"$temp/www/file$number"
    printf 'http://127.0.0.1:%s/file%s\tdata%s\tsha-256=%s\n' "$port" "$number" "$number" \
      "$(sha256sum "$temp/www/file$number" | cut -c 1-64)"
  done >"$temp/list"
}

whole() { # whole NAME: every file of the list is in the folder `data`, and nothing else
  local number
  for number in $(seq "$files"); do
    cmp -s "$temp/www/file$number" "data/data$number" || { echo "$1: data$number is wrong" && return 1; }
  done
  [ "$(find data -type f | wc -l)" = "$files" ] || { echo "$1: something is left behind" && return 1; }
}

count() { grep -c "\"event\":\"$1\"" events || true; }

with_parallel() { # docs/SCALE.md: on one machine, or on several with --sshlogin
  parallel --will-cite -j 3 --pipe -N 16 rawget --json -i - -j 4 -P data --existing=skip <list >events
}

task() { # docs/SCALE.md: one task of an array, the lines of which are its own
  rawget --json -i <(split -n "l/$1/$2" list) -j 4 -P data >"events.$1"
}

with_array() { # four tasks at once, as a cluster would start them on four machines
  local index tasks=()
  for index in 1 2 3 4; do
    task "$index" 4 &
    tasks+=($!)
  done
  for index in "${tasks[@]}"; do wait "$index"; done
  cat events.* >events
  rm events.*
}

failed=0
judge() { # judge NAME COMMAND
  local name=$1 problem=
  "$2" 2>errors || problem="exit status $?: $(head -n 3 errors)"
  [ -n "$problem" ] || problem=$(whole "$name" || true)
  [ "$(count complete)" = "$files" ] || problem="$problem $(count complete) of $files lines are complete"
  printf '%-10s %-28s %3d complete, %3d failed, %d summaries  %s\n' "$label" "$name" "$(count complete)" "$(count failed)" \
    "$(count summary)" "${problem:-ok}"
  [ -z "$problem" ] || failed=$((failed + 1))
}

start_nginx
make_list
for binary in "$@"; do
  label=$(basename "$(dirname "$binary")")/$(basename "$binary")
  rm -rf "${temp:?}/bin" "$temp/run"
  mkdir -p "$temp/bin" "$temp/run/data"
  cp "$binary" "$temp/bin/rawget"
  export PATH=$temp/bin:$PATH
  (
    cd "$temp/run"
    cp ../list .
    judge 'GNU parallel' with_parallel
    requests=$(wc -l <"$temp/access.log")
    judge 'GNU parallel, again' with_parallel
    [ "$(wc -l <"$temp/access.log")" = "$requests" ] || { echo "$label: asked again for what is here" && failed=1; }
    rm -rf data events
    mkdir data
    judge 'an array of 4 tasks' with_array
    exit "$failed"
  ) || failed=1
done
exit "$failed"
