import HTTP1

/// An input that grows: a beginning, one text over and over, an end; and what must become of it at every size.
struct Load: Sendable {
  enum Group: String {
    /// What a server could send without end, in megabytes: read in flat memory, or refused at a bound.
    case flood
    /// Heads and trailer sections within their bounds, in kilobytes: read.
    case head
    /// The value of one field, as large as a head lets it be.
    case value
  }

  enum Expectation: Equatable {
    case read
    case refused(ProtocolError)
  }

  let name: String
  let group: Group
  let prefix: [UInt8]
  let unit: [UInt8]
  let suffix: [UInt8]
  let expectation: Expectation
  /// For `value`: whether the value was read as it should be.
  let reads: @Sendable ([UInt8]) -> Bool

  private init(
    _ name: String, _ group: Group, _ prefix: String, _ unit: String, _ suffix: String = "",
    _ expectation: Expectation = .read, reads: @escaping @Sendable ([UInt8]) -> Bool = { _ in true }
  ) {
    self.name = name
    self.group = group
    self.prefix = Array(prefix.utf8)
    self.unit = Array(unit.utf8)
    self.suffix = Array(suffix.utf8)
    self.expectation = expectation
    self.reads = reads
  }

  static func flood(
    _ name: String, after prefix: String = "", _ unit: String, refused error: ProtocolError? = nil
  ) -> Load {
    Load(name, .flood, prefix, unit, "", error.map { .refused($0) } ?? .read)
  }

  static func head(_ name: String, after prefix: String = "HTTP/1.1 204 x\r\n", _ unit: String) -> Load {
    Load(name, .head, prefix, unit, "\r\n")
  }

  static func value(
    _ name: String, _ prefix: String, _ unit: String, _ suffix: String = "",
    reads: @escaping @Sendable ([UInt8]) -> Bool
  ) -> Load {
    Load(name, .value, prefix, unit, suffix, .read, reads: reads)
  }

  /// How often the unit is repeated in an input of about `size` bytes.
  func repetitions(for size: Int) -> Int { max(1, (size - prefix.count - suffix.count) / unit.count) }

  static let all = floods + heads + values

  static func named(_ name: String) -> Load? { all.first { $0.name == name } }
}
