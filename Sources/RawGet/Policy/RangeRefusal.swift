/// What the failure of a request for the first bytes alone says about ranges: some servers fail at the sight of one, and
/// the same bytes can be had without. Pure.
enum RangeRefusal: Equatable {
  /// A status that a range can bring about: the same is asked for without one at once. A step of the plan, no attempt.
  case said
  /// Again the connection was closed on the request, and no answer came: an attempt has failed, and the next ones do
  /// without a range.
  case suspected

  private static let statuses = [400, 405, 406, 412, 500, 501]

  /// nil for a failure that has nothing to do with the range.
  ///
  /// - Parameters:
  ///   - isAnswered: the head of an answer was there.
  ///   - fruitless: attempts in a row that failed before this one.
  init?(_ error: DownloadError, isAnswered: Bool, fruitless: Int) {
    switch error {
    case .refused(let status, _) where isAnswered && RangeRefusal.statuses.contains(status): self = .said
    case _ where !isAnswered && fruitless > 0 && error.leavesUnanswered: self = .suspected
    default: return nil
    }
  }
}

extension DownloadError {
  /// The request went out, and what came is no answer.
  fileprivate var leavesUnanswered: Bool {
    switch self {
    case .connectionLost, .tls(.connection), .timedOut(.response): true
    case .protocolViolation(.noResponse), .protocolViolation(.incompleteHead): true
    default: false
    }
  }
}
