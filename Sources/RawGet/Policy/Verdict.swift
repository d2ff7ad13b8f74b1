internal import HTTP1

/// What a download would do with the server's answer, in a code that stays the same when sentences change.
public enum Verdict: Equatable, Sendable {
  /// It would go on as it had planned to before it asked, for this reason.
  case planned(ResumeReason)
  /// The server sends the whole, of the representation that is here.
  case rangesIgnored
  /// The server has another representation than the part was begun from.
  case changed
  /// Everything is here.
  case complete
  /// What the server sends is something else.
  case loginPage

  /// Its word in docs/EVENTS.md, which stays the same.
  public var code: String {
    switch self {
    case .planned(let reason): reason.code
    case .rangesIgnored: "ranges-ignored"
    case .changed: "changed"
    case .complete: "complete"
    case .loginPage: "login-page"
    }
  }

  /// nil for an answer that is an error.
  init?(_ landing: Landing, planned reason: ResumeReason, _ context: Landing.Context, seen: Validator?) {
    let isChanged = if let known = context.known?.validator, let seen { known != seen } else { false }
    switch landing {
    case .append: self = .planned(reason)
    case .whole where isChanged, .notAContinuation where isChanged: self = .changed
    case .whole: self = context.asked == nil ? .planned(reason) : .rangesIgnored
    case .complete: self = .complete
    case .notAContinuation: self = .planned(.notContinued)
    case .notTheResource: self = .loginPage
    case .refused, .violation: return nil
    }
  }
}
