internal import HTTP1

/// The fields that describe a representation, as they were received or recorded.
struct RepresentationFields: Equatable {
  var entityTag: [UInt8]?
  var lastModified: [UInt8]?
  var date: [UInt8]?
  var mediaType: [UInt8]?
  /// A range of another coding is a range of other bytes.
  var contentCoding: [UInt8]?
  /// Bytes; nil while it is not known.
  var completeLength: Int64?

  /// Several lines that differ describe nothing: such a field becomes an empty value, which no validator has.
  init(_ fields: Fields) {
    func value(_ name: FieldName) -> [UInt8]? {
      fields.singleValue(of: name) ?? (fields.contains(name) ? [] : nil)
    }
    entityTag = value(.entityTag)
    lastModified = value(.lastModified)
    date = value(.date)
    mediaType = value(.contentType)
    contentCoding = value(.contentEncoding)
  }

  /// Both say something of themselves that can't be said of one representation, weak validators included.
  func contradicts(_ other: RepresentationFields) -> Bool {
    func differ<Value: Equatable>(_ left: Value?, _ right: Value?) -> Bool {
      guard let left, let right else { return false }
      return left != right
    }
    if differ(completeLength, other.completeLength) || differ(entityTag, other.entityTag) { return true }
    // Servers that share an entity tag may well have stored it at different times.
    let isTagged = entityTag != nil && other.entityTag != nil
    return !isTagged && differ(lastModified, other.lastModified)
  }

  func validator(now: Int64) -> Validator? {
    Validator(entityTag: entityTag, lastModified: lastModified, date: date, now: now)
  }
}

/// What is known of the representation that the kept bytes belong to.
///
/// Many ask for it and few change it: what it says is in one place, and a change makes another.
final class Representation: Equatable {
  let fields: RepresentationFields
  /// The strong validator; nil means that a continuation must be compared.
  let validator: Validator?
  /// Where it was served in this run, redirects followed; nil when it is known from a record only.
  let servedAt: TargetURI?

  /// As described by a response.
  init(of head: ResponseHead, framing: Framing, at target: TargetURI, now: Int64) {
    var fields = RepresentationFields(head.fields)
    if case .length(let length) = framing, head.status != 206 { fields.completeLength = length }
    self.fields = fields
    validator = fields.validator(now: now)
    servedAt = target
  }

  private init(_ fields: RepresentationFields, _ validator: Validator?, servedAt: TargetURI?) {
    self.fields = fields
    self.validator = validator
    self.servedAt = servedAt
  }

  static func == (left: Representation, right: Representation) -> Bool {
    left.fields == right.fields && left.validator == right.validator && left.servedAt == right.servedAt
  }

  func with(completeLength: Int64?) -> Representation {
    if completeLength == fields.completeLength { return self }
    var fields = fields
    fields.completeLength = completeLength
    return Representation(fields, validator, servedAt: servedAt)
  }

  func withoutMediaType() -> Representation {
    var fields = fields
    fields.mediaType = nil
    return Representation(fields, validator, servedAt: servedAt)
  }

  /// The same, seen again in `answer`: what that leaves out was said before.
  func confirmed(by answer: Representation) -> Representation {
    var fields = fields
    fields.entityTag = fields.entityTag ?? answer.fields.entityTag
    fields.lastModified = fields.lastModified ?? answer.fields.lastModified
    fields.date = answer.fields.date ?? fields.date
    return Representation(fields, validator ?? answer.validator, servedAt: answer.servedAt)
  }

  /// As an earlier run recorded it.
  init(recorded fields: RepresentationFields, now: Int64) {
    self.fields = fields
    validator = fields.validator(now: now)
    servedAt = nil
  }
}
