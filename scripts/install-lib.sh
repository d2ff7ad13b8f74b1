#!/bin/bash
# Puts the C library below a folder, or removes it from there.
#   scripts/install-lib.sh LIBRARY-FOLDER PREFIX [DESTDIR]
#   scripts/install-lib.sh --remove PREFIX [DESTDIR]
# LIBRARY-FOLDER is what scripts/lib.sh made. The files lie below DESTDIR and speak of PREFIX alone. LIBDIR is where libraries
# go below it, where that is not `lib`.
set -eu

what=$1
prefix=${2?usage: scripts/install-lib.sh LIBRARY-FOLDER|--remove PREFIX [DESTDIR]}
root=${3-}$prefix
libdir=${LIBDIR:-lib}
here=$(cd "$(dirname "$0")/.." && pwd)
abi=$(sed -n 's/^#define RAWGET_ABI_VERSION //p' "$here/CModules/CRawGet/include/rawget.h")
[ -n "$abi" ]

header=$root/include/rawget.h
archive=$root/$libdir/librawget.a
shared=$root/$libdir/librawget.so.$abi
link=$root/$libdir/librawget.so
description=$root/$libdir/pkgconfig/rawget.pc

if [ "$what" = --remove ]; then
  rm -f "$header" "$archive" "$shared" "$link" "$description"
  exit 0
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
{
  printf 'prefix=%s\n' "$prefix"
  printf 'libdir=%s\n' "\${prefix}/$libdir"
  printf 'includedir=%s\n' "\${prefix}/include"
  sed '/^\(prefix\|libdir\|includedir\)=/d' "$what/rawget.pc"
} >"$scratch/rawget.pc"
install -D -m 644 "$what/rawget.h" "$header"
install -D -m 644 "$what/librawget.a" "$archive"
install -D -m 755 "$what/librawget.so.$abi" "$shared"
ln -sf "librawget.so.$abi" "$link"
install -D -m 644 "$scratch/rawget.pc" "$description"
