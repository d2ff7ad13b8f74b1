/// How many connections one download may use at a time (`-x`).
public enum ConnectionChoice: Equatable, Sendable {
  /// 1 to `limit`; what lies outside counts as the nearest.
  case exactly(Int)
  /// As many as help, beginning with one: see `LaneCount`.
  case automatic

  /// More are no faster where the server is fair, and unfair where it is not.
  public static let limit = 32

  /// How many that can come to.
  var most: Int {
    switch self {
    case .exactly(let count): min(max(count, 1), ConnectionChoice.limit)
    case .automatic: LaneCount.automaticLimit
    }
  }
}
