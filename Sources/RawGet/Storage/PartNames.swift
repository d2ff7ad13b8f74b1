/// The names that a download of `final` uses beside it; `FileName.limit` leaves room for the longest.
struct PartNames: Equatable {
  let final: [UInt8]
  /// The content so far.
  let part: [UInt8]
  /// What is known of it.
  let record: [UInt8]
  /// A record under construction.
  let newRecord: [UInt8]
  /// A part under construction that will replace one whose representation is gone.
  let newPart: [UInt8]
  /// The part that was replaced, until the new one is complete.
  let oldPart: [UInt8]
  /// Who writes the part, where locks exclude nobody.
  let claim: [UInt8]
  /// Content that was whole and failed its digest.
  let bad: [UInt8]

  init(_ final: [UInt8]) {
    self.final = final
    part = final + Array(".part".utf8)
    record = part + Array(".meta".utf8)
    newRecord = part + Array(".tmp".utf8)
    newPart = part + Array(".new".utf8)
    oldPart = part + Array(".old".utf8)
    claim = part + Array(".lock".utf8)
    bad = final + Array(".bad".utf8)
  }
}
