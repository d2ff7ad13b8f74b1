import HTTP1

@testable import RawGet

/// `TargetURI(text:)` and `resolving(reference:)` (RFC 3986 §5, RFC 9110 §7.1, §10.2.2). The input is a target URI; behind
/// the first LF, a reference that is resolved against it, and behind each other LF one against the result.
extension Harness {
  static let targetURI = Harness("target-uri") { input in
    var texts = input.split(separator: .lf, omittingEmptySubsequences: false).map { Array($0) }
    guard var target = try? TargetURI(text: texts.removeFirst(), translation: asciiSpelling) else { return }
    try requireSendable(target)
    for reference in texts {
      guard let next = try? target.resolving(reference: reference, translation: asciiSpelling) else { continue }
      try requireSendable(next)
      try require(next.userinfo == nil, "a server chose credentials")
      let again = try? target.resolving(reference: next.text, translation: asciiSpelling)
      try require(again == next, "the text of what a reference led to leads elsewhere")
      target = next
    }
  }
}

/// What holds for every target URI, wherever it came from.
private func requireSendable(_ target: TargetURI) throws {
  let text = target.text
  guard let again = try? TargetURI(text: text, translation: asciiSpelling) else {
    throw Violation(description: "its own text is refused")
  }
  try require(again.text == text && again.origin == target.origin, "its own text is read as something else")
  try require(again.path == target.path && again.query == target.query, "its own text leads to another resource")
  try require(again.userinfo == nil, "its text holds credentials")
  try require(text.count <= URIReference.limit && target.port > 0, "a bound is passed")
  for sent in [target.requestTarget, target.absoluteForm, target.hostField] {
    try require(sent.allSatisfy { $0 > .space && $0 < 0x7F }, "a byte outside of VCHAR would be sent")
  }
  try require(target.requestTarget.first == UInt8(ascii: "/"), "origin-form begins with a slash")
  try require(!target.requestTarget.contains(UInt8(ascii: "#")), "a fragment would be sent")
  try require(!target.hostField.contains { $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: "%") }, "no host for a field")
  let segments = target.path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
  try require(!segments.contains { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }, "a dot segment stays")
  let encoded = PercentEncoding.encoding(target.path[...], as: .path)
  try require(encoded == target.path, "a path is encoded twice")
}

/// As a translation of names beyond ASCII may answer: what comes back is any text, and has to be judged like any other.
func asciiSpelling(_ name: [UInt8]) -> TranslatedHost {
  switch name.count % 8 {
  case 0: .invalid
  case 1: .unavailable
  case 2: .ascii(name.map { $0 & 0x7F })
  default: .ascii(Array("xn--".utf8) + name.filter { $0 < 0x80 })
  }
}
