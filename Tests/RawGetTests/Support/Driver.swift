import Foundation
import Posix
import Testing

@testable import RawGet

/// A loop for tests, whose clock stands still but where only time could end a wait: there it skips. For several lanes,
/// which are judged by their pace, it goes on with the system's; only the pauses between attempts are skipped.
///
/// That is the case when there is no descriptor to wait for, and when the server has said so by a `Stall`.
/// So no test is slow, none depends on how fast this machine is, and every deadline is exact.
struct Driver: ~Copyable {
  enum Stop {
    case event(DownloadEvent)
    case finished(DownloadResult)
    /// The server said that it is silent, and all it had sent is taken.
    case stalled(until: Instant)
    /// Nothing but time is waited for.
    case resting(until: Instant)
    /// So much is kept as was to be.
    case kept
  }
  /// Nothing may take longer than this between two turns; a bound for a broken test, no part of any assertion.
  private static let watchdog: Int32 = 30_000  // ms

  private var buffer: ReceiveBuffer
  private var services = Services()
  private var interests: [Interest] = []
  private(set) var now = Instant.now()
  private let isLive: Bool
  private var skipped = Duration.zero
  private var goal = Int64.max  // bytes
  let stall: Stall

  /// What was waited for so far, by its name in /proc.
  private(set) var waitedFor: Set<String> = []
  private(set) var events: [DownloadEvent] = []
  /// The times skipped to end a `stalled` or `resting` wait, in order.
  private(set) var skips: [Duration] = []

  /// - Parameters:
  ///   - isLive: the clock is the system's.
  ///   - capacity: how much is received at once, in bytes.
  init(stall: Stall = Stall(), isLive: Bool = false, capacity: Int = EventLoop.bufferCapacity) {
    self.stall = stall
    self.isLive = isLive
    buffer = ReceiveBuffer(capacity: capacity)
  }

  /// Those that would serve the next download.
  mutating func closeResting() { services.connections = ConnectionPool() }

  /// Runs to the end, through every wait.
  mutating func finish(_ download: inout Download) -> DownloadResult {
    while true {
      switch run(&download) {
      case .event, .kept: continue
      case .finished(let result): return result
      case .stalled(let until), .resting(let until): skip(to: until)
      }
    }
  }

  /// Runs until the server falls silent; records an issue if the download ends before.
  mutating func runToStall(_ download: inout Download) {
    while true {
      switch run(&download) {
      case .event, .kept: continue
      case .finished(let result):
        Issue.record("ended before the server fell silent: \(result)")
        return
      case .stalled: return
      case .resting(let until): skip(to: until)
      }
    }
  }

  /// Runs until so many bytes are kept, told or not; records an issue if the download ends before.
  mutating func run(_ download: inout Download, untilKept count: Int64) {
    goal = count
    defer { goal = .max }
    while download.progress.kept < count {
      switch run(&download) {
      case .event, .kept: continue
      case .finished(let result):
        Issue.record("ended before so much was kept: \(result)")
        return
      case .stalled(let until), .resting(let until): skip(to: until)
      }
    }
  }

  /// Runs on to the next thing to tell.
  mutating func run(_ download: inout Download) -> Stop {
    while true {
      if isLive { now = .now() + skipped }
      switch download.advance(now: now, buffer: &buffer, services: &services) {
      case .event(let event):
        events.append(event)
        return .event(event)
      case .finished(let result):
        download.closeOutput()
        return .finished(result)
      case .concluding:
        if let conclusion = download.conclusion { PartConclusion.settle([conclusion]) }
      case .waiting(let until):
        if download.progress.kept >= goal { return .kept }
        interests.removeAll()
        download.appendInterests(to: &interests)
        if interests.isEmpty, !isLive || download.isPausing { return .resting(until: until) }
        for interest in interests { note(OpenDescriptors.name(of: interest.descriptor) ?? "closed") }
        if isLive {
          waitLive(until: until)
        } else if wait() {
          return .stalled(until: until)
        }
      }
    }
  }

  /// A FIFO has one name for both ends, and its reader's is the test's.
  private mutating func note(_ name: String) {
    if !name.hasPrefix("/") { waitedFor.insert(name) }
  }

  mutating func skip(to instant: Instant) {
    let skip = max(instant - now, .zero)
    skips.append(skip)
    if isLive { skipped += skip }
    now = max(now, instant)
  }

  /// As a loop waits.
  private func waitLive(until: Instant) {
    var entries = interests.map { pollfd(fd: $0.descriptor, events: Driver.events($0.readiness), revents: 0) }
    let time = (until - now).components
    let wait = time.seconds > 29 ? 30_000 : time.seconds * 1_000 + time.attoseconds / 1_000_000_000_000_000 + 1
    let count = poll(&entries, nfds_t(entries.count), Int32(max(wait, 0)))
    if count == 0, wait >= 30_000 { Issue.record("nothing happened for too long") }
  }

  /// Waits for the interests; true when the stall was raised and none of them is ready.
  private func wait() -> Bool {
    var entries = interests.map { pollfd(fd: $0.descriptor, events: Driver.events($0.readiness), revents: 0) }
    entries.append(pollfd(fd: stall.descriptor, events: Int16(POLLIN), revents: 0))
    let count = poll(&entries, nfds_t(entries.count), Driver.watchdog)
    guard count != 0 else {
      Issue.record("nothing happened for too long")
      return true
    }
    // What was sent before the stall is already here: asked again, since it may have come between.
    entries.removeLast()
    if poll(&entries, nfds_t(entries.count), 0) > 0 { return false }
    return stall.lower()
  }

  private static func events(_ readiness: Readiness) -> Int16 {
    Int16((readiness.contains(.readable) ? POLLIN : 0) | (readiness.contains(.writable) ? POLLOUT : 0))
  }
}

extension Download {
  var isPausing: Bool {
    guard case .waiting = phase else { return false }
    return true
  }
}
