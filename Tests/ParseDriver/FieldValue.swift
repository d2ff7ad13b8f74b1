import Foundation
import HTTP1

/// What the most telling field of a message says. Of several the first in this order counts: when to come back, then
/// what the bytes are to be, then what they are called, then how many there are.
enum FieldValue {
  /// The field is there and must be ignored.
  case ignored
  case seconds(Int64)
  case date(HTTPDate)
  case entityTag(EntityTag)
  case digest(DigestResult)
  /// Of a 416.
  case completeLength(Int64?)

  init?(of message: Message, now: Int64) {
    let fields = message.head.fields
    /// A field whose lines differ is there, and says nothing.
    func read<Value>(_ name: FieldName, _ reading: ([UInt8]) -> Value?) -> Value?? {
      fields.contains(name) ? .some(fields.singleValue(of: name).flatMap(reading)) : .none
    }
    if let delay = read(.retryAfter, { RetryAfter(fieldValue: $0, now: now) }) {
      self = FieldValue(delay)
    } else if let result = DigestResult(of: message) {
      self = .digest(result)
    } else if let tag = read(.entityTag, { EntityTag(fieldValue: $0) }) {
      self = tag.map { .entityTag($0) } ?? .ignored
    } else if let date = read(.lastModified, { HTTPDate(fieldValue: $0, now: now) }) {
      self = date.map { .date($0) } ?? .ignored
    } else if message.head.status == 416 {
      self = .completeLength(read(.contentRange, { FieldValue.unsatisfiedLength($0) }) ?? nil)
    } else {
      return nil
    }
  }

  private init(_ delay: RetryAfter?) {
    switch delay {
    case .seconds(let seconds)?: self = .seconds(seconds)
    case .date(let date)?: self = .date(date)
    case nil: self = .ignored
    }
  }

  private static func unsatisfiedLength(_ fieldValue: [UInt8]) -> Int64? {
    guard case .unsatisfied(let length)? = ContentRange(fieldValue: fieldValue) else { return nil }
    return length
  }

  var json: Any {
    switch self {
    case .ignored: NSNull()
    case .seconds(let seconds): ["seconds": seconds]
    case .date(let date): ["epoch": date.secondsSince1970]
    case .entityTag(let tag):
      ["weak": tag.isWeak, "tag": tag.opaqueTag.dropFirst().dropLast().map { $0 }.latin1, "if_range": !tag.isWeak]
        as [String: Any]
    case .digest(let result): ["result": result.rawValue]
    case .completeLength(let length): ["complete_length": length.map { $0 as Any } ?? NSNull()]
    }
  }
}
