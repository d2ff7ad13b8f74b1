internal import HTTP1

/// How much has come of the ranges that a caller wants, and what to ask for next. Pure.
///
///     nextRequest ─▶ (an answer is judged: RangeSelectionAnswer.swift) ─▶ didReceive … ─▶ nextRequest or complete
///          ▲                └── of another representation ──▶ restart ──┐
///          └────────────────────────────────────────────────────────────┘
///
/// Answers are put together only where one strong validator and one complete length stand in all of them. Content that
/// no validator names can't be continued: it is asked for again, from the first range on.
struct RangeSelection: Equatable {
  /// More are asked for in several requests: Apache answers a request for more than 200 with everything.
  static let atOnceLimit = 200  // ranges in one request

  let wanted: [ByteRange]
  /// Several go into one request, as long as the server answers them so.
  var areAskedAtOnce: Bool
  /// The range under way: all before it are here.
  private(set) var index = 0
  /// What has come of that.
  private(set) var received: Int64 = 0  // bytes
  /// What has come of all of them: the next byte for the sink.
  private(set) var position: Int64 = 0  // bytes
  /// What had come before it was begun again.
  private var mostBefore: Int64 = 0  // bytes
  /// The ranges before this one were asked for by the request under way.
  private(set) var askedEnd = 0
  /// What the first answer said of the representation; its complete length, once an answer says that.
  var known: Representation?

  init(_ wanted: WantedRanges) {
    self.wanted = wanted.ranges
    areAskedAtOnce = wanted.areAskedAtOnce
  }

  var isComplete: Bool { index == wanted.count }
  /// What is here can be gone on with.
  var isContinuable: Bool { known?.validator != nil || position == 0 }
  /// More has come than ever before.
  var hasProgressed: Bool { position > mostBefore }
  /// The most that has come so far.
  var mostReceived: Int64 { max(position, mostBefore) }
  var completeLength: Int64? { known?.fields.completeLength }

  /// Bytes of all ranges together; nil while that is not known, and for more than can be counted.
  var totalLength: Int64? {
    guard let completeLength else { return nil }
    var total: Int64 = 0
    for range in wanted {
      guard let extent = extent(of: range, in: completeLength), extent.first <= extent.last else { return nil }
      let (sum, overflow) = total.addingReportingOverflow(extent.last - extent.first + 1)
      if overflow { return nil }
      total = sum
    }
    return total
  }

  /// First and last byte of a range, cut off at the end of the representation; nil while they depend on a complete length
  /// that is not known. The last is before the first where nothing of the range is there.
  func extent(of range: ByteRange, in completeLength: Int64?) -> (first: Int64, last: Int64)? {
    switch range {
    case .closed(let first, let last): (first, min(last, (completeLength ?? .max) - 1))
    case .from(let first): completeLength.map { (first, $0 - 1) }
    case .suffix(let length): completeLength.map { (max($0 - length, 0), $0 - 1) }
    }
  }

  /// What to ask for next; nil when everything is here. Of a range that broke off only the rest is asked for.
  mutating func nextRequest() -> RangeRequest? {
    if isComplete { return nil }
    if !isContinuable { restart() }
    if position == 0 { known = nil }  // nothing is here that another representation could be mixed with
    let others = areAskedAtOnce ? wanted.dropFirst(index + 1).prefix(RangeSelection.atOnceLimit - 1) : []
    askedEnd = index + 1 + others.count
    return RangeRequest(range: rest, validator: known?.validator, others: Array(others))
  }

  /// What is missing of the range under way.
  private var rest: ByteRange {
    let range = wanted[index]
    guard received > 0, let extent = extent(of: range, in: completeLength) else { return range }
    if case .from(let first) = range { return .from(first + received) }
    return .closed(first: extent.first + received, last: extent.last)
  }

  /// Content of the range under way has come, at most to its end.
  mutating func didReceive(_ count: Int64) {
    guard !isComplete, let extent = extent(of: wanted[index], in: completeLength) else { return }
    received += count
    position += count
    guard received > extent.last - extent.first else { return }
    index += 1
    received = 0
  }

  /// Nothing of what has come is of use, or it is no longer here.
  mutating func restart() {
    mostBefore = mostReceived
    index = 0
    received = 0
    position = 0
    known = nil
  }
}
