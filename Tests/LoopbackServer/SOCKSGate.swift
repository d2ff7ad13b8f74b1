import Foundation

/// A SOCKS5 server in front of an origin (RFC 1928): every connection begins with its dialogue, and goes on with what the
/// server behind it speaks, wherever the client wanted to go.
///
///     let gate = SOCKSGate()
///     let server = try LoopbackServer(gate: gate) { … }
public final class SOCKSGate: ChannelMaker, Sendable {
  public enum Conduct: Sendable {
    case correct
    /// Lets in only whoever says this (RFC 1929).
    case requiring(user: String, password: String)
    /// Answers a request with this reply.
    case refusing(UInt8)
    /// Answers the greeting with these bytes, and closes.
    case answering([UInt8])
    /// Says nothing.
    case silent
  }

  private let conduct: Conduct
  private let behind: any ChannelMaker
  private let isDripping: Bool
  private let recorded = Guarded([String]())

  /// - Parameter behind: what is spoken once the dialogue is over; plain http if nothing is given.
  public init(_ conduct: Conduct = .correct, dripping: Bool = false, behind: (any ChannelMaker)? = nil) {
    self.conduct = conduct
    isDripping = dripping
    self.behind = behind ?? PlainChannelMaker()
  }

  /// What was asked for, such as `name files.test:80`, `address 127.0.0.1:80`, and before that `user alice:secret`.
  public var record: [String] { recorded.withLock { $0 } }

  public func accept(_ descriptor: Int32) -> (any Channel)? {
    guard let greeting = read(descriptor, 2), greeting[0] == 5,
      let methods = read(descriptor, Int(greeting[1])), logIn(descriptor, methods), open(descriptor)
    else { return nil }
    return behind.accept(descriptor)
  }

  private func logIn(_ descriptor: Int32, _ methods: [UInt8]) -> Bool {
    switch conduct {
    case .correct, .refusing: return write(descriptor, [5, 0])
    case .answering(let bytes):
      _ = write(descriptor, bytes)
      return false
    case .silent:
      while Socket.read(descriptor, upTo: 1_024) != nil {}
      return false
    case .requiring(let user, let password):
      guard methods.contains(2) else {
        _ = write(descriptor, [5, 0xFF])
        return false
      }
      guard write(descriptor, [5, 2]), read(descriptor, 1) == [1], let name = text(descriptor),
        let word = text(descriptor)
      else { return false }
      note("user \(name):\(word)")
      let isRight = name == user && word == password
      return write(descriptor, [1, isRight ? 0 : 1]) && isRight
    }
  }

  private func open(_ descriptor: Int32) -> Bool {
    guard let head = read(descriptor, 4), head[0...2].elementsEqual([5, 1, 0]) else { return false }
    let destination: String?
    switch head[3] {
    case 1: destination = read(descriptor, 4).map { "address " + $0.map(String.init).joined(separator: ".") }
    case 3: destination = text(descriptor).map { "name " + $0 }
    case 4:
      destination = read(descriptor, 16).map { "address " + $0.map { String($0, radix: 16) }.joined(separator: " ") }
    default: destination = nil
    }
    guard let destination, let port = read(descriptor, 2) else { return false }
    note("\(destination):\(Int(port[0]) << 8 | Int(port[1]))")
    guard case .refusing(let reply) = conduct else {
      return write(descriptor, [5, 0, 0, 3, 4] + Array("here".utf8) + [0, 9])  // bound to a name, as may be
    }
    _ = write(descriptor, [5, reply, 0, 1, 0, 0, 0, 0, 0, 0])
    return false
  }

  private func note(_ text: String) { recorded.withLock { $0.append(text) } }

  private func text(_ descriptor: Int32) -> String? {
    guard let count = read(descriptor, 1), let bytes = read(descriptor, Int(count[0])) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func read(_ descriptor: Int32, _ count: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    while bytes.count < count {
      guard let more = Socket.read(descriptor, upTo: count - bytes.count) else { return nil }
      bytes += more
    }
    return bytes
  }

  private func write(_ descriptor: Int32, _ bytes: [UInt8]) -> Bool {
    guard isDripping else { return bytes.withUnsafeBytes { Socket.write(descriptor, $0) } }
    for byte in bytes {
      guard [byte].withUnsafeBytes({ Socket.write(descriptor, $0) }) else { return false }
      usleep(500)
    }
    return true
  }
}
