internal import HTTP1
internal import Posix

/// Who knows what a request for a block says, and how a connection is made: the walk that found the representation.
struct LaneAsker {
  let attempt: Attempt
  let request: DownloadRequest
  let options: DownloadOptions

  /// The head of a request for the block, if the representation is still the one that its validator names.
  func head(for block: Range<Int64>, _ validator: Validator?) throws(DownloadError) -> [UInt8] {
    let range = RangeRequest(
      range: .closed(first: block.lowerBound, last: block.upperBound - 1), validator: validator)
    return try attempt.head(of: request, asking: range, options)
  }

  func refusal(_ head: ResponseHead) -> DownloadError {
    attempt.refusal(head.status, retryAfter: head.fields.retryDelay(now: WallClock.secondsSince1970()))
  }

  var route: Route { Route(to: attempt.target.origin, options) }
}
