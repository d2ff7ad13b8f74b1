internal import Posix

/// What a download does at present, for those who watch it.
public enum DownloadPhase: Sendable {
  /// No response is known yet.
  case connecting
  /// What is kept is compared with the response.
  case comparing
  /// Content is kept as it comes, or what is whole is given its name.
  case receiving
  /// What is kept is read for its digest.
  case verifying
  /// The next attempt follows after so long.
  case waiting(Duration)
}

extension Download {
  /// What it does now; `connecting` after its end.
  public var phase: DownloadPhase {
    switch stage {
    case .starting, .finished: return .connecting
    case .pausing(let until): return .waiting(until - .now())
    case .concluding: return .receiving
    case .attempting:
      guard attempt?.head != nil else { return .connecting }
      guard let sink, sink.length > 0 else { return .receiving }
      if samples?.current != nil { return .comparing }
      if digests.isBehind(sink), sink.length - sink.position <= EventLoop.bufferCapacity { return .verifying }
      return candidate == nil ? .receiving : .comparing
    }
  }

  /// Connections that are in use for it.
  public var connectionCount: Int { transfer?.openCount ?? (attempt?.hasConnection == true ? 1 : 0) }
}
