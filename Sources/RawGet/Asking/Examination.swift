internal import HTTP1
internal import Posix

extension Inquiry {
  /// How often the same is asked on new connections: machines behind one name may differ. With the questions before
  /// them that makes 11 requests at most.
  private static let repetitions = 4

  /// Asks for parts of the file in the ways that a resume depends on.
  ///
  /// - Throws: when nothing can be said, since not even the first byte is answered.
  package mutating func examine(_ request: DownloadRequest) throws(DownloadError) -> Diagnosis {
    var seen = Observations(requestCount: 2)
    if let head = try askByHead(request) {
      seen.head = Observations.Announcement(
        status: head.head.status, length: head.announcedLength, saysRanges: head.announcedRanges)
    }
    let first = try ask(request, .get, Inquiry.byte(at: 0))
    seen.first = Reply(first)
    if case .other(let status) = seen.first { throw .refused(status: status, retryAfter: nil) }
    let fields = first.head.fields
    let validator = Validator(strong: fields, now: WallClock.secondsSince1970())
    seen.hasStrongValidator = validator != nil
    seen.keepsAlive = first.isOnReusedConnection
    seen.hasDigest = DigestField.strongest(ofRepresentationIn: fields) != nil
    seen.fields.append(RepresentationFields(fields))
    if case .part(_, _, let total) = seen.first { askForParts(request, validator, total, &seen) }
    for _ in 0..<Inquiry.repetitions {
      forgetConnections()
      _ = look(request, Inquiry.byte(at: 0), &seen)
    }
    return Diagnosis(of: seen, target: first.target)
  }

  private mutating func askForParts(
    _ request: DownloadRequest, _ validator: Validator?, _ total: Int64?, _ seen: inout Observations
  ) {
    if let total, total > 2 { seen.middle = look(request, Inquiry.byte(at: total / 2), &seen) }
    seen.suffix = look(request, RangeRequest(range: .suffix(length: 1), validator: nil), &seen)
    if let total { seen.pastEnd = look(request, RangeRequest(range: .from(total), validator: nil), &seen) }
    if let validator { seen.underItsValidator = look(request, Inquiry.byte(at: 0, if: validator), &seen) }
    if let stale = EntityTag(fieldValue: Array("\"rawget-doctor\"".utf8)) {
      seen.underAnother = look(request, Inquiry.byte(at: 0, if: .entityTag(stale)), &seen)
    }
  }

  private static func byte(at position: Int64, if validator: Validator? = nil) -> RangeRequest {
    RangeRequest(range: .closed(first: position, last: position), validator: validator)
  }

  /// One of the later questions: that it fails is an observation as well.
  private mutating func look(_ request: DownloadRequest, _ range: RangeRequest, _ seen: inout Observations) -> Reply {
    seen.requestCount += 1
    guard let answer = try? ask(request, .get, range) else { return .broken }
    if answer.isOnReusedConnection { seen.keepsAlive = true }
    let reply = Reply(answer)
    switch reply {
    case .part, .whole: seen.fields.append(RepresentationFields(answer.head.fields))
    case .misplaced, .unsatisfied, .other, .broken: break
    }
    return reply
  }
}
