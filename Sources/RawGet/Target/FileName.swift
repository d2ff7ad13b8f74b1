internal import HTTP1

/// The name under which a download is kept when the user gives none: one path segment, never one of our own state files,
/// with nothing in it that a terminal, a shell or a directory listing would take for something else.
package enum FileName {
  /// Most file systems allow 255 bytes; `.part.meta` has to fit behind the name.
  package static let limit = 245  // bytes

  /// Content-Disposition's name, else the last segment of the target URI's path; never its query, which may hold secrets.
  /// `download` where neither leaves anything, as for a path that ends in a slash.
  package static func suggested(contentDisposition: [UInt8]?, target: TargetURI) -> [UInt8] {
    if let fieldValue = contentDisposition, let proposed = ContentDisposition(fieldValue: fieldValue)?.filename,
      let name = safe(proposed)
    {
      return name
    }
    let segment = target.path[lastSegment(of: target.path) { $0 == UInt8(ascii: "/") }]
    return safe(PercentEncoding.decoding(segment)) ?? Array("download".utf8)
  }

  /// The safe form of a name that is already decoded (RFC 6266 §4.3), or nil if nothing of it is left. A safe name comes
  /// out as it went in.
  ///
  /// What precedes the last slash or backslash goes; a sequence that is not UTF-8 becomes U+FFFD; controls and invisible
  /// formatting go, as do dots and spaces at the end and spaces at the start. A `.`, `-` or `~` in front gets an
  /// underscore before it. A name that is too long loses the end of its stem, so that its extension stays.
  package static func safe(_ bytes: [UInt8]) -> [UInt8]? {
    let segment = bytes[lastSegment(of: bytes) { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }]
    var name = trimmed(visible(segment)[...])
    guard let first = name.first else { return nil }
    if first == UInt8(ascii: ".") || first == UInt8(ascii: "-") || first == UInt8(ascii: "~") {
      name.insert(UInt8(ascii: "_"), at: 0)
    }
    name = shortened(name, to: limit)
    if isStateFile(name) { name = shortened(name, to: limit - 1) + [UInt8(ascii: "_")] }
    return name
  }

  /// Without what is removed from it. Most names are of visible ASCII, where that is nothing.
  private static func visible(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    if bytes.allSatisfy({ $0 >= .space && $0 < 0x7F }) { return Array(bytes) }
    var name: [UInt8] = []
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars where !isRemoved(scalar) {
      name += Array(scalar.utf8)
    }
    return name
  }

  private static func lastSegment(of path: [UInt8], endedBy isSeparator: (UInt8) -> Bool) -> Range<Int> {
    (path.lastIndex(where: isSeparator) ?? -1) + 1..<path.count
  }

  /// C0, DEL and C1 controls; marks and overrides of writing direction (U+202E hides `exe` before `gpj`), separators of
  /// lines, characters without width. U+200C and U+200D stay: Persian, Hindi and others are spelt with them.
  private static func isRemoved(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0...0x1F, 0x7F...0x9F: true
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E: true
    case 0x2028, 0x2029, 0x200B, 0x2060...0x206F, 0xFEFF: true
    default: false
    }
  }

  private static func trimmed(_ name: ArraySlice<UInt8>) -> [UInt8] {
    var rest = name.drop { $0 == .space }
    while let last = rest.last, last == .space || last == UInt8(ascii: ".") { rest.removeLast() }
    return Array(rest)
  }

  /// Cut between characters. An extension is what begins at the last dot, up to 16 bytes with it.
  private static func shortened(_ name: [UInt8], to limit: Int) -> [UInt8] {
    guard name.count > limit else { return name }
    let dot = name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex
    let fileExtension = name.count - dot <= 16 ? name[dot...] : []
    var end = limit - fileExtension.count
    while end > 0, name[end] & 0xC0 == 0x80 { end -= 1 }  // within a character
    return trimmed(name[..<end] + fileExtension)
  }

  /// A name that another download would use beside its own (`PartNames`). Without regard to case, as some file systems
  /// are.
  private static func isStateFile(_ name: [UInt8]) -> Bool {
    func ends(in suffix: String) -> Bool {
      let start = name.count - suffix.utf8.count
      return start >= 0 && name[start] == UInt8(ascii: ".") && name[start...].equalsIgnoringCase(suffix)
    }
    return ends(in: ".part") || ends(in: ".part.meta") || ends(in: ".part.tmp") || ends(in: ".part.new")
      || ends(in: ".part.old") || ends(in: ".part.lock")
  }
}
