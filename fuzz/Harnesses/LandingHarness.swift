import HTTP1

@testable import RawGet

/// `ResumePlan` and `Landing`: what is asked for compares what it must, and an answer is appended exactly when the rules of
/// docs/RESUME.md, said once more in `LandingRule`, say so.
///
/// The input is the head that the part was begun with (or an empty line, for a part without a record), the head of the
/// answer, and the decisions: bytes kept (three bytes), bytes of them that are not trusted, overlap, flags, and how far
/// before the end was asked from if no plan says so.
extension Harness {
  static let landing = Harness("landing") { input in
    var choices = Choices(input, count: 7)
    var rest = choices.text[...]
    let known = rest.first == .lf ? nil : LandingHead(&rest)
    if known == nil { rest = rest.drop { $0 == .lf } }
    guard let answer = LandingHead(&rest) else { return }
    let kept = Int64(choices.byte()) << 16 | Int64(choices.byte()) << 8 | Int64(choices.byte())
    let setting = LandingSetting(kept: kept, known: known, &choices)
    try requirePlanned(setting)
    let context = setting.context
    let landing = Landing(of: answer.head, framing: answer.framing, context)
    try LandingRule(answer, context, known).require(landing)
  }
}

/// A response head, read as it would be.
struct LandingHead {
  let head: ResponseHead
  let framing: Framing

  /// Takes it from the front of `bytes`.
  init?(_ bytes: inout ArraySlice<UInt8>) {
    var reader = ResponseReader(answering: .get)
    guard let step = try? reader.didReceive(Array(bytes).span), let head = reader.head else { return nil }
    bytes = bytes.dropFirst(step.taken)
    self.head = head
    framing = reader.framing
  }
}

/// What is here when the answer comes.
struct LandingSetting {
  static let now: Int64 = 1_800_000_000  // January 2027
  let state: PartState
  let options: ResumeOptions
  let target: TargetURI?
  let isRedirected: Bool
  let context: Landing.Context

  init(kept: Int64, known: LandingHead?, _ choices: inout Choices) {
    let untrusted = Int64(choices.byte())
    var options = ResumeOptions()
    options.overlap = Int64(choices.byte())
    self.options = options
    let flags = choices.byte()
    target = try? TargetURI(text: Array("http://example.org/x".utf8))
    isRedirected = flags & 1 == 1
    let wasServedHere = flags & 2 == 2
    var representation: Representation?
    if let known, let target {
      let served = Representation(of: known.head, framing: known.framing, at: target, now: LandingSetting.now)
      representation = wasServedHere ? served : Representation(recorded: served.fields, now: LandingSetting.now)
    }
    state = PartState(
      length: kept, trusted: max(kept - untrusted, 0), known: representation, isSameTarget: flags & 4 == 0)
    var asked: RangeRequest?
    if case .range(let plan) = ResumePlan(state, options, continuationRefused: flags & 8 == 8), let target {
      asked = plan.request(at: target, redirected: isRedirected)
    }
    let back = Int64(choices.byte())
    if flags & 16 == 16, kept > 0 {
      asked = RangeRequest(range: .from(max(kept - back, 0)), validator: representation?.validator)
    }
    context = Landing.Context(
      kept: kept, asked: asked, known: representation, isSampled: flags & 32 == 32, isOtherTarget: flags & 4 == 4,
      now: LandingSetting.now)
  }
}

/// What a plan may ask for: nothing is continued that is not compared, or named by a validator that was seen in this run.
private func requirePlanned(_ setting: LandingSetting) throws {
  let (state, target) = (setting.state, setting.target)
  let plan = ResumePlan(state, setting.options, continuationRefused: false)
  try require((plan == .fresh) == (state.length == 0), "a part is passed over, or asked after where none is")
  guard case .range(let plan) = plan, let target else { return }
  try require(plan.overlapped >= 0 && plan.overlapped < state.trusted, "nothing that is trusted is compared")
  try require(plan.needsSamples == (plan.validator == nil), "samples, and only they, stand in for a validator")
  try require(plan.validator == state.known?.validator, "another validator than the known one")
  if let exact = plan.exact {
    try require(exact.offset == state.length && state.trusted == state.length, "not the end of what is trusted")
    try require(exact.target == state.known?.servedAt && state.isSameTarget, "served elsewhere")
  }
  if plan.needsSamples {
    var end: Int64 = 0
    for case .closed(let first, let last) in PrefixSamples.ranges(of: plan.overlapped) {
      try require(first > end - 1 && first > 0 && last - first + 1 == PrefixSamples.size, "samples that overlap")
      end = last + 1
    }
    try require(end <= plan.overlapped, "a sample beyond what is trusted")
  }
  guard let asked = plan.request(at: target, redirected: setting.isRedirected) else { return }
  let isExact = plan.exact?.target == target
  try require(isExact || asked.offset == plan.overlapped, "asked from elsewhere")
  if case .lastModified? = asked.validator {
    try require(isExact || !setting.isRedirected, "a date names nothing behind a redirect")
  }
}
