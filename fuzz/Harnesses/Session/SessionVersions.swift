/// What a server says to tell one version of its resource from another.
enum SessionValidators: Int, CaseIterable {
  case strongTag, strongDate, weakTag, recentDate, none
  /// A strong tag that stays when the file changes, which it does only between processes.
  case falseTag

  static let date = "Date: Mon, 30 Nov 2026 10:00:00 GMT"
  static let now: Int64 = 1_800_000_000  // 15 January 2027, in seconds since 1970

  /// Nothing but compared bytes can tell versions apart.
  var areSilent: Bool { self == .none || self == .falseTag }

  var areStrong: Bool { self == .strongTag || self == .strongDate || self == .falseTag }

  func fields(_ number: Int) -> [String] {
    switch self {
    case .strongTag: ["ETag: \"\(number)\""]
    case .weakTag: ["ETag: W/\"\(number)\""]
    case .strongDate: [SessionValidators.date, "Last-Modified: Sat, 21 Mar 2026 09:30:0\(number) GMT"]
    case .recentDate: [SessionValidators.date, "Last-Modified: Mon, 30 Nov 2026 09:59:5\(number) GMT"]
    case .falseTag: [#"ETag: "always""#]
    case .none: []
    }
  }
}

/// One version of the resource. No two have other bytes under an equal strong validator, except `falseTag`'s: nobody could
/// notice. Where only compared bytes can tell them apart, every byte differs from the first that does.
struct SessionVersion {
  let content: [UInt8]
  let fields: [String]
  let isStrong: Bool

  /// Five bytes of the script: length, then for two more versions from where on each differs (0: there is none) and by how
  /// much it is longer (below 128) or shorter.
  static func all(_ validators: SessionValidators, differsInTwoBytes: Bool, _ script: inout Script) -> [SessionVersion]
  {
    let size = script.byte()
    // From 200 on it is so long that samples are taken where there is no validator.
    let content = noise(size < 200 ? size : 80_000 + 700 * (size - 200), kind: 0)
    var contents = [content]
    for mask in [0x55, 0xAA] as [UInt8] {
      let (place, change) = (script.byte(), script.byte())
      guard place > 0 else { continue }
      var other = content
      if change < 128 { other += noise(change % 41, kind: 1) } else { other.removeLast(min(change % 41, other.count)) }
      let first = (place - 1) * other.count / 254
      if differsInTwoBytes && !validators.areSilent && first < other.count {
        // One alone would not do: put together between the two, a mixture of both is neither.
        for index in [first, other.count - 1] { other[index] ^= mask }
      } else {
        for index in first..<other.count { other[index] ^= mask }
      }
      if !contents.contains(other) { contents.append(other) }
    }
    return contents.enumerated().map { number, content in
      SessionVersion(content: content, fields: validators.fields(number), isStrong: validators.areStrong)
    }
  }

  /// Bytes of which no run repeats, so that a byte in a wrong place shows. One sequence for each `kind` from 0 to 2.
  static func noise(_ count: Int, kind: Int) -> [UInt8] { Array(sequences[kind][..<count]) }

  private static let sequences = (0..<3).map { kind in
    var state = UInt64(kind)
    return (0..<120_000).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 56)
    }
  }
}
