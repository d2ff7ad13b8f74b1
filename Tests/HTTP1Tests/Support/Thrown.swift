@testable import HTTP1

/// The rule that `body` finds broken; nil if none. (`#expect(throws:)` takes no values that can't be copied.)
func thrown<Result>(_ body: () throws(ProtocolError) -> Result) -> ProtocolError? {
  do throws(ProtocolError) {
    _ = try body()
    return nil
  } catch { return error }
}
