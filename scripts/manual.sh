#!/bin/bash
# Prints the manual page: prose from docs/manual, options and exit statuses from the command's own table.
#   scripts/manual.sh BINARY >docs/rawget.1
set -eu -o pipefail

binary=${1?usage: scripts/manual.sh BINARY}
case $binary in /*) ;; *) binary=$PWD/$binary ;; esac
cd "$(dirname "$0")/../docs/manual"
help=$(env -i PATH="$PATH" "$binary" --help)

options() {
  awk '
    function escaped(text) {
      gsub(/\\/, "\\e", text)
      gsub(/…/, "\\[u2026]", text)
      gsub(/-/, "\\-", text)
      if (text ~ /^[.'\'']/) text = "\\&" text
      return text
    }
    /^[A-Z].*:$/ {
      if (open) print ".El"
      sub(/:$/, "")
      print ".Ss " $0
      print ".Bl -tag -width Ds"
      open = 1
    }
    open && /^  / {
      letter = substr($0, 3, 1) == "-" ? substr($0, 4, 1) : ""
      rest = substr($0, 7)
      name = rest
      sub(/ .*/, "", name)
      rest = substr(rest, length(name) + 1)
      argument = ""
      if (rest ~ /^ [^ ]/) {
        argument = substr(rest, 2)
        sub(/ .*/, "", argument)
        rest = substr(rest, length(argument) + 2)
      }
      sub(/^ +/, "", rest)
      if (rest !~ /^[a-z]+-[0-9]/) rest = toupper(substr(rest, 1, 1)) substr(rest, 2)
      line = letter == "" ? ".It Fl " : ".It Fl " letter " , Fl "
      line = line escaped(substr(name, 2))
      print line (argument == "" ? "" : " Ar " escaped(argument))
      print escaped(rest ".")
    }
    END { print ".El" }'
}

statuses() {
  local status name meaning
  echo '.Sh EXIT STATUS'
  echo '.Bl -tag -width Ds'
  while read -r status name; do
    meaning=$(sed -n "s/^$name: //p" exit-status.txt)
    if [ -z "$meaning" ]; then
      echo "manual: docs/manual/exit-status.txt does not tell of $name" >&2
      return 1
    fi
    echo ".It $status Pq $name"
    printf '%s\n' "$meaning" | sed 's/-/\\-/g; s/\. /.\n/g'
  done
  echo '.El'
  echo '.Pp'
  echo 'By a signal, the status is the shell'\''s for it: 128 and its number.'
}

# Lines of text have at most 78 columns, as mandoc wants them.
fold_text() {
  awk '/^[.]/ || length($0) <= 78 { print; next }
    {
      line = ""
      for (i = 1; i <= NF; i++) {
        if (line != "" && length(line) + 1 + length($i) > 78) { print line; line = "" }
        line = line == "" ? $i : line " " $i
      }
      print line
    }'
}

{
  cat front.mdoc
  printf '%s\n' "$help" | options
  cat rules.mdoc
  printf '%s\n' "$help" | sed -n 's/^Exit status: //p' | tr ',' '\n' | statuses
  cat rest.mdoc
} | fold_text
