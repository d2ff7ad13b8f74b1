#if !TLS
  // The same interface where TLS was left out: making a context or a digest fails, so nothing else here is ever
  // reached.

  public final class TLSContext {
    public init(_ configuration: TLSConfiguration) throws(TLSError) { throw .notBuilt }
  }

  public struct TLSSession: ~Copyable {
    public init(
      _ context: TLSContext, descriptor: Int32, inside outer: consuming TLSSession? = nil, host: [UInt8],
      isAddress: Bool, port: UInt16
    ) throws(TLSError) { throw .notBuilt }

    public mutating func handshake() throws(TLSError) -> TLSProgress { throw .notBuilt }
    public mutating func receive(into bytes: inout MutableSpan<UInt8>) throws(TLSError) -> TLSReceived {
      throw .notBuilt
    }
    public mutating func send(_ bytes: Span<UInt8>) throws(TLSError) -> TLSSent { throw .notBuilt }
    public mutating func close() {}
    public mutating func absorbIdle() -> Bool { false }
    public var holdsBytes: Bool { false }
    public var isResumed: Bool { false }
    public var summary: [UInt8] { [] }
  }

  public final class MessageDigest {
    public init(_ algorithm: DigestAlgorithm) throws(TLSError) { throw .notBuilt }

    public func update(_ bytes: Span<UInt8>) {}
    public func copy() throws(TLSError) -> MessageDigest { throw .notBuilt }
    public func finalize() -> [UInt8] { [] }
  }
#endif
