import Foundation
import Testing

/// The completions, loaded by the shells they are for.
struct CompletionTests {
  /// In the folder there are a file `some file` and a folder `dir`.
  private func complete(_ shell: [String], _ script: String) throws -> [String] {
    let folder = try Folder()
    try folder.write("", to: "some.file")
    try folder.makeFolder("dir")
    let completion = try Command.run(["--completion=" + shell[0]])
    try folder.write(String(decoding: completion.standardOutput, as: UTF8.self), to: "_rawget")
    try folder.write(script, to: "zz")
    let run = try Tool.run(shell + ["zz"], in: folder)
    return run.output.split(whereSeparator: \.isNewline).map(String.init)
  }

  @Test func bash() throws {
    let found = try complete(
      ["bash", "--norc"],
      """
      set -eu
      source ./_rawget
      compopt() { :; }  # there is no completion under way
      try() { COMP_WORDS=(rawget "$@"); COMP_CWORD=$#; _rawget; echo "$* > ${COMPREPLY[*]}"; }
      try --exi
      try --expl
      try --existing =
      try --existing = re
      try --output = so
      try -o s
      try -P ''
      try --retry ''
      try http
      try --none
      complete -p rawget
      """)
    #expect(
      found == [
        "--exi > --existing", "--expl > --explain", "--existing = > fail skip resume replace rename",
        "--existing = re > resume replace rename", "--output = so > some.file", "-o s > some.file", "-P  > dir",
        "--retry  > ", "http > ", "--none > ", "complete -F _rawget rawget",
      ])
  }

  @Test(.enabled(if: Tool.exists("fish"))) func fish() throws {
    let found = try complete(
      ["fish", "--no-config"],
      """
      source ./_rawget
      for word in --exi --existing= --existing=rep '--existing sk' '-o s' '--output=so' '-P d' '--retry ' http
        echo "$word >" (complete -C "rawget $word" | string replace -r '\\t.*' '')
      end
      """)
    #expect(
      found == [
        "--exi > --existing",
        "--existing= > "
          + ["fail", "rename", "replace", "resume", "skip"]
          .map { "--existing=" + $0 }.joined(separator: " "), "--existing=rep > --existing=replace",
        "--existing sk > skip", "-o s > some.file", "--output=so > --output=some.file", "-P d > dir/", "--retry  >",
        "http >",
      ])
  }

  /// Over a pseudo-terminal: zsh completes nowhere else.
  @Test(.enabled(if: Tool.exists("zsh"))) func zsh() throws {
    let found = try complete(
      ["zsh", "-f"],
      #"""
      zmodload zsh/zpty
      zpty z zsh -f -i
      zpty -w z 'PROMPT= RPROMPT=; autoload -Uz compinit; compinit -u -D; bindkey -e; source ./_rawget'
      zpty -w z 'show() { local line=$BUFFER; BUFFER=; zle -I; print -r -- "<$line>" }; zle -N show'
      zpty -w z 'bindkey "^X" show; print READ"Y"'
      zpty -r z line '*READY*' || exit 1
      for word in --expl --exi --existing=rep '--existing sk' '-o s' -oso '--output=so' '-P d' '--retry '; do
        zpty -w -n z "rawget $word"$'\t\x18'
        zpty -r z line '*<*>*'
        print -r -- "$word > ${${line##*<}%%>*}"
      done
      zpty -d z
      """#)
    #expect(
      found.map { $0.trimmingCharacters(in: .whitespaces) } == [
        "--expl > rawget --explain", "--exi > rawget --existing=", "--existing=rep > rawget --existing=replace",
        "--existing sk > rawget --existing skip", "-o s > rawget -o some.file", "-oso > rawget -osome.file",
        "--output=so > rawget --output=some.file", "-P d > rawget -P dir/", "--retry  > rawget --retry",
      ])
  }
}
