internal import Posix

/// How many bytes a wake-up is to be worth (SO_RCVLOWAT) while content is read as it comes: from a network slower than we
/// are, every segment would wake otherwise, and wake-ups are what costs there. Pure: it has no clock.
///
/// What lies below a mark wakes nobody. So a mark is never more than what is still to come, and it is waited for no longer
/// than `patience`: then what is there is taken, and the mark falls to what that was worth.
struct ReceiveMark {
  static let most: Int64 = 262_144  // bytes
  /// So much later than they could, bytes reach the file.
  static let worth: Duration = .milliseconds(20)
  static let patience: Duration = .milliseconds(100)
  /// Below this a mark spares nothing: most segments carry more.
  private static let least: Int64 = 4_096  // bytes
  /// What comes in less time than this says nothing of a rate, and at first little: a guess that is wrong costs no more
  /// than `patience`, and at 100 MB/s the first guess spares 250 wake-ups.
  private static let spell: Duration = .milliseconds(50)
  private static let firstSpell: Duration = .milliseconds(10)
  /// Ciphertext that a TLS session holds already when it waits: part of one record (RFC 8446 §5.2), and its head.
  static let heldBySession: Int64 = 16_645  // bytes

  /// What is asked of the system now.
  private(set) var bytes = 1
  private var rate: Int64 = 0  // bytes a second, of the last spell
  private var total: Int64  // bytes, when the present spell began
  private var since: Instant

  /// - Parameter total: bytes that came before.
  init(total: Int64, now: Instant) {
    self.total = total
    since = now
  }

  /// All there was has been taken, `total` bytes by now: what to wait for next.
  ///
  /// - Parameter left: no fewer bytes than these are still to come; nil where the connection ends with them, which wakes
  ///   as well.
  mutating func wait(total: Int64, left: Int64?, now: Instant) {
    if now - since >= (rate == 0 ? ReceiveMark.firstSpell : ReceiveMark.spell) {
      rate = Pace.rate(of: total - self.total, in: now - since)
      self.total = total
      since = now
    }
    let worth = min(Pace.bytes(in: ReceiveMark.worth, at: rate), ReceiveMark.most, left ?? .max)
    let wanted = worth < ReceiveMark.least ? 1 : Int(worth)
    // To ask the system costs as much as a wake-up: little changes are none.
    let isNear = wanted <= 2 * bytes && wanted >= bytes / 2 && Int64(bytes) <= left ?? .max
    if !isNear { bytes = wanted }
  }

  /// Nobody waits longer than this for a mark that is not reached.
  func deadline(now: Instant) -> Instant { bytes > 1 ? now + ReceiveMark.patience : .distantFuture }
}
