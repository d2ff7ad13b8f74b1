#!/bin/bash
# Downloads from nginx through squid, tinyproxy, microsocks (SOCKS5) and haproxy (TLS before squid, so that https is TLS
# inside TLS; and a gateway of its own) with the binaries named, over http and https.
#   Tests/RealServers/proxies.sh BINARY…
# Everything is in a temporary folder and on loopback ports; no installed service is touched.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
PATH=$PATH:/usr/sbin:/sbin
unset http_proxy https_proxy all_proxy no_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY NO_PROXY

[ $# -gt 0 ] || { echo "usage: $0 BINARY…" >&2 && exit 2; }
for tool in nginx openssl squid tinyproxy microsocks haproxy; do
  command -v "$tool" >/dev/null || { echo "proxies: $tool is missing (scripts/setup test installs it)" >&2 && exit 1; }
done
temp=$(mktemp -d "${TMPDIR:-/var/tmp}/rawget-proxies.XXXXXX")
# shellcheck source=Tests/RealServers/servers.sh
. "$here/servers.sh"

declare -A pid port
client=
cleanup() {
  [ -z "$client" ] || kill "$client" 2>/dev/null || true
  for name in "${!pid[@]}"; do
    kill "${pid[$name]}" 2>/dev/null || true
    wait "${pid[$name]}" 2>/dev/null || true
  done
  stop nginx
  rm -rf "$temp"
}
trap cleanup EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

configure() { # configure NAME: its file, for the ports that were chosen
  case $1 in
  squid) cat <<END
http_port 127.0.0.1:${port[squid]}
pid_filename none
cache deny all
cache_log $temp/squid/cache.log
access_log stdio:$temp/squid/access.log
coredump_dir $temp/squid
shutdown_lifetime 0 seconds
auth_param basic program $(find /usr/lib*/squid -name basic_ncsa_auth | head -n 1) $temp/squid/users
acl known proxy_auth REQUIRED
acl CONNECT method CONNECT
acl forbidden url_regex forbidden
http_access deny forbidden
http_access allow known
http_access deny all
END
  ;;
  tinyproxy) cat <<END
Port ${port[tinyproxy]}
Listen 127.0.0.1
Allow 127.0.0.1
BasicAuth alice secret
Timeout 30
MaxClients 20
LogFile "$temp/tinyproxy.log"
END
  ;;
  haproxy) cat <<END
defaults
  timeout connect 5s
  timeout client 30s
  timeout server 30s
frontend secure
  mode tcp
  bind 127.0.0.1:${port[secure]} ssl crt $temp/both.pem
  default_backend squid
backend squid
  mode tcp
  server squid 127.0.0.1:${port[squid]}
frontend gateway
  mode http
  bind 127.0.0.1:${port[gateway]}
  default_backend nginx
backend nginx
  mode http
  server nginx 127.0.0.1:${http_port[nginx]}
END
  ;;
  esac
}

run() { # run NAME: in the foreground of a process of its own
  case $1 in
  squid) exec squid -N -f "$temp/squid.conf" ;;
  tinyproxy) exec tinyproxy -d -c "$temp/tinyproxy.conf" ;;
  haproxy) exec haproxy -db -f "$temp/haproxy.conf" ;;
  socks) exec microsocks -i 127.0.0.1 -p "${port[socks]}" -u alice -P secret ;;
  open-socks) exec microsocks -i 127.0.0.1 -p "${port[open-socks]}" ;;
  esac
}

declare -A taken
choose_port() { # choose_port NAME: one that nobody listens on and that no other name has
  local number
  until number=$((20000 + RANDOM % 12000)) && [ -z "${taken[$number]-}" ] && ! answers 127.0.0.1 $number; do :; done
  taken[$number]=$1
  port[$1]=$number
}

launch_proxy() { # launch_proxy NAME PORT-NAME…: false if it ends before every port answers, or takes 10 s
  local name=$1 tries=0 each
  shift
  for each in "$@"; do choose_port "$each"; done
  configure "$name" >"$temp/$name.conf"
  (run "$name") >"$temp/$name.out" 2>&1 </dev/null &
  pid[$name]=$!
  for each in "$@"; do
    until answers 127.0.0.1 "${port[$each]}"; do
      tries=$((tries + 1))
      if [ "$tries" -gt 200 ] || ! kill -0 "${pid[$name]}" 2>/dev/null; then
        kill "${pid[$name]}" 2>/dev/null || true
        wait "${pid[$name]}" 2>/dev/null || true
        unset "pid[$name]"
        return 1
      fi
      sleep 0.05
    done
  done
}

bring_up() { # bring_up NAME PORT-NAME…: on other ports, if somebody else was quicker with these
  local try
  for try in 1 2 3 4; do
    if launch_proxy "$@"; then return 0; fi
    echo "proxies: $1 did not start (try $try):" >&2
    tail -q -n 5 "$temp/$1.out" "$temp/$1"/cache.log >&2 2>/dev/null || true
  done
  return 1
}

digest() { openssl dgst -sha256 -r "$1" | cut -c 1-64; }

passed=0
failed=0
judge() { # judge WHAT PROBLEM
  if [ -z "$2" ]; then
    passed=$((passed + 1))
    printf '%-8s %-46s ok\n' "$label" "$1"
  else
    failed=$((failed + 1))
    printf '%-8s %-46s FAILED: %s\n' "$label" "$1" "$2"
    sed 's/^/    /' "$temp/stderr"
  fi
}

begin() { # begin ARGUMENT…: in the background, into $temp/out/file
  rm -rf "$temp/out"
  mkdir "$temp/out"
  timeout -s KILL 60 "$binary" -q --cacert "$temp/authority.pem" -o "$temp/out/file" "$@" \
    >"$temp/stdout" 2>"$temp/stderr" &
  client=$!
}
end() {
  status=0
  wait "$client" || status=$?
  client=
}

whole() { # whole WHAT ARGUMENT…: the file arrives
  local what=$1 problem=
  shift
  begin "$@"
  end
  if [ "$status" -ne 0 ]; then problem="exit $status"
  elif [ "$(digest "$temp/out/file")" != "$expected" ]; then problem='wrong SHA-256'
  fi
  judge "$what" "$problem"
}

refused() { # refused WHAT STATUS TEXT ARGUMENT…: nothing arrives, and the line has the text
  local what=$1 code=$2 text=$3 problem=
  shift 3
  begin --retry 0 "$@"
  end
  if [ "$status" -ne "$code" ]; then problem="exit $status, not $code"
  elif [ -n "$(ls -A "$temp/out")" ]; then problem='something is left'
  elif ! grep -qF "$text" "$temp/stderr"; then problem="does not say $text"
  elif grep -q 'secret\|wrong' "$temp/stderr"; then problem='tells a password'
  fi
  judge "$what" "$problem"
}

# nginx writes the line once the answer is sent, which may be after the client has all of it.
was_continued() {
  local tries
  for ((tries = 0; tries < 100; tries++)); do
    if grep -q '/slow/file.bin 206 range=.bytes=[1-9]' "$temp/nginx-access.log"; then return 0; fi
    sleep 0.05
  done
  return 1
}

resumed() { # resumed WHAT ARGUMENT…: nginx's process dies half way
  local what=$1 worker problem=
  shift
  begin "$@"
  while kill -0 "$client" 2>/dev/null; do
    if [ "$(stat -c %s "$temp/out/file.part" 2>/dev/null || echo 0)" -gt $((size / 4)) ]; then
      for worker in $(children "${master[nginx]}"); do kill -KILL "$worker" || true; done
      break
    fi
    sleep 0.02
  done
  end
  if [ "$status" -ne 0 ]; then problem="exit $status"
  elif [ "$(digest "$temp/out/file")" != "$expected" ]; then problem='wrong SHA-256'
  elif ! was_continued; then problem='no range was asked for'
  fi
  : >"$temp/nginx-access.log"
  judge "$what" "$problem"
}

size=$((1 << 23))
chmod 755 "$temp"
mkdir "$temp/www" "$temp/squid"
make_certificates
cat "$temp/server.pem" "$temp/server.key" >"$temp/both.pem"
make_file file.bin $size
expected=$(digest "$temp/www/file.bin")
printf 'alice:%s\n' "$(openssl passwd -apr1 secret)" >"$temp/squid/users"
# As root squid becomes this user.
if [ "$(id -u)" -eq 0 ]; then chown -R proxy "$temp/squid"; fi
start nginx
bring_up squid squid
bring_up tinyproxy tinyproxy
bring_up socks socks
bring_up open-socks open-socks
bring_up haproxy secure gateway

plain=http://localhost:${http_port[nginx]}
secure=https://localhost:${https_port[nginx]}
squid=127.0.0.1:${port[squid]}
for binary in "$@"; do
  label=$(basename "$(dirname "$binary")")
  [ "$label" = embedded ] || label=ordinary
  binary=$(cd "$(dirname "$binary")" && pwd)/$(basename "$binary")
  for origin in "$plain" "$secure"; do
    scheme=${origin%%:*}
    url=$origin/file.bin
    whole "squid, $scheme" --proxy "http://alice:secret@$squid" "$url"
    refused "squid, $scheme, no login" 6 "proxy http://$squid: the server answered 407" --proxy "$squid" "$url"
    refused "squid, $scheme, wrong login" 6 407 --proxy "http://alice:wrong@$squid" "$url"
    resumed "squid, $scheme, nginx dies" --proxy "http://alice:secret@$squid" "$origin/slow/file.bin"
    whole "tinyproxy, $scheme" --proxy "http://alice:secret@127.0.0.1:${port[tinyproxy]}" "$url"
    whole "SOCKS5, $scheme, login" --proxy "socks5://alice:secret@127.0.0.1:${port[socks]}" "$url"
    whole "SOCKS5h, $scheme, login" --proxy "socks5h://alice:secret@127.0.0.1:${port[socks]}" "$url"
    whole "SOCKS5h, $scheme, open" --proxy "socks5h://127.0.0.1:${port[open-socks]}" "$url"
    refused "SOCKS5h, $scheme, no login" 6 credentials --proxy "socks5h://127.0.0.1:${port[socks]}" "$url"
    whole "haproxy's TLS, then squid, $scheme" --proxy "https://alice:secret@localhost:${port[secure]}" "$url"
    resumed "haproxy's TLS, then squid, $scheme, nginx dies" \
      --proxy "https://alice:secret@localhost:${port[secure]}" "$origin/slow/file.bin"
  done
  refused 'squid forbids' 8 403 --proxy "http://alice:secret@$squid" "$plain/forbidden.bin"
  refused 'SOCKS5h, nobody listens' 4 'proxy socks5h' --proxy "socks5h://127.0.0.1:${port[open-socks]}" http://localhost:1/
  whole "haproxy as a gateway" "http://127.0.0.1:${port[gateway]}/file.bin"
done
echo "proxies: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
