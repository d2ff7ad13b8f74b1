@testable import HTTP1

/// A valid response made of random parts, and the outcome that it must have.
struct RandomResponse {
  private(set) var bytes: [UInt8] = []
  private(set) var expected = Outcome()
  private(set) var method = RequestMethod.get
  private(set) var end: ResponseReader.ConnectionEnd?

  private var generator: SeededGenerator
  private var lineEnd: [UInt8] = []
  private var minorVersion = 1

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    for _ in 0..<(generator.isOne(in: 4) ? Int.random(in: 1...3, using: &generator) : 0) { addInterimResponse() }
    addHead()
    addContent()
    addSurplus()
    expected.isComplete = true
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

  private mutating func addLine(_ line: String) {
    lineEnd = generator.isOne(in: 6) ? [.lf] : [.cr, .lf]
    bytes += HTTP1Tests.bytes(line) + lineEnd
  }

  private mutating func addInterimResponse() {
    addLine("HTTP/1.1 10\([0, 2, 3, 9][number(0...3)]) x")
    if generator.isOne(in: 2) { _ = addFields(count: number(1...3)) }
    addLine("")
    expected.interimCount += 1
  }

  private mutating func addHead() {
    minorVersion = generator.isOne(in: 4) ? 0 : 1
    let status = [200, 206, 404, 503, 204, 304][number(0...5)]
    method = generator.isOne(in: 8) ? .head : .get
    let reason = text(generator.bytes(count: 0...9, from: HTTP1Tests.bytes("aZ \t:\"\u{E9}")))
    expected.status = status
    expected.reason = reason
    addLine("HTTP/1.\(minorVersion) \(status) \(reason)")
    expected.fields = addFields(count: number(0...6))
    addFramingField(hasContent: method == .get && status != 204 && status != 304)
    expected.fields += addFields(count: number(0...3))
    addLine("")
  }

  /// Field lines with names that mean nothing, some of them folded; returns what they read as.
  private mutating func addFields(count: Int) -> [String] {
    (0..<count).map { _ in
      let name = "X-" + text(generator.bytes(count: 0...8, from: HTTP1Tests.bytes("abcXYZ09-_!~")))
      let words = (0..<number(0...3)).map { _ in
        text(generator.bytes(count: 1...9, from: HTTP1Tests.bytes("az09,;=\"()/:\u{80}\u{FF}")))
      }
      let isFolded = words.count > 1 && generator.isOne(in: 3)
      let gap = isFolded ? [" \r\n ", "\n\t", "\r\n \t\r\n  "][number(0...2)] : " "
      addLine(name + ":" + ["", " ", "\t  "][number(0...2)] + words.joined(separator: gap) + ["", " "][number(0...1)])
      return name + ": " + words.joined(separator: " ")
    }
  }

  private mutating func addFramingField(hasContent: Bool) {
    let length = number(0...300)
    switch (number(0...2), minorVersion) {
    case (0, 1):
      addNamed(["Transfer-Encoding: chunked", "transfer-encoding:CHUNKED"][number(0...1)])
      expected.framing = .chunked
      expected.allowsPersistence = true
    case (0...1, _):
      addNamed("Content-Length: \(length)")
      expected.framing = .length(Int64(length))
      expected.allowsPersistence = minorVersion == 1
    default:
      expected.framing = .untilClose
      end = hasContent ? .orderly : nil
    }
    if !hasContent {
      expected.framing = .none
      expected.allowsPersistence = minorVersion == 1
    }
    if generator.isOne(in: 6) {
      addNamed("Connection: \(["close", "x, Close"][number(0...1)])")
      expected.allowsPersistence = false
    }
  }

  private mutating func addNamed(_ line: String) {
    addLine(line)
    let parts = line.split(separator: ":")
    expected.fields.append(parts[0] + ": " + parts[1].drop { $0 == " " })
  }

  private mutating func addContent() {
    switch expected.framing {
    case .none, .tunnel: return
    case .length(let length): addContent(count: Int(length))
    case .untilClose: addContent(count: number(0...300))
    case .chunked:
      for _ in 0..<number(0...4) { addChunk(count: number(1...100)) }
      bytes += HTTP1Tests.bytes(["0", "000"][number(0...1)] + [";last", "\t", ""][number(0...2)] + "\r\n")
      expected.trailers = generator.isOne(in: 3) ? addFields(count: number(1...3)) : []
      addLine("")
    }
  }

  private mutating func addChunk(count: Int) {
    let size = String(count, radix: 16, uppercase: generator.isOne(in: 2))
    let more = ["", "", " ", ";a", ";a=b;c", ";a=\"\\\"\"", " ; a = \"b;\t\""][number(0...6)]
    bytes += HTTP1Tests.bytes(size + more + "\r\n")
    addContent(count: count)
    bytes += [.cr, .lf]
  }

  private mutating func addContent(count: Int) {
    let content = generator.bytes(count: count...count, from: HTTP1Tests.bytes("a0\r\n\u{0}\u{FF}:"))
    bytes += content
    expected.content += content
  }

  private mutating func addSurplus() {
    guard expected.framing != .untilClose, generator.isOne(in: 5) else { return }
    bytes += HTTP1Tests.bytes("HTTP/1.1 200 x\r\n\r\n")
    expected.leftoverCount = 18
  }
}
