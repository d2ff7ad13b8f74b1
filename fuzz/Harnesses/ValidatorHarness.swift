import HTTP1

extension Harness {
  /// Entity tags and strong validators: a section of field lines without the empty line at its end, then eight bytes of
  /// present time, in seconds since 1970.
  static let validator = Harness("validator") { input in
    var choices = Choices(input, count: 8)
    let now = choices.int64()
    guard let fields = Fields(section: choices.text + Array("\r\n\r\n".utf8)) else { return }
    let lines = fields.inText
    let tags = lines.filter { $0.name.isNaively("etag") }.map(\.value)
    let parsed = tags.compactMap { EntityTag(fieldValue: $0) }
    for tag in parsed {
      try require(EntityTag(fieldValue: tag.fieldValue) == tag, "\(tag) does not read back")
      try require(tags.contains(tag.fieldValue), "\(tag) stands nowhere")
      for other in parsed {
        let isSame = tag.fieldValue == other.fieldValue && tag.fieldValue.first == UInt8(ascii: "\"")
        try require(tag.provesSameBytes(as: other) == isSame, "\(tag), \(other)")
      }
    }
    guard let validator = Validator(strong: fields, now: now) else { return }
    switch validator {
    case .entityTag(let tag):
      try require(!tag.isWeak && tags.allSatisfy { $0 == tag.fieldValue }, "a strong tag, the same in all lines")
      try require(validator.fieldValue == tags.first, "If-Range has the tag as it came")
    case .lastModified(let modified):
      try require(tags.isEmpty, "a date counts only where no entity tag is")
      let values = lines.filter { $0.name.isNaively("last-modified") }.map(\.value)
      try require(values.allSatisfy { $0 == validator.fieldValue } && !values.isEmpty, "the date as it came")
      let dates = lines.filter { $0.name.isNaively("date") }.compactMap { HTTPDate(fieldValue: $0.value, now: now) }
      let age = (dates.first?.secondsSince1970 ?? Int64.min) - modified.secondsSince1970
      try require(age >= 60, "modified only \(age) seconds before it was sent")
    }
  }
}
