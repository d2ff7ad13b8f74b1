/// The names that a download of `final` uses beside it; `FileName.limit` leaves room for the longest. Made when they are
/// asked for: a thousand downloads would keep seven of them each.
struct PartNames: Equatable {
  let final: [UInt8]

  init(_ final: [UInt8]) { self.final = final }

  /// The content so far.
  var part: [UInt8] { final + Array(".part".utf8) }
  /// What is known of it.
  var record: [UInt8] { final + Array(".part.meta".utf8) }
  /// A record under construction.
  var newRecord: [UInt8] { final + Array(".part.tmp".utf8) }
  /// A part under construction that will replace one whose representation is gone.
  var newPart: [UInt8] { final + Array(".part.new".utf8) }
  /// The part that was replaced, until the new one is complete.
  var oldPart: [UInt8] { final + Array(".part.old".utf8) }
  /// Who writes the part, where locks exclude nobody.
  var claim: [UInt8] { final + Array(".part.lock".utf8) }
  /// Content that was whole and failed its digest.
  var bad: [UInt8] { final + Array(".bad".utf8) }
}
