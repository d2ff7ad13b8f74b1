#!/bin/bash
# Makes a Debian package of a binary: scripts/deb.sh BINARY FOLDER puts rawget_VERSION_ARCH.deb into FOLDER. The libraries
# that it depends on are those that the binary names, at least as new as the newest symbol version that it needs.
set -eu -o pipefail

binary=$1
folder=${2?usage: scripts/deb.sh BINARY FOLDER}
here=$(cd "$(dirname "$0")/.." && pwd)
version=$("$binary" --version | sed -n '1s/^rawget //p')
architecture=$(dpkg --print-architecture)
maintainer="${DEBFULLNAME:-The rawget authors} <${DEBEMAIL:-rawget@example.org}>"
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
chmod 755 "$stage"
umask 022

# Packed relocations have no number of their own: glibc reads them since 2.36.
needed=$(readelf -V "$binary" | { grep -oE 'GLIBC_(ABI_DT_RELR|[0-9.]+)' || true; } | sed 's/^GLIBC_//; s/^ABI_DT_RELR$/2.36/' |
  sort -V | tail -n 1)
depends="libc6 (>= ${needed:-2.17})"
# It is loaded when it is needed, by this name.
if grep -q 'libssl[.]so[.]3' "$binary"; then depends="$depends, libssl3"; fi

ZSH_FUNCTIONS=share/zsh/vendor-completions "$here/scripts/install.sh" "$binary" "$stage/usr"
gzip -9n "$stage/usr/share/man/man1/rawget.1"
doc=$stage/usr/share/doc/rawget
install -D -m 644 "$here/README.md" "$doc/README.md"
install -m 644 "$here"/docs/{PROMISES,RESUME,EVENTS,PROXIES,SCALE}.md "$doc"
gzip -9nc "$here/CHANGELOG.md" >"$doc/changelog.gz"
cat >"$doc/copyright" <<END
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: rawget

Files: *
Copyright: 2026 The rawget authors
License: Apache-2.0
 On Debian systems the text of this licence is in
 /usr/share/common-licenses/Apache-2.0.
END

mkdir "$stage/DEBIAN"
size=$(du -sk --exclude DEBIAN "$stage" | cut -f 1)
cat >"$stage/DEBIAN/control" <<END
Package: rawget
Version: $version-1
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $size
Depends: $depends
Section: web
Priority: optional
Description: HTTP/1.1 downloader that proves what it saved
 rawget downloads files over http and https and reports success only if the
 end of each was proven. It continues after drops, kills and power cuts, and
 joins bytes only where they were shown to belong together.
END
cat >"$doc/changelog.Debian" <<END
rawget ($version-1) unstable; urgency=medium

  * What changed is in changelog.gz.

 -- $maintainer  $(date -u -R -d "@${SOURCE_DATE_EPOCH:-$(stat -c %Y "$here/CHANGELOG.md")}")
END
gzip -9n "$doc/changelog.Debian"
(cd "$stage" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)

package=$folder/rawget_$version-1_$architecture.deb
dpkg-deb --root-owner-group --build "$stage" "$package" >/dev/null
echo "$package"
