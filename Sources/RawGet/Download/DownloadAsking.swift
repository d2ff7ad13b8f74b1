internal import HTTP1
internal import Posix

// What an attempt asks for, after what is here.
extension Download {
  /// What the plan says to ask for.
  mutating func asking() -> Attempt.Asking {
    if let ranges = selection?.nextRequest() { return .selected(ranges) }
    guard let part = sink?.part else { return askingForStream() }
    switch ResumePlan(state(of: part), options.resume, continuationRefused: continuationRefused) {
    case .fresh, .whole: return .everything
    case .range(let plan) where plan.needsSamples:
      if samples == nil { samples = PrefixCheck(length: plan.overlapped, recorded: representation?.fields) }
      if !options.onlyExplains, let range = samples?.next {
        return .sample(RangeRequest(range: range, validator: samples?.seen?.validator))
      }
      let sampled = RangePlan(
        overlapped: plan.overlapped, exact: nil, validator: samples?.seen?.validator, needsSamples: false,
        reason: plan.reason)
      return .rest(sampled)
    case .range(let plan): return .rest(plan)
    }
  }

  /// What went into a stream can't be compared: only an exact continuation is of use. Memory can, with the whole.
  private func askingForStream() -> Attempt.Asking {
    guard keptBefore > 0, order.isPlain, let representation, let validator = representation.validator,
      let servedAt = representation.servedAt, sink?.memory == nil || !continuationRefused
    else { return .everything }
    return .rest(
      RangePlan(
        overlapped: keptBefore, exact: RangePlan.Exact(target: servedAt, offset: keptBefore), validator: validator,
        needsSamples: false, reason: .resume))
  }
}
