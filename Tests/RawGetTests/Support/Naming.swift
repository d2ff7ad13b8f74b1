@testable import RawGet

extension DownloadResult {
  var summary: DownloadSummary? {
    guard case .complete(let summary) = self else { return nil }
    return summary
  }

  var failure: DownloadFailure? {
    guard case .failed(let failure) = self else { return nil }
    return failure
  }

  /// `complete`, or the name of the error.
  var name: String { failure.map { RawGetTests.name(of: $0.error) } ?? "complete" }
}

/// The cases of an error, outer ones first: `timedOut.content`, `protocolViolation.incompleteHead`.
func name(of error: Any) -> String {
  let mirror = Mirror(reflecting: error)
  guard mirror.displayStyle == .enum else { return "" }
  guard let child = mirror.children.first, let label = child.label else { return "\(error)" }
  let inner = name(of: child.value)
  return inner.isEmpty ? label : label + "." + inner
}

extension DownloadEvent {
  var interruption: (error: DownloadError, delay: Duration)? {
    guard case .interrupted(let error, let delay) = self else { return nil }
    return (error, delay)
  }
}
