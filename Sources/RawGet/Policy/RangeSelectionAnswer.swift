internal import HTTP1

// Whether an answer is what was asked for, from its head before a byte of it is kept (RFC 9110 §14.4, §15.3.7, §15.5.17).
extension RangeSelection {
  enum Answer: Equatable {
    /// The next so many bytes of the range under way.
    case part(count: Int64)
    /// Ranges with a head of their own each, for `didReceivePart`.
    case parts(MultipartBoundary)
    /// Of another representation than what is here.
    case changed
    /// Everything, in place of what was asked for: this server has no ranges.
    case noRanges
    /// More than one answer is needed, and nothing says that the others will belong to this one.
    case unproven
    /// The representation has no byte of this range.
    case unsatisfiable(ByteRange, completeLength: Int64?)
    case refused(status: Int)
    case violation(ProtocolError)
  }

  /// The head of an answer to the request under way; `seen` is what it says of the representation.
  mutating func didReceiveHead(_ head: ResponseHead, framing: Framing, _ seen: Representation) -> Answer {
    if isComplete { return .violation(.invalidContentRange) }  // nothing was asked for
    switch StatusClass(head.status) {
    case .content: return answerWithEverything(seen)
    case .partialContent:
      let type = head.fields.singleValue(of: .contentType)
      if let type, RangeSelection.isMultipart(type) { return answerWithParts(type, seen) }
      return answerWithPart(head, framing: framing, seen)
    case .rangeNotSatisfiable: return answerWithNothing(head)
    case .redirection, .transient, .refusal: return .refused(status: head.status)
    }
  }

  private static func isMultipart(_ type: [UInt8]) -> Bool {
    let multipart = "multipart/byteranges"
    return type.prefix(multipart.utf8.count).equalsIgnoringCase(multipart)
  }

  /// A server may ignore a range (RFC 9110 §14.2). That does no harm where the range under way is everything, from its
  /// first byte on: some servers take `0-` for no range.
  private mutating func answerWithEverything(_ seen: Representation) -> Answer {
    let length = seen.fields.completeLength
    guard isSame(seen, completeLength: length) else { return .changed }
    guard let length, length > 0, received == 0, let extent = extent(of: wanted[index], in: length),
      extent == (0, length - 1)
    else { return .noRanges }
    return accept(0, length - 1, of: length, seen)
  }

  private mutating func answerWithPart(_ head: ResponseHead, framing: Framing, _ seen: Representation) -> Answer {
    guard let value = head.fields.singleValue(of: .contentRange),
      case .part(let first, let last, let completeLength)? = ContentRange(fieldValue: value)
    else { return .violation(.invalidContentRange) }
    if case .length(let length) = framing, length != last - first + 1 { return .violation(.invalidContentRange) }
    return accept(first, last, of: completeLength, seen)
  }

  /// One range, which may end early: then the rest is asked for.
  private mutating func accept(
    _ first: Int64, _ last: Int64, of completeLength: Int64?, _ seen: Representation
  ) -> Answer {
    if let answer = refuse(first, last, of: completeLength, seen) { return answer }
    let isEnd = extent(of: wanted[index], in: completeLength ?? self.completeLength)?.last == last
    guard isEnd && index + 1 == wanted.count || seen.validator != nil else { return .unproven }
    if askedEnd > index + 1 { areAskedAtOnce = false }  // this server answers one at a time
    remember(seen, completeLength)
    return .part(count: last - first + 1)
  }

  private mutating func answerWithParts(_ type: [UInt8], _ seen: Representation) -> Answer {
    guard askedEnd > index + 1 else { return .violation(.invalidContentRange) }  // RFC 9110 §15.3.7.2
    guard let boundary = MultipartBoundary(contentType: type) else { return .violation(.invalidMultipart) }
    guard isSame(seen, completeLength: completeLength) else { return .changed }
    guard askedEnd == wanted.count || seen.validator != nil else { return .unproven }
    remember(seen.withoutMediaType(), nil)  // it is that of the answer
    return .parts(boundary)
  }

  /// A part of an answer with several begins: it must be the next range that was asked for, and all of it. nil when it is.
  mutating func didReceivePart(first: Int64, last: Int64, completeLength: Int64?, _ seen: Representation) -> Answer? {
    guard index < askedEnd else { return .violation(.invalidContentRange) }
    if let answer = refuse(first, last, of: completeLength, seen) { return answer }
    guard extent(of: wanted[index], in: completeLength ?? self.completeLength)?.last == last else {
      return .violation(.invalidContentRange)
    }
    remember(seen, completeLength)
    return nil
  }

  /// What is wrong with a range that begins; nil when it is the next, or the beginning of it.
  private func refuse(
    _ first: Int64, _ last: Int64, of completeLength: Int64?, _ seen: Representation
  ) -> Answer? {
    guard isSame(seen, completeLength: completeLength) else { return .changed }
    let length = completeLength ?? self.completeLength
    guard let extent = extent(of: wanted[index], in: length), first == extent.first + received, last <= extent.last
    else {
      return .violation(.invalidContentRange)
    }
    // Said before anything is written, whichever way the server would say it.
    guard self.completeLength == nil, let length else { return nil }
    for range in wanted {
      if let extent = self.extent(of: range, in: length), extent.first > extent.last {
        return .unsatisfiable(range, completeLength: length)
      }
    }
    return nil
  }

  private func answerWithNothing(_ head: ResponseHead) -> Answer {
    var length: Int64?
    if let value = head.fields.singleValue(of: .contentRange),
      case .unsatisfied(let completeLength)? = ContentRange(fieldValue: value)
    {
      length = completeLength
    }
    if let length, let known = completeLength, length != known { return .changed }
    return .unsatisfiable(wanted[index], completeLength: length)
  }

  /// The answer belongs to the representation that is here, as far as its validator and a complete length say. Redirects
  /// may lead to another URI each time: there a date says nothing, and a tag only together with the length.
  private func isSame(_ seen: Representation, completeLength: Int64?) -> Bool {
    guard let known else { return true }
    guard known.validator == seen.validator, known.fields.contentCoding == seen.fields.contentCoding else {
      return false
    }
    if let length = known.fields.completeLength, let completeLength, length != completeLength { return false }
    if known.servedAt == seen.servedAt { return true }
    guard case .entityTag? = known.validator else { return false }
    return known.fields.completeLength != nil && completeLength != nil
  }

  private mutating func remember(_ seen: Representation, _ completeLength: Int64?) {
    let length = completeLength ?? self.completeLength
    known = (known ?? seen).with(completeLength: length)
  }
}
