/// What names a representation strongly enough to continue it with `If-Range` (RFC 9110 §8.8, §13.1.5).
public indirect enum Validator: Equatable, Sendable {
  case entityTag(EntityTag)
  /// Strong only because the response was made long enough after it.
  case lastModified(HTTPDate)

  /// A date with a resolution of one second can hide a second change within it; after this long it can't,
  /// clocks that differ a little included (RFC 9110 §8.8.2.2).
  static let settlingTime: Int64 = 60  // seconds

  /// The strong validator of a response, if it has one. A weak entity tag proves nothing about bytes, and says
  /// that the server knows of changes it does not count: then the date is not used either.
  public init?(strong fields: Fields, now: Int64) {
    func value(_ name: FieldName) -> [UInt8]? { fields.contains(name) ? fields.singleValue(of: name) ?? [] : nil }
    self.init(
      entityTag: value(.entityTag), lastModified: value(.lastModified), date: value(.date), now: now)
  }

  /// From field values; nil for a field that is not there, any other value for one that must not be used.
  public init?(entityTag: [UInt8]?, lastModified: [UInt8]?, date: [UInt8]?, now: Int64) {
    if let entityTag {
      guard let tag = EntityTag(fieldValue: entityTag), !tag.isWeak else { return nil }
      self = .entityTag(tag)
      return
    }
    guard let lastModified, let date, let modified = HTTPDate(fieldValue: lastModified, now: now),
      let made = HTTPDate(fieldValue: date, now: now),
      made.secondsSince1970 >= modified.secondsSince1970 + Validator.settlingTime,
      modified.fieldValue == lastModified
    else { return nil }
    self = .lastModified(modified)
  }

  /// The value of `If-Range`.
  public var fieldValue: [UInt8]? {
    switch self {
    case .entityTag(let tag): tag.fieldValue
    case .lastModified(let date): date.fieldValue
    }
  }
}
