#!/bin/bash
# What run.sh needs to have nginx and Apache as processes of its own: certificates, files, start, stop.
# Sourced, not run. Expects $here (this folder) and $temp (a folder to fill).
# shellcheck disable=SC2154
set -eu

declare -A http_port https_port master # by server: nginx, apache

make_certificates() { # an authority of our own, and a certificate for the names of this machine
  local new=(-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes)
  openssl req -x509 "${new[@]}" -days 2 -subj '/CN=rawget test authority' \
    -addext basicConstraints=critical,CA:TRUE -keyout "$temp/authority.key" -out "$temp/authority.pem" 2>"$temp/log"
  openssl req "${new[@]}" -subj /CN=localhost -keyout "$temp/server.key" -out "$temp/server.csr" 2>"$temp/log"
  openssl x509 -req -in "$temp/server.csr" -CA "$temp/authority.pem" -CAkey "$temp/authority.key" -CAcreateserial \
    -days 2 -out "$temp/server.pem" 2>"$temp/log" \
    -extfile <(echo 'subjectAltName=DNS:localhost,IP:127.0.0.1,IP:::1')
}

make_file() { # make_file NAME BYTES: the same bytes each time, which do not compress
  # The cipher is told to stop by a closed pipe.
  { openssl enc -aes-128-ctr -nosalt -K 00000000000000000000000000000000 -iv 00000000000000000000000000000000 \
    -in /dev/zero 2>/dev/null || true; } | head -c "$2" >"$temp/www/$1"
}

# Children of a process, without the tools of procps.
children() { grep -ls "^PPid:[[:space:]]*$1\$" /proc/[0-9]*/status | cut -d / -f 3 || true; }

answers() { (exec 3<>"/dev/tcp/$1/$2") 2>/dev/null; } # answers HOST PORT

launch() { # launch SERVER: starts it in the background; false if it does not come up on its ports
  local server=$1 tries=0 host port
  sed "s|@TEMP@|$temp|g; s|@MODULES@|${APACHE_MODULES:-/usr/lib/apache2/modules}|g
    s|@HTTP@|${http_port[$server]}|g; s|@HTTPS@|${https_port[$server]}|g
    s|@ORIGIN@|https://localhost:${https_port[$server]}|g" "$here/$server.conf" >"$temp/$server.conf"
  case $server in
  nginx) nginx -e stderr -p "$temp" -c "$temp/nginx.conf" 2>>"$temp/nginx-error.log" & ;;
  apache) apache2 -f "$temp/apache.conf" -DFOREGROUND 2>>"$temp/apache-error.log" & ;;
  esac
  master[$server]=$!
  for host in 127.0.0.1 ::1; do
    for port in "${http_port[$server]}" "${https_port[$server]}"; do
      until answers "$host" "$port"; do
        tries=$((tries + 1))
        if [ "$tries" -gt 200 ] || ! kill -0 "${master[$server]}" 2>/dev/null; then
          stop "$server"
          return 1
        fi
        sleep 0.05
      done
    done
  done
}

start() { # start SERVER: on two free ports of the loopback interface, both address families
  local server=$1 base try
  for try in 1 2 3 4 5 6; do
    base=$((20000 + RANDOM % 12000)) # below the range that the system itself hands out
    if answers 127.0.0.1 $base || answers 127.0.0.1 $((base + 1)); then continue; fi
    http_port[$server]=$base
    https_port[$server]=$((base + 1))
    if launch "$server"; then return 0; fi
  done
  echo "real servers: $server did not start ($try tries):" >&2
  tail -n 5 "$temp/$server-error.log" >&2
  return 1
}

stop() { # stop SERVER
  local pid=${master[$1]-}
  [ -n "$pid" ] || return 0
  unset "master[$1]"
  kill "$pid" 2>/dev/null || true
  wait "$pid" 2>/dev/null || true
}
