internal import HTTP1
internal import Posix

/// What a server says of a file, without its content.
package struct Probe: Sendable {
  package enum Ranges: Sendable {
    case yes
    case no
    case unknown

    package var word: String {
      switch self {
      case .yes: "yes"
      case .no: "no"
      case .unknown: "unknown"
      }
    }
  }

  /// Where redirects led.
  package let target: TargetURI
  package let status: Int
  /// Whether a HEAD said it all; else a GET of the first byte did.
  package let isByHead: Bool
  package let size: Int64?  // bytes
  package let ranges: Ranges
  /// Each as it was received.
  package let mediaType: [UInt8]?
  package let entityTag: [UInt8]?
  package let lastModified: [UInt8]?
  /// Strong enough to continue by.
  package let hasStrongValidator: Bool
  /// `ALGORITHM=HEX`
  package let digest: [UInt8]?
  /// What the file would be called.
  package let name: [UInt8]

  fileprivate init(_ answer: Answer, isByHead: Bool, size: Int64?, ranges: Ranges) {
    let fields = RepresentationFields(answer.head.fields)
    target = answer.target
    status = answer.head.status
    self.isByHead = isByHead
    self.size = size
    self.ranges = ranges
    mediaType = fields.mediaType
    entityTag = fields.entityTag
    lastModified = fields.lastModified
    hasStrongValidator = fields.validator(now: WallClock.secondsSince1970()) != nil
    digest = DigestField.strongest(ofRepresentationIn: answer.head.fields).map { Checksum($0).text }
    name = FileName.suggested(
      contentDisposition: answer.head.fields.value(of: .contentDisposition), target: answer.target)
  }
}

/// The head that answers a HEAD.
package struct HeadAnswer: Sendable {
  package let target: TargetURI
  package let status: Int
  /// A line each.
  package let text: [UInt8]
}

extension Inquiry {
  package mutating func head(_ request: DownloadRequest) throws(DownloadError) -> HeadAnswer {
    let answer = try ask(request, .head)
    return HeadAnswer(target: answer.target, status: answer.head.status, text: answer.head.text)
  }

  /// By HEAD; where that is refused, or leaves open how much there is or whether ranges are answered, by a GET of the
  /// first byte.
  package mutating func probe(_ request: DownloadRequest) throws(DownloadError) -> Probe {
    if let answer = try askByHead(request), StatusClass(answer.head.status) == .content,
      let size = answer.announcedLength, size > 0, let ranges = answer.announcedRanges
    {
      return Probe(answer, isByHead: true, size: size, ranges: ranges)
    }
    let answer = try ask(request, .get, RangeRequest(range: .closed(first: 0, last: 0), validator: nil))
    switch Reply(answer) {
    case .part(_, _, let total): return Probe(answer, isByHead: false, size: total, ranges: .yes)
    case .whole(let length): return Probe(answer, isByHead: false, size: length, ranges: length == 0 ? .unknown : .no)
    case .unsatisfied(0?): return Probe(answer, isByHead: false, size: 0, ranges: .yes)
    case .unsatisfied, .misplaced, .broken, .other: throw .refused(status: answer.head.status, retryAfter: nil)
    }
  }

  /// nil where the server breaks off instead of an answer, as some do at a method that they don't know.
  mutating func askByHead(_ request: DownloadRequest) throws(DownloadError) -> Answer? {
    do throws(DownloadError) { return try ask(request, .head) } catch {
      switch error {
      case .protocolViolation, .connectionLost: return nil
      default: throw error
      }
    }
  }
}

extension Answer {
  /// What `Accept-Ranges` says (RFC 9110 §14.3); nil when it says nothing of bytes.
  var announcedRanges: Probe.Ranges? {
    let members = head.fields.members(of: .acceptRanges)
    if members.contains(where: { $0.equalsIgnoringCase("bytes") }) { return .yes }
    return members.contains { $0.equalsIgnoringCase("none") } ? .no : nil
  }
}
