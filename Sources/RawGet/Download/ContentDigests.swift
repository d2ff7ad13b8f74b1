internal import HTTP1
internal import Posix
internal import TLS

/// Digests that the content must have, computed as it passes: the caller's, and those that the server's fields name
/// (RFC 9530). Bytes of an earlier run are read once.
struct ContentDigests {
  /// A digest over the file, and how much of it went in.
  private final class Running {
    let checksum: Checksum
    var digest: MessageDigest
    var count: Int64 = 0  // bytes

    init(_ checksum: Checksum) throws(TLSError) {
      self.checksum = checksum
      digest = try MessageDigest(checksum.algorithm)
    }
  }
  private var ofCaller: Checksum?
  /// The caller's, and those that the server said of the representation that is kept.
  private var wanted: [Checksum] = []
  private var running: [Running] = []
  /// Over the content of the message under way alone (RFC 9530 §2).
  private var message: Running?
  /// What was verified, as `ALGORITHM=HEX`.
  private(set) var verified: [UInt8]?
  private(set) var allVerified: [[UInt8]] = []

  var isVerified: Bool { verified != nil }

  /// What is wanted of the whole proves it, whoever sends it.
  var decides: Bool { wanted.contains { !$0.isWeak } }

  /// The first of those that decide, as it stands in a record.
  var deciding: [UInt8]? { wanted.first { !$0.isWeak }?.text }

  /// Whether that is one of those that decide.
  func decide(by text: [UInt8]) -> Bool { wanted.contains { !$0.isWeak && $0.text == text } }

  /// A response says by its fields that it is not what is wanted.
  func contradict(_ fields: Fields) -> Bool {
    guard let digest = DigestField.strongest(ofRepresentationIn: fields) else { return false }
    let said = Checksum(digest)
    return wanted.contains { !$0.isWeak && $0.algorithm == said.algorithm && $0 != said }
  }

  /// Takes the caller's checksum; throws when this build can't compute it.
  mutating func prepare(_ checksum: Checksum?) throws(DownloadError) {
    guard let checksum, ofCaller == nil else { return }
    do throws(TLSError) { running = [try Running(checksum)] } catch { throw .tls(error) }
    ofCaller = checksum
    wanted = [checksum]
  }

  /// Takes what the fields of a response say. An algorithm that this build does not have proves nothing.
  mutating func expect(_ fields: Fields?) {
    message = nil
    guard let fields else { return }
    expectMessage(fields)
    expectRepresentation(fields)
  }

  /// The same, where the file will not be the representation.
  mutating func expectMessage(_ fields: Fields) {
    message = nil
    if let digest = DigestField(.content, in: fields)?.digests.first { message = try? Running(Checksum(digest)) }
  }

  private mutating func expectRepresentation(_ fields: Fields) {
    guard let digest = DigestField.strongest(ofRepresentationIn: fields) else { return }
    let checksum = Checksum(digest)
    if wanted.contains(checksum) { return }
    guard let made = try? Running(checksum) else { return }
    wanted.append(checksum)
    running.append(made)
  }

  /// The content of the message under way will not come whole.
  mutating func forgetMessage() { message = nil }

  /// Bytes that were hashed are no longer in the part.
  mutating func restart() { running = wanted.compactMap { try? Running($0) } }

  /// What was hashed belongs to a part that was given up, and what the server said of it too; `fields` are those of the
  /// response that is received instead.
  mutating func restart(forgettingFor fields: Fields?) {
    wanted = ofCaller.map { [$0] } ?? []
    restart()
    if let fields { expectRepresentation(fields) }
  }

  /// Content of the message under way, as it came.
  func didReceive(_ content: Span<UInt8>) { message?.digest.update(content) }

  /// The last bytes of the file, just appended: `length` is that of the file with them.
  func didAppend(_ content: Span<UInt8>, to sink: ContentSink) throws(DownloadError) {
    let before = sink.length - Int64(content.count)
    for digest in running {
      try ContentDigests.catchUp(digest, with: sink, to: before)
      guard digest.count == before else { continue }
      digest.digest.update(content)
      digest.count = sink.length
    }
  }

  /// The content of the message under way is whole. Asked again, there is nothing left to verify.
  mutating func verifyMessage() -> Bool {
    guard let message else { return true }
    self.message = nil
    return message.digest.finalize() == message.checksum.expected
  }

  /// The file is whole; false when a digest is another.
  mutating func verify(_ sink: ContentSink) throws(DownloadError) -> Bool {
    for digest in running {
      try ContentDigests.catchUp(digest, with: sink, to: sink.length)
      guard digest.count == sink.length, digest.digest.finalize() == digest.checksum.expected else { return false }
      verified = digest.checksum.text
      allVerified.append(digest.checksum.text)
    }
    running = []
    return true
  }

  /// A digest has yet to read what an earlier run left.
  func isBehind(_ sink: ContentSink) -> Bool { running.contains { $0.count < sink.length } }

  private static func catchUp(_ running: Running, with sink: ContentSink, to end: Int64) throws(DownloadError) {
    guard running.count < end else { return }
    var bytes = [UInt8](repeating: 0, count: PartFile.copiedAtOnce)
    while running.count < end {
      let count = min(try sink.read(at: running.count, into: &bytes), Int(min(end - running.count, 65_536)))
      guard count > 0 else { return }
      running.digest.update(bytes.span.extracting(..<count))
      running.count += Int64(count)
    }
  }
}

extension Download {
  /// Compares every digest; a difference puts the file out of the way.
  mutating func verifyDigests() throws(DownloadError) {
    guard let sink else { return }
    let isMessageRight = digests.verifyMessage()
    let isFileRight = try digests.verify(sink)
    if !isMessageRight || !isFileRight { try failVerification() }
  }

  mutating func failVerification() throws(DownloadError) {
    guard let sink else { return }
    let bad = try sink.part?.quarantine()
    letGoOfSink()
    throw .integrity(path: path(of: bad), from: mirrors.quarantine())
  }
}
