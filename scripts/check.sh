#!/bin/bash
# The project's own rules, enforced: no network, no root, nothing written to the checkout.
#   scripts/check.sh                     all rules
#   scripts/check.sh [--root DIR] RULE…  some of them (scripts/check-selftest.sh feeds each a violation)
# A rule prints `path:line: what is wrong` for each violation, and is red if it printed anything.
# shellcheck disable=SC2317 # the rules are called by their names
# shellcheck disable=SC2016 # awk's dollars and Markdown's backquotes
set -eu

rules='imports unsafe traps sizes hygiene citations links shell format'
here=$(cd "$(dirname "$0")" && pwd)
root=$here/..
if [ "${1-}" = --root ]; then
  root=$2
  shift 2
fi
cd "$root"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Every text file that belongs to the project. Not by asking git: a tree need not be a clone.
files() { # files NAME…: by pattern of name
  local name expression=()
  for name in "$@"; do expression+=(-o -name "$name"); done
  find . \( -name .git -o -name '.build*' -o -path ./build -o -name .swiftpm -o -name '*.corpus' \) -prune \
    -o -type f \( "${expression[@]:1}" \) -print | sed 's|^\./||' | LC_ALL=C sort
}
text_files() { files '*.swift' '*.c' '*.h' '*.md' '*.sh' '*.awk' '*.txt' '*.modulemap' '*.y*ml' Makefile run setup '.git*' '.swift-format'; }
swift_sources() { files '*.swift' | grep '^Sources/' || true; }
c_sources() { files '*.c' '*.h' | grep -E '^(Sources|CModules)/' || true; }

# grep over the files named on standard input; finding nothing is the good case.
search() { xargs -r -d '\n' grep -nHE "$@" || true; }

code=$scratch/code # of all Swift sources: path, line, code without comments and literals
: >"$code"
swift_sources | xargs -r -d '\n' awk -f "$here/check/code.awk" >"$code"
code_with() { # code_with PATTERN MESSAGE: where the code of Sources matches
  awk -F '\t' -v pattern="$1" -v message="$2" '$3 ~ pattern { print $1 ":" $2 ": " message }' "$code"
}

# The table of docs/ARCHITECTURE.md; so neither Foundation nor Glibc, Musl or Darwin anywhere.
rule_imports() { awk -f "$here/check/imports.awk" "$code" || true; }

# `unsafe` is where C begins, and nowhere else.
rule_unsafe() {
  code_with '(^|[^A-Za-z0-9_])unsafe([^A-Za-z0-9_]|$)' '"unsafe" outside Posix and TLS' |
    grep -vE '^Sources/(Posix|TLS|RawGetC)/' || true
}

# Outside input never ends the process: no forced try or cast, no fatalError.
rule_traps() { code_with '(^|[^A-Za-z0-9_])(try!|as!|fatalError[(])' 'try!, as! or fatalError'; }

rule_sizes() {
  awk -v limit=60 -f "$here/check/functions.awk" "$code" || true
  { swift_sources; c_sources; } | xargs -r -d '\n' awk '
    FNR == 1 { reported = 0 }
    FNR > 400 && !reported { print FILENAME ":" FNR ": more than 400 lines"; reported = 1 }'
  c_sources | xargs -r -d '\n' awk ' # functions of C begin and end in the first column
    /^[A-Za-z].*[(].*[{]$/ { from = FNR }
    /^}/ && from { if (FNR - from >= 60) print FILENAME ":" from ": a function of more than 60 lines"; from = 0 }'
}

rule_hygiene() {
  local tab=$'\t' cr=$'\r'
  text_files | grep -v '^scripts/check' | search -w '(TODO|FIXME|XXX)' | grep -vE '(TODO|FIXME|XXX)[^#]{0,3}#[0-9]' || true
  text_files | grep -vE '^(LICENSE|scripts/check-selftest)' | search "(^|[ \"'=(:])/(root|work|home)/"
  text_files | search "[ $tab]+$|$cr"
  text_files | grep -v '^Makefile$' | search "$tab"
  text_files | while IFS= read -r file; do
    if [ -s "$file" ] && [ -n "$(tail -c 1 "$file")" ]; then echo "$file:1: no end of line at its end"; fi
  done
}

# `RFC 9110 §8.8.3`: one form, so that a reader can search for it; and only RFCs of the list.
rule_citations() {
  local cite='RFC [0-9]+' list
  list=$(grep -oE '^[0-9]+' "$here/rfcs.txt" | tr '\n' ' ')
  files '*.swift' '*.c' '*.h' '*.md' | xargs -r -d '\n' awk -v known=" $list" -v cite="$cite" '
    function complain(text) { print FILENAME ":" FNR ": " text }
    {
      if ($0 ~ /(^|[^A-Za-z0-9_])(RFC[-_]?[0-9]|RFC  +[0-9]|[Rr]fc [0-9])/) complain("an RFC is cited as `RFC 9110`")
      rest = $0
      while (match(rest, cite)) {
        number = substr(rest, RSTART + 4, RLENGTH - 4)
        rest = substr(rest, RSTART + RLENGTH)
        if (!index(known, " " number " ")) complain("RFC " number " is not in scripts/rfcs.txt")
        if (rest ~ /^,? *[Ss]ec(tion|[.])/) complain("a section is cited as `RFC " number " §6.3`")
        if (rest ~ /^,? *§/ && rest !~ /^ (§)+[0-9A-Z]/) complain("a section is cited as `RFC " number " §6.3`")
      }
    }'
}

# A relative link, or a path in backquotes, leads to something that is there.
rule_links() {
  local file target
  files '*.md' | while IFS= read -r file; do
    { grep -oE '\]\([^)#: ]+[)#]' "$file" || true; } | sed 's/^](//; s/[)#]$//' | while IFS= read -r target; do
      [ -e "$(dirname "$file")/$target" ] || echo "$file: links to $target, which is not there"
    done
    { grep -oE '`(Sources|Tests|CModules|scripts|docs)/[^`*{… ]*`' "$file" || true; } | tr -d '`' |
      while IFS= read -r target; do
        [ -e "$target" ] || echo "$file: names $target, which is not there"
      done
    { grep -oE '`[A-Z][A-Za-z0-9]*Tests\.[a-z][A-Za-z0-9]*`' "$file" || true; } | tr -d '`' |
      while IFS= read -r target; do
        grep -rlE "(struct|class) ${target%.*}\b" Tests 2>/dev/null | xargs -r grep -lE "func ${target#*.}\b" | grep -q . ||
          echo "$file: names the test $target, which is not there"
      done
  done
}

rule_shell() {
  local file
  { files '*.sh'; files run setup | grep -E '^(\.ci/run|scripts/)' || true; } | while IFS= read -r file; do
    bash -n "$file" 2>&1 || true
    grep -q '^set -eu' "$file" || echo "$file: does not say set -eu"
    [ -x "$file" ] || echo "$file: is not executable"
    if command -v shellcheck >/dev/null; then shellcheck -x -f gcc "$file" || true; fi
  done
}

rule_format() {
  local paths=() path
  for path in Sources Tests Examples fuzz Benchmarks Package.swift; do [ ! -e "$path" ] || paths+=("$path"); done
  "${SWIFT:-swift}" format lint --strict -r -p "${paths[@]}" 2>&1 || true
}

red=0
# shellcheck disable=SC2086 # a list of words
[ $# -gt 0 ] || set -- $rules
for rule in "$@"; do
  case " $rules " in
  *" $rule "*) "rule_$rule" >"$scratch/out" ;;
  *) echo "check: there is no rule $rule (there are: $rules)" >&2 && exit 2 ;;
  esac
  if [ -s "$scratch/out" ]; then
    red=1
    echo "check $rule: RED"
    sed 's/^/  /' "$scratch/out"
  else
    echo "check $rule: ok"
  fi
done
exit "$red"
