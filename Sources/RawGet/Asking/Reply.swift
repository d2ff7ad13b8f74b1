internal import HTTP1

/// An answer to a request for a range, as far as it matters where its bytes belong (RFC 9110 §14, §15.3.7).
enum Reply: Equatable {
  /// 206. Positions are included; `total` is nil where the server does not tell the complete length.
  case part(first: Int64, last: Int64, total: Int64?)
  /// 206 without numbers that fit each other and the content.
  case misplaced
  /// 200, `length` bytes as far as that is said.
  case whole(length: Int64?)
  /// 416
  case unsatisfied(total: Int64?)
  case other(status: Int)
  /// No answer came.
  case broken

  init(_ answer: Answer) {
    let fields = answer.head.fields
    let range = fields.singleValue(of: .contentRange).flatMap { ContentRange(fieldValue: $0) }
    switch answer.head.status {
    case 206:
      guard case .part(let first, let last, let total)? = range else {
        self = .misplaced
        return
      }
      let count = last - first + 1
      let isFitting = answer.isWhole ? answer.received == count : answer.framing == .length(count)
      self = isFitting ? .part(first: first, last: last, total: total) : .misplaced
    case 416:
      if case .unsatisfied(let total)? = range {
        self = .unsatisfied(total: total)
      } else {
        self = .unsatisfied(total: nil)
      }
    case let status where StatusClass(status) == .content: self = .whole(length: answer.announcedLength)
    case let status: self = .other(status: status)
    }
  }
}
