import Testing

@testable import RawGet

/// What a final status means (RFC 9110 §15): S2-6, T4.
struct StatusClassTests {
  /// Every status there can be has exactly one meaning; whatever is in no list is a refusal.
  static let meanings: [(statuses: [Int], meaning: StatusClass)] = [
    (Array(200...203) + Array(207...299), .content),
    ([206], .partialContent),
    ([301, 302, 303, 307, 308], .redirection),
    ([416], .rangeNotSatisfiable),
    ([408, 425, 429, 500, 502, 503, 504], .transient),
  ]

  @Test("S2-6 T4: a truth table for every status") func every() {
    for status in 200...999 {
      let meaning = Self.meanings.first { $0.statuses.contains(status) }?.meaning ?? .refusal
      #expect(StatusClass(status) == meaning, "\(status)")
    }
  }

  static let refusals = [
    (204, "a success without content"), (205, "the same"), (300, "a choice for people"), (304, "nothing was asked if"),
    (305, "a proxy that nobody chose"), (306, "unused"), (400, "our fault"), (401, "credentials"), (403, "no"),
    (404, "nothing there"), (407, "a proxy's credentials"), (410, "gone"), (413, "nothing was sent"),
    (451, "for legal reasons"), (501, "GET is not optional"), (505, "no better version to offer"), (599, "the last"),
    (600, "beyond the classes"), (999, "the last of three digits"),
  ]

  @Test(arguments: refusals) func refuses(_ status: Int, because: String) {
    #expect(StatusClass(status) == .refusal, "\(because)")
  }
}
