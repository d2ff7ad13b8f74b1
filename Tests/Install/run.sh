#!/bin/bash
# Installs a binary below a temporary folder, and makes a Debian package of it: Tests/Install/run.sh BINARY…
# Nothing outside the folder is touched.
# shellcheck disable=SC2317 # `is` is called by its name
set -eu -o pipefail

[ $# -gt 0 ] || { echo "usage: $0 BINARY…" >&2 && exit 2; }
scripts=$(cd "$(dirname "$0")/../../scripts" && pwd)
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
chmod 755 "$temp"

failed=0
expect() { # expect WHAT COMMAND…
  local what=$1
  shift
  if "$@" >"$temp/log" 2>&1; then
    echo "ok      $what"
  else
    failed=1
    echo "FAILED  $what"
    sed 's/^/        /' "$temp/log"
  fi
}
is() { [ "$1" = "$2" ] || { echo "not '$2' but '$1'" && return 1; }; }
files() { (cd "$1" && find . -type f | LC_ALL=C sort | tr '\n' ' '); }

installed='./bin/rawget ./share/bash-completion/completions/rawget ./share/fish/vendor_completions.d/rawget.fish '
installed+='./share/man/man1/rawget.1 ./share/zsh/site-functions/_rawget '

for binary in "$@"; do
  echo "$binary"
  prefix="$temp/a prefix"
  expect 'installs' "$scripts/install.sh" "$binary" "$prefix"
  expect 'installs what it says' is "$(files "$prefix")" "$installed"
  expect 'the command runs from there' "$prefix/bin/rawget" --version
  expect 'its manual is that of this version' cmp "$prefix/share/man/man1/rawget.1" "$scripts/../docs/rawget.1"
  expect 'bash reads its completion' bash -n "$prefix/share/bash-completion/completions/rawget"
  if command -v man >/dev/null && command -v mandoc >/dev/null; then
    expect 'the manual can be found' is "$(man -M "$prefix/share/man" -w rawget)" "$prefix/share/man/man1/rawget.1"
  fi
  expect 'is removed' "$scripts/install.sh" --remove "$prefix"
  expect 'leaves nothing' is "$(files "$prefix")" ''

  if ! command -v dpkg-deb >/dev/null; then continue; fi
  package=$("$scripts/deb.sh" "$binary" "$temp")
  version=$("$binary" --version | sed -n '1s/^rawget //p')
  expect 'the package has name and version' is "$(basename "$package")" \
    "rawget_$version-1_$(dpkg --print-architecture).deb"
  expect 'and can be unpacked' dpkg-deb -x "$package" "$temp/unpacked"
  expect 'the same command is in it' cmp "$temp/unpacked/usr/bin/rawget" "$binary"
  for file in share/man/man1/rawget.1.gz share/bash-completion/completions/rawget share/zsh/vendor-completions/_rawget \
    share/fish/vendor_completions.d/rawget.fish share/doc/rawget/copyright; do
    expect "and $file" test -s "$temp/unpacked/usr/$file"
  done
  depends=$(dpkg-deb -f "$package" Depends)
  needs_openssl=$(grep -c 'libssl[.]so' "$binary" || true)
  expect "depends on the libraries it needs: $depends" is "$(grep -c libssl3 <<<"$depends" || true)" "$needs_openssl"
  expect 'which this system has' dpkg --simulate --instdir="$temp" --install "$package"
  if command -v lintian >/dev/null; then
    expect 'lintian has nothing to complain of' lintian --fail-on error --tag-display-limit 0 "$package"
  fi
  rm -rf "$temp/unpacked" "$prefix" "$package"
done
exit "$failed"
