#!/bin/bash
# What a download may cost in instructions and allocations, counted, so that no clock and no load has a part in it:
#   Tests/Cost/run.sh FACTOR:BINARY…
# - A file of one byte over http takes at most FACTOR times the instructions of a small client in C (callgrind).
# - One more small file of a list takes at most so many instructions, however they are linked.
# - Receiving allocates nothing: content of 128 MiB, some hundred receives, takes as many allocations as content of 1 MiB,
#   with Content-Length, chunked and until the connection's end. Content of 1 GiB is recorded four times on its way
#   (docs/DURABILITY.md), which allocates a little each time.
# - Over https (where BINARY has TLS) OpenSSL allocates for each record, and once more for the buffer that it was told to
#   release when it is empty, so that a connection at rest holds none; we do nothing for a record.
# Everything is in a temporary folder and on loopback ports.
set -eu

chance=8 # allocations that may differ between two runs of the same
small_file=125000 # instructions, of which the Embedded build has 106,000
durable=600 # allocations in 1 GiB: at most 100 for each record on the way, of which there are 4; 6 on a slow machine
by_TLS=17280 # allocations in 127 MiB: two for each of 8,128 records of 16 KiB, two for each of 512 receives of 256 KiB
PATH=$PATH:/usr/sbin:/sbin
unset http_proxy https_proxy all_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY
[ $# -gt 0 ] || { echo "usage: $0 FACTOR:BINARY…" >&2 && exit 2; }
for tool in nginx valgrind openssl; do
  command -v "$tool" >/dev/null || { echo "cost: $tool is missing (scripts/setup test installs it)" >&2 && exit 1; }
done

here=$(cd "$(dirname "$0")" && pwd)
temp=$(mktemp -d "${TMPDIR:-/var/tmp}/rawget-cost.XXXXXX")
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$temp"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
mkdir "$temp/www" "$temp/home"
chmod 755 "$temp" "$temp/www" # nginx works as a user of its own
export HOME=$temp/home

compiler=$(command -v gcc || command -v clang)
"$compiler" -std=gnu99 -O2 -o "$temp/client" "$here/../../Benchmarks/limits/http.c"
"$compiler" -std=gnu99 -O2 -shared -fPIC -o "$temp/allocations.so" "$here/allocations.c"
printf x >"$temp/www/one"
mkdir "$temp/www/list"
for number in $(seq 300); do printf x >"$temp/www/list/$number"; done
truncate -s 1M "$temp/www/small"
truncate -s 128M "$temp/www/medium"
truncate -s 1G "$temp/www/large"
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost \
  -addext subjectAltName=DNS:localhost -keyout "$temp/key" -out "$temp/certificate" 2>"$temp/log"

# A filter that finds nothing takes the length away: what remains is chunked, or ends with the connection.
start_nginx() { # on two free ports
  local tries
  for tries in 1 2 3 4 5 6 7 8; do
    port=$((20000 + RANDOM % 12000))
    cat >"$temp/nginx.conf" <<END
daemon off;
worker_processes 1;
pid $temp/nginx.pid;
events { worker_connections 64; }
http {
  access_log off;
  client_body_temp_path $temp/b; proxy_temp_path $temp/p; fastcgi_temp_path $temp/f;
  uwsgi_temp_path $temp/u; scgi_temp_path $temp/s;
  default_type application/octet-stream;
  sub_filter_types *;
  ssl_certificate $temp/certificate; ssl_certificate_key $temp/key;
  server {
    listen 127.0.0.1:$port;
    listen 127.0.0.1:$((port + 1)) ssl;
    location /length/ { alias $temp/www/; }
    location /chunked/ { alias $temp/www/; sub_filter 'found nowhere' ''; }
    location /until-close/ { alias $temp/www/; sub_filter 'found nowhere' ''; chunked_transfer_encoding off; }
  }
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
  echo "cost: nginx does not start ($tries tries)" >&2
  exit 1
}

instructions() { # instructions COMMAND…: of one run
  valgrind --tool=callgrind --callgrind-out-file=/dev/null --log-file="$temp/callgrind" "$@" 2>"$temp/log"
  sed -n 's/.*Collected : //p' "$temp/callgrind"
}

instructions_of_list() { # instructions_of_list BINARY COUNT
  local count
  seq "$2" | sed "s|^|$http/length/list/|" >"$temp/list"
  rm -rf "$temp/files"
  mkdir "$temp/files"
  instructions "$1" --no-config -q -j 8 -i "$temp/list" -P "$temp/files"
  count=$(find "$temp/files" -type f -size 1c | wc -l)
  [ "$count" -eq "$2" ] || { echo "cost: $count of $2 files are there" >&2 && return 1; }
}

allocations() { # allocations BINARY URL SIZE: of one run, whose file has to be whole
  rm -f "$temp/out"
  ALLOCATIONS=$temp/count LD_PRELOAD=$temp/allocations.so "$1" --no-config -q --cacert "$temp/certificate" \
    -o "$temp/out" "$2" 2>"$temp/log" || { cat "$temp/log" >&2 && return 1; }
  [ "$(stat -c %s "$temp/out")" -eq "$3" ] || { echo "cost: $2 is not whole" >&2 && return 1; }
  cat "$temp/count"
}

failed=0
judge() { # judge TEXT FIGURE LIMIT
  local verdict=ok
  if [ "$2" -gt "$3" ]; then
    verdict=FAILED
    failed=$((failed + 1))
  fi
  printf '%-84s %9d of at most %9d  %s\n' "$1" "$2" "$3" "$verdict"
}

count_content() { # count_content BINARY NAME PREFIX LIMIT
  local small medium
  small=$(allocations "$1" "$3/small" 1048576)
  medium=$(allocations "$1" "$3/medium" 134217728)
  judge "$2: allocations of 128 MiB beyond those of 1 MiB" $((medium - small)) "$4"
}

start_nginx
http=http://127.0.0.1:$port https=https://localhost:$((port + 1))
least=$(instructions "$temp/client" "$port" /length/one "$temp/out" 65536 0)
for argument in "$@"; do
  binary=$(realpath "${argument#*:}")
  name=${argument#*:}
  rm -f "$temp/out"
  judge "$name: instructions for one byte" \
    "$(instructions "$binary" --no-config -q -o "$temp/out" "$http/length/one")" $((${argument%%:*} * least))
  few=$(instructions_of_list "$binary" 100)
  many=$(instructions_of_list "$binary" 300)
  judge "$name: instructions for one more file of a list" $(((many - few) / 200)) $small_file
  for kind in length chunked until-close; do count_content "$binary" "$name, $kind" "$http/$kind" $chance; done
  if "$binary" --version | grep -q OpenSSL; then count_content "$binary" "$name, https" "$https/length" $by_TLS; fi
  small=$(allocations "$binary" "$http/length/small" 1048576)
  large=$(allocations "$binary" "$http/length/large" 1073741824)
  judge "$name: allocations of 1 GiB beyond those of 1 MiB" $((large - small)) $durable
done
exit $((failed > 0))
