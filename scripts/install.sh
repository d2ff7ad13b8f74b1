#!/bin/bash
# Puts the command, its manual page and its completions below a folder, or removes them from there.
#   scripts/install.sh BINARY PREFIX
#   scripts/install.sh --remove PREFIX
# ZSH_FUNCTIONS names the folder of zsh's functions, where it is not the usual one.
set -eu

what=$1
prefix=${2?usage: scripts/install.sh BINARY|--remove PREFIX}
here=$(cd "$(dirname "$0")/.." && pwd)

command=$prefix/bin/rawget
manual=$prefix/share/man/man1/rawget.1
bash=$prefix/share/bash-completion/completions/rawget
zsh=$prefix/${ZSH_FUNCTIONS:-share/zsh/site-functions}/_rawget
fish=$prefix/share/fish/vendor_completions.d/rawget.fish

if [ "$what" = --remove ]; then
  rm -f "$command" "$manual" "$bash" "$zsh" "$fish"
  exit 0
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for shell in bash zsh fish; do "$what" "--completion=$shell" >"$scratch/$shell"; done
install -D -m 755 "$what" "$command"
install -D -m 644 "$here/docs/rawget.1" "$manual"
install -D -m 644 "$scratch/bash" "$bash"
install -D -m 644 "$scratch/zsh" "$zsh"
install -D -m 644 "$scratch/fish" "$fish"
