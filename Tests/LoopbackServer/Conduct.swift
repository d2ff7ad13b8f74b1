/// How an origin departs from a correct answer; as made, it doesn't.
public struct Conduct: Sendable {
  public enum Ending: Sendable { case close, closeWithoutNotify, reset, stall }
  public enum Framing: Sendable { case contentLength, chunked, untilClose }

  public init() {}

  /// Content bytes of this response after which `ending` comes.
  public var dropsAfter: Int64?
  public var ending = Ending.reset

  public var framing = Framing.contentLength

  /// Answers 200 with everything, whatever was asked.
  public var ignoresRange = false

  /// Answers 206 although the validator differs.
  public var ignoresIfRange = false

  /// Answers a range with one that starts so many bytes later (earlier, if negative), in honest numbers.
  public var shiftsRange: Int64 = 0

  /// Content bytes of the longest answer to a range; a server may send less than it is asked for.
  public var longestPart: Int64?

  /// Where it waits after the first piece of the content, of 64 KiB at most.
  public var gate: Gate?

  /// Ends the connection behind the answer, whether or not it says so in a field.
  public var closesAfterwards = false

  /// Sent before the answer, line ends included.
  public var interim = ""

  /// In place of the right values.
  public var contentRange: String?
  public var contentLength: String?
  public var status: String?

  /// Field lines besides the usual ones, without line ends.
  public var fields: [String] = []

  /// Those that depend on the content of the answer.
  public var fieldsOfContent: (@Sendable ([UInt8]) -> [String])?

  public static let correct = Conduct()

  public static func dropping(after count: Int64, _ ending: Ending = .reset) -> Conduct {
    var conduct = Conduct()
    conduct.dropsAfter = count
    conduct.ending = ending
    return conduct
  }
}
