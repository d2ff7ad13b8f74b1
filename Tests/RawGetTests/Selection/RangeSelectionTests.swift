import HTTP1
import Testing

@testable import RawGet

/// What is asked for next, from what has come.
struct RangeSelectionTests {
  private typealias Answers = SelectionAnswers

  // MARK: What can be wanted

  struct TextRow: Sendable {
    let text: String
    let ranges: [ByteRange]?  // nil: refused
  }

  static let texts = [
    TextRow(text: "0-0", ranges: [.closed(first: 0, last: 0)]),
    TextRow(
      text: "5-9,100-,-7,5-9",
      ranges: [.closed(first: 5, last: 9), .from(100), .suffix(length: 7), .closed(first: 5, last: 9)]
    ),
    TextRow(text: "0-9223372036854775806", ranges: [.closed(first: 0, last: 9_223_372_036_854_775_806)]),
  ]

  static let refusedTexts = [
    "", "-", ",", "0-1,", ",0-1", "0-1,,2-3", "9-5", "-0", "5", "a-b", "0-1-2", "--5", "bytes=0-1", "0 -1", "0-1, 2-3",
    "+0-1", "-1-5", "0-9223372036854775807", "0-99999999999999999999", "9223372036854775807-", "0x0-0x1",
  ].map { TextRow(text: $0, ranges: nil) }

  @Test(arguments: texts + refusedTexts) func readsTexts(_ row: TextRow) {
    #expect(WantedRanges(text: Array(row.text.utf8))?.ranges == row.ranges, "\(row.text)")
  }

  @Test func theirNumberIsBounded() {
    let most = [ByteRange](repeating: .from(1), count: WantedRanges.limit)
    #expect(WantedRanges(most) != nil)
    #expect(WantedRanges(most + [.from(1)]) == nil)
    #expect(WantedRanges([]) == nil)
    #expect(WantedRanges([.closed(first: -1, last: 5)]) == nil, "from a caller's code, where a text could not say it")
  }

  // MARK: What is asked for

  @Test func oneAfterAnother() throws {
    var selection = try #require(RangeSelection("0-99,200-,-50"))
    #expect(selection.asks() == ["bytes=0-99", ""])
    try selection.receive(Answers.part("0-99/1000"))
    #expect(selection.totalLength == 950)
    #expect(selection.asks() == ["bytes=200-", #""a""#])
    try selection.receive(Answers.part("200-999/1000"))
    #expect(selection.asks() == ["bytes=-50", #""a""#])
    try selection.receive(Answers.part("950-999/1000"))
    #expect(selection.asks() == [] && selection.isComplete && selection.position == 950)
  }

  @Test("T3: only what is missing is asked for", arguments: [1, 40, 49] as [Int64])
  func theRest(_ count: Int64) throws {
    for (text, answer, rest) in [
      ("100-149", "100-149/1000", "bytes=\(100 + count)-149"), ("100-5000", "100-999/1000", "bytes=\(100 + count)-999"),
      ("950-", "950-999/1000", "bytes=\(950 + count)-"), ("-50", "950-999/1000", "bytes=\(950 + count)-999"),
    ] {
      var selection = try #require(RangeSelection(text))
      try selection.receive(Answers.part(answer), count)
      #expect(selection.asks() == [rest, #""a""#], "\(text)")
    }
  }

  @Test func aShortAnswerIsGoneOnWith() throws {
    var selection = try #require(RangeSelection("0-99"))
    for (first, count) in [(0, 30), (30, 69), (99, 1)] {
      try selection.receive(Answers.part("\(first)-\(first + count - 1)/1000"))
    }
    #expect(selection.isComplete)
  }

  @Test("T9: what no validator names begins again") func beginsAgain() throws {
    var selection = try #require(RangeSelection("0-99"))
    try selection.receive(Answers.part("0-99/1000", []), 40)
    #expect(!selection.isContinuable)
    #expect(selection.asks() == ["bytes=0-99", ""])
    #expect(selection.position == 0 && selection.mostReceived == 40 && !selection.hasProgressed)
    try selection.receive(Answers.part("0-99/1000", []), 41)
    #expect(selection.hasProgressed, "more than before")
  }

  @Test func nothingIsMixedWithNothing() throws {
    var selection = try #require(RangeSelection("0-99,200-"))
    try selection.receive(Answers.part("0-99/1000"), 0)
    #expect(selection.asks() == ["bytes=0-99", ""], "no byte has come: any version will do")
  }

  @Test func allAtOnce() throws {
    var selection = try #require(RangeSelection("0-99,200-,-50", atOnce: true))
    #expect(selection.asks() == ["bytes=0-99,200-,-50", ""])
    _ = try selection.ask(Answers.parts())
    let seen = try #require(selection.known)
    #expect(selection.didReceivePart(first: 0, last: 99, completeLength: 1_000, seen) == nil)
    selection.didReceive(100)
    #expect(selection.didReceivePart(first: 200, last: 999, completeLength: 1_000, seen) == nil)
    selection.didReceive(10)
    #expect(selection.asks() == ["bytes=210-,-50", #""a""#], "the rest, the same way")
    try selection.receive(Answers.part("210-999/1000"))
    #expect(selection.asks() == ["bytes=-50", #""a""#])
  }

  @Test func moreThanServersTakeAreAskedForInTurns() throws {
    let text = (0..<401).map { "\($0)-\($0)" }.joined(separator: ",")
    var selection = try #require(RangeSelection(text, atOnce: true))
    for count in [200, 200, 1] {
      let next = selection.nextRequest()
      let request = try #require(next)
      #expect(request.others.count + 1 == count)
      if count == 1 { break }
      _ = try selection.ask(Answers.parts())
      let seen = try #require(selection.known)
      for _ in 0..<count {
        let place = selection.position
        #expect(selection.didReceivePart(first: place, last: place, completeLength: 1_000, seen) == nil)
        selection.didReceive(1)
      }
    }
    var anonymous = try #require(RangeSelection(text, atOnce: true))
    #expect(try anonymous.ask(Answers.parts([])) == .unproven, "the others would not belong to these")
  }

  // MARK: Never mixed

  /// Any ranges of a file that changes at any time, answered in short and broken pieces: what has come is the beginning of
  /// the ranges of one version, and at the end it is all of them.
  @Test func isOfOneVersion() throws {
    var restarts = 0
    for seed in 0..<2_000 {
      var story = try SelectionStory(seed: UInt64(seed))
      let ending = try story.tell()
      #expect(ending == story.expected(upTo: ending.count), "seed \(seed)")
      #expect(ending.count == story.expected().count, "seed \(seed): it comes to an end")
      restarts += story.restarts
    }
    #expect(restarts > 200, "versions changed on the way")
  }
}
