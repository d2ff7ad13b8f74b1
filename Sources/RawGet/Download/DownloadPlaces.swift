internal import HTTP1
internal import Posix

// Blocks from several places at once, where a digest of the whole decides (docs/MIRRORS.md).
extension Download {
  /// Where lanes may go: the present place, and others if their bytes can be told to belong together.
  func places(_ attempt: Attempt, _ known: Representation, _ now: Instant) -> [LanePlace] {
    let own = LanePlace(attempt, known, number: mirrors.presentNumber, now: now)
    guard options.connections != .exactly(1), canRecordMix(with: known) else { return [own] }
    return [own]
      + mirrors.besides(digestDecides: digests.decides).map { LanePlace($0.target, number: $0.number, now: now) }
  }

  /// A part whose record can't say that it is a mix must not become one.
  private func canRecordMix(with known: Representation) -> Bool {
    guard let part = sink?.part else { return true }
    var record = record(of: known, for: part)
    record.mixedUnder = digests.deciding
    return record.serialized() != nil
  }

  /// The content of another place follows. What its fields say of the whole counts nothing; what they say of their own
  /// message does. The record says that the part is a mix before the first such byte is in it.
  mutating func expectMix(_ head: ResponseHead, of place: LanePlace) throws(DownloadError) {
    digests.expectMessage(head.fields)
    response.place = place.number
    guard mixedUnder == nil else { return }
    guard let digest = digests.deciding else { throw .notAContinuation }
    mixedUnder = digest
    guard let part = sink?.part, let representation else { return }
    let record = record(of: representation, for: part)
    if part.record != record { try part.write(record) }
  }

  /// Whether the sample is what is kept there. What went into a stream can't be compared.
  func isHere(_ sample: [UInt8], at range: Range<Int64>) throws(DownloadError) -> Bool {
    guard let part = sink?.part else { return true }
    return try part.countOfEqual(sample.span, at: range.lowerBound) == sample.count
  }

  mutating func tell(_ news: [RangeTransfer.News]) {
    for item in news {
      switch item {
      case .joined(let place): events.append(.joined(place.target))
      case .left(let place, let error):
        mirrors.didFail(at: place.number)
        events.append(.left(place.target, after: error))
      case .heads(let request, let response):
        events.append(.requested(head: request))
        events.append(.responded(head: response.text))
      }
    }
  }
}
