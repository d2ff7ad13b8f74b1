#!/bin/bash
# Compares rawget's parser with llhttp, which is installed into build/differential the first time. Needs python3 with venv
# and its headers, a C compiler, and once the Python package index (or whichever pip is told to use).
#   Tests/Differential/run.sh DRIVER [OPTION…]   DRIVER: rawget-parse-driver; options as in differential.py
set -eu

[ $# -gt 0 ] || { echo "usage: $0 DRIVER [OPTION…]" >&2 && exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
environment=$here/../../build/differential
driver=$(realpath "$1")
shift

if ! cmp -s "$here/requirements.txt" "$environment/requirements.txt"; then
  rm -rf "$environment"
  python3 -m venv "$environment"
  command -v gcc >/dev/null || export CC=clang
  "$environment/bin/python" -m pip --disable-pip-version-check -q install -r "$here/requirements.txt" || {
    echo "differential: llhttp for Python could not be installed" >&2
    exit 1
  }
  cp "$here/requirements.txt" "$environment/"
fi

export PYTHONDONTWRITEBYTECODE=1
"$environment/bin/python" "$here/differential.py" "$@" "$driver"
