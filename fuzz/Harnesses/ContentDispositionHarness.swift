import HTTP1
import RawGet

extension Harness {
  /// File names: a Content-Disposition field value, then an LF and the path of the target if there is one.
  static let contentDisposition = Harness("content-disposition") { input in
    let lines = input.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false).map { Array($0) }
    let proposed = ContentDisposition(fieldValue: lines[0])?.filename
    if let proposed { try require(!proposed.isEmpty && isUTF8(proposed), "a name that is no text") }

    let path = Array("http://h/".utf8) + (lines.count > 1 ? lines[1] : [])
    if let target = try? TargetURI(text: path) {
      try requireSafe(FileName.suggested(contentDisposition: lines[0], target: target))
      try requireSafe(FileName.suggested(contentDisposition: nil, target: target))
    }
    for text in [proposed, lines[0], lines.last] as [[UInt8]?] {
      guard let text, let name = FileName.safe(text) else { continue }
      try requireSafe(name)
      try require(FileName.safe(name) == name, "a safe name is changed again")
      try requireReadBack(name)
    }
  }

  /// A name in either form, or in both in either order, reads as it was written; the extended one counts.
  private static func requireReadBack(_ name: [UInt8]) throws {
    let (quote, backslash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))
    let quoted: [UInt8] = name.flatMap { $0 == quote || $0 == backslash ? [backslash, $0] : [$0] }
    let digits = Array("0123456789abcdef".utf8)
    let encoded: [UInt8] = name.flatMap { [UInt8(ascii: "%"), digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    let plain = Array("; filename=\"".utf8) + quoted + Array("\"".utf8)
    let extended = Array("; FileName* = utf-8'en'".utf8) + encoded
    let other = Array("; filename=\"other \\\" \\\\ name\"".utf8)
    for parameters in [plain, extended, extended + other, other + extended, extended + plain, plain + extended] {
      let read = ContentDisposition(fieldValue: Array("attachment".utf8) + parameters)?.filename
      try require(read == name, "\(String(decoding: parameters, as: UTF8.self)) reads as something else")
    }
  }
}

private func isUTF8(_ bytes: [UInt8]) -> Bool { String(validating: bytes, as: UTF8.self) != nil }

/// One path segment that no terminal, shell or listing takes for something else, and none of our own state files.
func requireSafe(_ name: [UInt8]) throws {
  let text = String(decoding: name, as: UTF8.self)
  func hold(_ condition: Bool, _ rule: String) throws { try require(condition, "\(rule): \(name)") }
  try hold((1...245).contains(name.count) && isUTF8(name), "1 to 245 bytes of UTF-8")
  for scalar in text.unicodeScalars {
    let category = scalar.properties.generalCategory
    let joins = scalar.value == 0x200C || scalar.value == 0x200D
    try hold(category != .control && category != .lineSeparator && category != .paragraphSeparator, "no control")
    try hold(!scalar.properties.isBidiControl && (joins || !(0x2060...0x206F ~= scalar.value)), "nothing invisible")
    try hold(scalar != "/" && scalar != "\\", "one segment")
  }
  try hold(!".-~ ".utf8.contains(name[0]), "not hidden, no option, no home")
  try hold(!". ".utf8.contains(name[name.count - 1]), "no dot or blank at the end")
  let lowercase = name.map { $0 >= 0x41 && $0 <= 0x5A ? $0 + 0x20 : $0 }
  for suffix in [".part", ".part.meta", ".part.tmp", ".part.new", ".part.old", ".part.lock"] {
    try hold(!lowercase.suffix(suffix.utf8.count).elementsEqual(suffix.utf8), "not \(suffix)")
  }
}
