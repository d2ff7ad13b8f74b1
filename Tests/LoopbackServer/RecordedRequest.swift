/// A request as it arrived, for the script to answer and the test to inspect.
public struct RecordedRequest: Sendable, CustomStringConvertible {
  /// Counted from 1 over all connections of the server.
  public let number: Int

  /// The connection that brought it, counted from 1.
  public let connection: Int

  /// From the method to the empty line, byte for byte.
  public let head: [UInt8]

  public let method: String
  public let target: String
  public let version: String

  /// Field lines in the order sent, names as sent.
  public let fields: [(name: String, value: String)]

  init(number: Int, connection: Int, head: [UInt8]) {
    self.number = number
    self.connection = connection
    self.head = head
    let lines = String(decoding: head, as: UTF8.self).split(whereSeparator: \.isNewline)
    let words = (lines.first ?? "").split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    method = words.first ?? ""
    target = words.dropFirst().first ?? ""
    version = words.dropFirst(2).joined(separator: " ")
    fields = lines.dropFirst().map { line in
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let value = parts.count > 1 ? parts[1] : ""
      return (String(parts[0]), String(value.trimmingPrefix { $0 == " " }))
    }
  }

  /// The values of every line of this name, in any case.
  public func values(_ name: String) -> [String] {
    fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
  }

  /// The value of the only line of this name; nil if there is none, or more than one.
  public func field(_ name: String) -> String? {
    let all = values(name)
    return all.count == 1 ? all[0] : nil
  }

  /// The closed range that is asked for, its end excluded; nil for anything else in `Range`.
  public var closedRange: Range<Int64>? {
    guard let value = field("Range"), value.hasPrefix("bytes=") else { return nil }
    let bounds = value.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
    guard bounds.count == 2, let first = Int64(bounds[0]), let last = Int64(bounds[1]), first <= last else {
      return nil
    }
    return first..<last + 1
  }

  public var description: String { String(decoding: head, as: UTF8.self) }
}
