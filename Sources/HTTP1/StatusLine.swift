/// `HTTP-version SP status-code SP [ reason-phrase ]` (RFC 9112 §4).
public struct StatusLine: Equatable, Sendable {
  /// 1.x: the digit after the point.
  public let minorVersion: UInt8
  /// 100 to 999. Above 599 it counts as a server error (RFC 9110 §15).
  public let status: Int
  /// For people only; any bytes but CR, LF and NUL.
  public let reason: [UInt8]

  /// Granted beyond the grammar: a missing reason may take its SP with it.
  init(_ line: Span<UInt8>) throws(ProtocolError) {
    let prefix = "HTTP/".utf8
    var position = 0
    for byte in prefix {
      guard position < line.count, line[position] == byte else { throw .notHTTP }
      position += 1
    }
    guard position < line.count, line[position].isDigit else { throw .invalidStatusLine }
    guard line[position] == UInt8(ascii: "1") else { throw .unsupportedVersion }
    guard line.count >= 12, line[6] == UInt8(ascii: "."), line[7].isDigit, line[8] == .space else {
      throw .invalidStatusLine
    }
    var status = 0
    for index in 9..<12 {
      guard line[index].isDigit else { throw .invalidStatusLine }
      status = status * 10 + Int(line[index] &- 0x30)
    }
    guard status >= 100, line.count == 12 || line[12] == .space else { throw .invalidStatusLine }
    minorVersion = line[7] &- 0x30
    self.status = status
    reason = line.count > 13 ? bytes(of: line, in: 13..<line.count) : []
  }
}

/// A copy of a part of `span`.
package func bytes(of span: Span<UInt8>, in range: Range<Int>) -> [UInt8] {
  [UInt8](capacity: range.count) { output in
    for index in range { output.append(span[index]) }
  }
}
