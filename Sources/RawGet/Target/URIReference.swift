internal import HTTP1

/// A URI or relative reference cut into its components, nothing decoded (RFC 3986 §3, §4.1, appendix B). The fragment is
/// dropped: it never leaves the client (RFC 9110 §4.2.5).
struct URIReference {
  /// For the text of a target URI before and after encoding.
  static let limit = 65_536  // bytes

  /// Without its colon. nil also when what precedes the first colon is no scheme.
  let scheme: ArraySlice<UInt8>?

  /// Without its slashes.
  let authority: ArraySlice<UInt8>?

  let path: ArraySlice<UInt8>

  /// Without its question mark. Empty is not absent.
  let query: ArraySlice<UInt8>?

  /// Blanks around the text belong to whoever pasted or sent it, not to the reference; those inside are encoded later.
  init(_ text: [UInt8]) throws(TargetURIError) {
    guard text.count <= URIReference.limit else { throw .tooLong(limit: URIReference.limit) }
    let kept = trimmingBlanks(text.span, in: text.indices)
    for position in kept where text[position] < 0x20 || text[position] == 0x7F {
      throw .controlCharacter(offset: position)
    }
    let slash = UInt8(ascii: "/")
    func first(in range: Range<Int>, _ isSought: (UInt8) -> Bool) -> Int {
      range.first { isSought(text[$0]) } ?? range.upperBound
    }
    let end = first(in: kept) { $0 == UInt8(ascii: "#") }
    let endOfPath = first(in: kept.lowerBound..<end) { $0 == UInt8(ascii: "?") }
    query = endOfPath < end ? text[(endOfPath + 1)..<end] : nil

    var start = kept.lowerBound
    let endOfName = first(in: start..<endOfPath) { $0 == UInt8(ascii: ":") || $0 == slash }
    if endOfName < endOfPath, text[endOfName] != slash, URIReference.isScheme(text[start..<endOfName]) {
      scheme = text[start..<endOfName]
      start = endOfName + 1
    } else {
      scheme = nil
    }

    if start + 1 < endOfPath, text[start] == slash, text[start + 1] == slash {
      let endOfAuthority = first(in: start + 2..<endOfPath) { $0 == slash }
      authority = text[start + 2..<endOfAuthority]
      path = text[endOfAuthority..<endOfPath]
    } else {
      authority = nil
      path = text[start..<endOfPath]
    }
  }

  /// A first segment that could be mistaken for a scheme makes a relative reference invalid (RFC 3986 §4.2).
  var hasColonInFirstSegment: Bool {
    path.prefix { $0 != UInt8(ascii: "/") }.contains(UInt8(ascii: ":"))
  }

  /// True for `example.org:8080/file`, whose host reads like a scheme: only digits follow, up to the path.
  var looksLikeHostAndPort: Bool {
    let digits = path.prefix { $0.isDigit }
    return authority == nil && !digits.isEmpty
      && (digits.count == path.count || path[digits.endIndex...].first == UInt8(ascii: "/"))
  }

  private static func isScheme(_ name: ArraySlice<UInt8>) -> Bool {
    guard let first = name.first, first.isLetter else { return false }
    return name.allSatisfy {
      $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
    }
  }

  /// `remove_dot_segments` (RFC 3986 §5.2.4) for a path that begins with a slash, in one pass. `%2e` is a segment like
  /// any other: decoding it could change what the path names.
  static func removingDotSegments(_ path: [UInt8]) -> [UInt8] {
    let slash = UInt8(ascii: "/")
    let mayHaveSome = path.indices.dropFirst().contains { path[$0] == UInt8(ascii: ".") && path[$0 - 1] == slash }
    if path.first == slash && !mayHaveSome { return path }
    var result: [UInt8] = []
    result.reserveCapacity(path.count)
    let segments = path.dropFirst().split(separator: slash, omittingEmptySubsequences: false)
    for (position, segment) in zip(segments.indices, segments) {
      let isLast = position == segments.endIndex - 1
      if segment.elementsEqual("..".utf8) {
        while let byte = result.popLast(), byte != slash {}
        if isLast { result.append(slash) }
      } else if segment.elementsEqual(".".utf8) {
        if isLast { result.append(slash) }
      } else {
        result.append(slash)
        result += segment
      }
    }
    return result
  }
}
