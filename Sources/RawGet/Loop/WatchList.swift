internal import Posix

/// What the poller watches, and for which place of the loop.
///
/// A connection that comes to rest stays in it. Most often the next download takes it at once, and then the poller need
/// not be told of anything; if something comes on it first, that ends.
struct WatchList: ~Copyable {
  enum Event {
    case woken
    case ready(place: Int)
    /// It concerns nobody.
    case none
  }
  private struct Entry {
    let serial: UInt64
    var readiness: Readiness
    var place: Int
    var isAtRest = false
  }
  /// Those of sockets are their descriptors.
  private static let wakeToken: UInt64 = .max

  private var poller: Poller
  /// By descriptor: no longer than the process may have open.
  private var entries: [Entry?] = []

  /// - Parameter wake: the descriptor whose events are `woken`.
  init(wake: Int32) throws(SystemError) {
    var poller = try Poller()
    try poller.watch(wake, for: .readable, token: WatchList.wakeToken)
    self.poller = poller
  }

  /// Readable when there is an event, for a loop around this one; -1 where there is no such descriptor.
  var raw: Int32 { poller.raw }

  /// Watches it for the job at `place`.
  mutating func watch(_ interest: Interest, for place: Int) throws(SystemError) {
    let index = Int(interest.descriptor)
    while entries.count <= index { entries.append(nil) }
    let entry = Entry(serial: interest.serial, readiness: interest.readiness, place: place)
    // Another serial's descriptor was closed, and the poller forgot it.
    let isKnown = entries[index].map { $0.serial == entry.serial && $0.readiness == entry.readiness } ?? false
    if !isKnown {
      try poller.watch(interest.descriptor, for: interest.readiness, token: UInt64(index))
    }
    entries[index] = entry
  }

  /// The job waits for it no longer.
  ///
  /// - Parameter isAtRest: the connection is open, and anyone may take it.
  mutating func release(_ interest: Interest, isAtRest: Bool) {
    let index = Int(interest.descriptor)
    guard index < entries.count, entries[index]?.serial == interest.serial else { return }
    if isAtRest { entries[index]?.isAtRest = true } else { forget(index) }
  }

  private mutating func forget(_ index: Int) {
    poller.forget(Int32(index))
    entries[index] = nil
  }

  /// Waits for the first events; how many there are.
  mutating func wait(until deadline: Instant?) throws(SystemError) -> Int { try poller.wait(until: deadline) }

  /// One of the events of the last wait.
  mutating func event(_ number: Int) -> Event {
    let token = poller.event(number).token
    if token == WatchList.wakeToken { return .woken }
    let index = Int(token)
    guard let entry = entries[index] else { return .none }
    if !entry.isAtRest { return .ready(place: entry.place) }
    forget(index)  // its server closed it, or sent what nobody asked for: whoever takes it sees that
    return .none
  }
}
