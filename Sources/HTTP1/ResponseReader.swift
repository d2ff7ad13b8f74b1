/// Reads one response off a connection, however its bytes arrive: interim heads, the final head, the content,
/// the end (RFC 9112 §4 to §8). It owns no descriptor and copies no content.
///
///     head ──1xx──▶ head        (at most 100 in a row)
///       └──final──▶ content ──last byte──▶ complete
///     any state ──a rule is broken──▶ failed, and stays so
///
/// Show it what arrived, from where it stopped, until it wants more:
///
///     var taken = 0
///     reading: while true {
///       let step = try reader.didReceive(input.extracting(taken...))
///       taken += step.taken
///       switch step.event { … }
///     }
public struct ResponseReader: ~Copyable {
  static let interimLimit = 100  // heads in a row

  public enum Event: Equatable, Sendable {
    /// All that was shown is taken.
    case needsMore
    /// `head` is there, and `framing` says how its content ends.
    case head
    /// These bytes of what was shown are content.
    case content(Range<Int>)
    /// The message has ended; what follows what was taken is not part of it.
    case complete
  }

  public struct Step: Equatable, Sendable {
    /// Bytes taken from the front of what was shown.
    public let taken: Int
    public let event: Event
  }

  /// How a connection ended.
  public enum ConnectionEnd: Sendable {
    /// FIN, or close_notify under TLS.
    case orderly
    /// A reset, or a TLS stream without close_notify.
    case abrupt
  }

  private enum State {
    case head
    case length
    case chunked
    case untilClose
    case complete
    case failed(ProtocolError)
  }

  private let method: RequestMethod
  private var state = State.head
  private var headReader = ResponseHeadReader()
  private var lengthDelimited = LengthDelimitedContent(length: 0)
  private var chunkedContent = ChunkedContent()
  /// Of the interim heads so far, at most 100.
  package private(set) var interimStatuses: [Int] = []
  var interimCount: Int { interimStatuses.count }

  /// The final head, once it is complete.
  public private(set) var head: ResponseHead?
  public private(set) var framing = Framing.none
  /// Bytes of this response were seen: a request on a reused connection without any may be sent again (RFC 9112 §9.3.1).
  public private(set) var hasBegun = false

  /// `method` is that of the request which is answered.
  public init(answering method: RequestMethod) { self.method = method }

  /// Whether the connection may carry another request once the message is complete, as far as the message says
  /// (RFC 9112 §9.3). False with Transfer-Encoding and Content-Length together (RFC 9112 §6.1).
  public var allowsPersistence: Bool {
    guard case .complete = state, let head else { return false }
    switch framing {
    case .untilClose, .tunnel: return false
    case .chunked: return head.allowsPersistence && !head.fields.contains(.contentLength)
    case .none, .length: return head.allowsPersistence
    }
  }

  /// Trailer fields of chunked content: to be shown, never acted on.
  public var trailers: Fields { chunkedContent.trailers }

  /// Takes from the front of `input` up to the next event. After an error every call throws it again.
  public mutating func didReceive(_ input: Span<UInt8>) throws(ProtocolError) -> Step {
    do throws(ProtocolError) {
      return try advance(input)
    } catch {
      state = .failed(error)
      throw error
    }
  }

  private mutating func advance(_ input: Span<UInt8>) throws(ProtocolError) -> Step {
    if !input.isEmpty { hasBegun = true }
    switch state {
    case .head: return try readHead(input)
    case .length:
      let taken = lengthDelimited.didReceive(count: input.count)
      return contentStep(0..<taken, taken: taken, isComplete: lengthDelimited.isComplete)
    case .chunked:
      var taken = 0
      let range = try chunkedContent.didReceive(input, at: &taken)
      return contentStep(range ?? 0..<0, taken: taken, isComplete: chunkedContent.isComplete)
    case .untilClose:
      return contentStep(0..<input.count, taken: input.count, isComplete: false)
    case .complete: return Step(taken: 0, event: .complete)
    case .failed(let error): throw error
    }
  }

  private mutating func contentStep(_ range: Range<Int>, taken: Int, isComplete: Bool) -> Step {
    if !range.isEmpty { return Step(taken: taken, event: .content(range)) }
    if isComplete { state = .complete }
    return Step(taken: taken, event: isComplete ? .complete : .needsMore)
  }

  private mutating func readHead(_ input: Span<UInt8>) throws(ProtocolError) -> Step {
    var taken = 0
    while let head = try headReader.didReceive(input, at: &taken) {
      headReader = ResponseHeadReader()
      guard head.isInterim else {
        try begin(head)
        return Step(taken: taken, event: .head)
      }
      guard head.status != 101 else { throw .unexpectedUpgrade }
      guard interimCount < ResponseReader.interimLimit else {
        throw .tooManyInterimResponses(limit: ResponseReader.interimLimit)
      }
      interimStatuses.append(head.status)
    }
    return Step(taken: taken, event: .needsMore)
  }

  private mutating func begin(_ head: ResponseHead) throws(ProtocolError) {
    framing = try Framing(of: head, answering: method)
    self.head = head
    switch framing {
    case .none, .tunnel: state = .complete
    case .length(let length):
      lengthDelimited = LengthDelimitedContent(length: length)
      state = .length
    case .chunked: state = .chunked
    case .untilClose: state = .untilClose
    }
  }

  /// The connection ended. Returns when that leaves a whole message, throws what is missing otherwise,
  /// and again at every call after that.
  public mutating func connectionDidEnd(_ end: ConnectionEnd) throws(ProtocolError) {
    do throws(ProtocolError) {
      try requireWhole(after: end)
      state = .complete
    } catch {
      state = .failed(error)
      throw error
    }
  }

  private func requireWhole(after end: ConnectionEnd) throws(ProtocolError) {
    switch state {
    case .head: throw hasBegun ? .incompleteHead : .noResponse
    case .length: try lengthDelimited.connectionDidEnd()
    case .chunked: try chunkedContent.connectionDidEnd()
    case .untilClose:
      guard case .orderly = end else { throw .unprovenEnd }
    case .complete: return
    case .failed(let error): throw error
    }
  }
}
