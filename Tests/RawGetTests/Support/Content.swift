import LoopbackServer

/// Stands for bytes in expectations: equal bytes, equal contents, and a failure fits on a line.
struct Content: Equatable, CustomStringConvertible, CustomReflectable {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }
  init(_ text: String) { bytes = Array(text.utf8) }

  var description: String {
    let digest = SHA256()
    digest.update(bytes)
    return "\(bytes.count) bytes \(digest.finish().prefix(12))"
  }
}

extension Content {
  /// A failed expectation looks into its values: byte by byte that takes minutes.
  var customMirror: Mirror { Mirror(self, children: []) }
}

extension Resource {
  var content: Content { Content(bytes) }
  func content(in range: Range<Int64>) -> Content { Content(bytes(in: range)) }
}

extension Folder {
  /// nil if there is no such file.
  func content(of name: String) -> Content? { bytes(of: name).map { Content($0) } }
}
