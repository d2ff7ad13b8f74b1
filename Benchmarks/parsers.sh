#!/bin/bash
# Brings the C sources of picohttpparser and llhttp into FOLDER, from the Python package index (or whichever pip is told
# to use), by their digests in parsers.txt. Done once.
#   Benchmarks/parsers.sh FOLDER
set -eu

here=$(cd "$(dirname "$0")" && pwd)
folder=$1
if cmp -s "$here/parsers.txt" "$folder/parsers.txt"; then exit 0; fi
rm -rf "$folder"
mkdir -p "$folder"
python3 -m venv "$folder/environment"
pip() { timeout 300 "$folder/environment/bin/python" -m pip --disable-pip-version-check -q --retries 1 "$@"; }

# pip looks into a source archive before it hands it out; with these two it need not fetch them anew for each.
pip install setuptools==80.9.0 wheel==0.45.1
pip download --no-deps --no-build-isolation --no-binary gunicorn-h1c,llhttp \
  --require-hashes -r "$here/parsers.txt" -d "$folder"
for archive in "$folder"/*.tar.gz; do tar -xzf "$archive" -C "$folder" --strip-components=1; done
mv "$folder"/src/gunicorn_h1c/picohttpparser/* "$folder"/lib/*.[ch] "$folder"
rm -rf "${folder:?}"/{environment,src,lib,llhttp,tests}
cp "$here/parsers.txt" "$folder/"
