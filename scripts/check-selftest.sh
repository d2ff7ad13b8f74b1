#!/bin/bash
# Proves that each rule of scripts/check.sh can be red: feeds it a violation, and beside it something
# near that is allowed. A row: `red RULE FILE` or `green RULE FILE`, the file's text on standard input.
# shellcheck disable=SC2016 # Markdown's backquotes
set -eu

check=$(cd "$(dirname "$0")" && pwd)/check.sh
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
passed=0
failed=0

judge() { # judge EXPECTED-STATUS RULE FILE
  local path=$tree/$3 status=0 output
  rm -rf "${tree:?}"/*
  mkdir -p "$(dirname "$path")"
  cat >"$path"
  [ "${path##*.}" != sh ] || chmod +x "$path"
  output=$("$check" --root "$tree" "$2" 2>&1) || status=$?
  # Red must be for the file's sake, not for a tool's.
  if [ "$status" -eq "$1" ] && { [ "$1" -eq 0 ] || grep -q "$3" <<<"$output"; }; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf 'selftest: %s should have ended with %s, not %s, for %s:\n' "$2" "$1" "$status" "$3"
    { cat "$path"; echo "$output"; } | sed 's/^/  /'
  fi
}
red() { judge 1 "$@"; }
green() { judge 0 "$@"; }
lines() { yes "$2" | head -n "$1"; } # lines COUNT TEXT

# Who may import whom.
red imports Sources/HTTP1/A.swift <<<'import Foundation'
red imports Sources/HTTP1/A.swift <<<'internal import Posix'
red imports Sources/HTTP1/A.swift <<<'import Synchronization'
red imports Sources/Posix/A.swift <<<'#if canImport(Glibc)
import Glibc
#endif'
red imports Sources/RawGet/A.swift <<<'@preconcurrency import struct Foundation.URL'
red imports Sources/RawGet/A.swift <<<'package import CPosix // through Posix only'
red imports Sources/RawGetCLI/A.swift <<<'fileprivate import Posix'
red imports Sources/TLS/A.swift <<<'internal import COpenSSL'
red imports Sources/TLS/A.swift <<<'#if TLS
#else
internal import COpenSSL
#endif'
red imports Sources/TLS/A.swift <<<'#if !TLS
internal import COpenSSL
#endif'
red imports Sources/Extras/A.swift <<<'import HTTP1'
green imports Sources/TLS/A.swift <<<'#if TLS
#if os(Linux)
  internal import COpenSSL
#endif
#endif'
green imports Sources/RawGet/A.swift <<<'public import HTTP1
internal import struct Posix.Socket'
green imports Sources/HTTP1/A.swift <<<'// import Foundation
let text = "import Foundation"
/* an
import Foundation /* nested */
import Glibc */'

# Where C begins.
red unsafe Sources/HTTP1/A.swift <<<'let a = unsafe f()'
red unsafe Sources/RawGet/A.swift <<<'let a = "\(unsafe f())"'
red unsafe Sources/RawGet/A.swift <<<'nonisolated(unsafe) var a = 1'
green unsafe Sources/Posix/A.swift <<<'let a = unsafe f()'
green unsafe Sources/HTTP1/A.swift <<<'/// unsafe
let a = "unsafe \" unsafe" // unsafe
let b = #"unsafe " \(unsafe)"# + """
  unsafe "quoted"
  """
let isUnsafe = notunsafe'

# Outside input never ends the process.
red traps Sources/HTTP1/A.swift <<<'let a = try! f()'
red traps Sources/Posix/A.swift <<<'let a = b as! C'
red traps Sources/RawGet/A.swift <<<'  fatalError("no")'
green traps Sources/RawGet/A.swift <<<'precondition(a) // never fatalError(), try! or as!
let a = b as? C'

# Half a screen a function, a few hundred lines a file.
red sizes Sources/HTTP1/A.swift < <(echo 'func f() {'; lines 59 '  g()'; echo '}')
green sizes Sources/HTTP1/A.swift < <(echo 'func f() {'; lines 58 '  g()'; echo '}')
red sizes Sources/HTTP1/A.swift < <(
  printf 'struct A {\n  @_lifetime(&self) public mutating func f(\n    g: () -> Void = { }\n  ) throws(E)\n  where T: P {\n'
  lines 60 '    if a { b("}") }'
  printf '  }\n}\n')
red sizes Sources/HTTP1/A.swift < <(printf 'extension A {\n  package init?(a: [Int]) {\n'; lines 60 '    g()'; printf '  }\n}\n')
red sizes Sources/HTTP1/A.swift < <(printf 'struct A {\n  var a: Int {\n'; lines 60 '    g()'; printf '  }\n}\n')
green sizes Sources/HTTP1/A.swift < <(printf 'protocol P {\n  func f()\n  var a: Int { get }\n}\nstruct A {\n'; lines 70 '  let a = 1'; echo '}')
red sizes Sources/HTTP1/A.swift < <(lines 401 '// text')
green sizes Sources/HTTP1/A.swift < <(lines 400 '// text')
red sizes CModules/CPosix/a.c < <(echo 'int f(void) {'; lines 59 '  g();'; echo '}')
green sizes CModules/CPosix/a.c < <(echo 'int f(void) {'; lines 58 '  g();'; echo '}')
red sizes CModules/CPosix/include/a.h < <(lines 401 '/* text */')

# Words and bytes that no file should hold.
red hygiene Sources/HTTP1/A.swift <<<'// TODO: later'
red hygiene docs/A.md <<<'FIXME'
green hygiene Sources/HTTP1/A.swift <<<'// TODO(#12): later'
red hygiene scripts/a.sh <<<'cd /home/somebody'
red hygiene Sources/HTTP1/A.swift <<<'let a = "/home/me/key"'
green hygiene docs/A.md <<<'http://example.com/home/a and build/work/b'
red hygiene Sources/HTTP1/A.swift <<<$'\tlet a = 1'
red hygiene Sources/HTTP1/A.swift <<<'let a = 1  '
red hygiene docs/A.md <<<$'a\r'
red hygiene docs/A.md < <(printf 'no end of line')
green hygiene Makefile <<<$'a:\n\ttrue'

# RFCs are cited in one form.
red citations Sources/HTTP1/A.swift <<<'/// RFC9112 §7.1'
red citations Sources/HTTP1/A.swift <<<'/// RFC 9112 § 7.1'
red citations Sources/HTTP1/A.swift <<<'/// RFC 9112, section 7.1'
red citations Sources/HTTP1/A.swift <<<'/// RFC 9112 Sec. 7.1'
red citations Sources/HTTP1/A.swift <<<'/// RFC 9112 §'
red citations docs/A.md <<<'rfc 9112'
red citations docs/A.md <<<'RFC 9110 §8.8.3 and RFC 9999 §1'
green citations Sources/HTTP1/A.swift <<<'/// A chunk (RFC 9112 §7.1, and RFC 9110 §§8.8.1 and 8.8.3); RFC 3986 appendix B.
func readRFC850() {}'

# Documents lead somewhere.
red links docs/A.md <<<'See [B](B.md).'
red links docs/A.md <<<'See [B](B.md#part).'
red links README.md <<<'Read `Sources/RawGet/Gone.swift`.'
red links docs/A.md <<<'Held by `GoneTests.isNotThere`.'
green links docs/A.md <<<'See [A](A.md), [part](#part), [out](https://example.com/x.md), `docs/A.md`, `Tests/*`.'

# Scripts stop at the first thing that goes wrong.
red shell scripts/a.sh <<<'#!/bin/sh
echo hello'
red shell scripts/a.sh <<<'#!/bin/sh
set -eu
if true; then'
green shell scripts/a.sh <<<'#!/bin/sh
set -eu
echo hello'

red format Sources/HTTP1/A.swift <<<'let  a=1'
green format Sources/HTTP1/A.swift <<<'let a = 1'

# A rule added without a row here would be a rule nobody has seen red.
read -ra rules < <(sed -n "s/^rules='\(.*\)'/\1/p" "$check")
for rule in "${rules[@]}"; do
  grep -q "^red $rule " "$0" || { echo "selftest: no row feeds a violation to $rule" && failed=$((failed + 1)); }
done
echo "check-selftest: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
