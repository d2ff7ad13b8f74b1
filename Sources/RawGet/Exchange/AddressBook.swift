internal import Posix

/// What name servers answered a moment ago: several connections to one host ask them once. No answer says how long it
/// holds (getaddrinfo does not tell), so none is kept for long; and one that led nowhere is forgotten at once.
final class AddressBook {
  static let most = 64  // names
  static let keptFor: Duration = .seconds(10)

  private struct Entry {
    let name: Name
    let addresses: [SocketAddress]
    let since: Instant
  }
  /// Oldest first.
  private var entries: [Entry] = []

  /// What is looked up: addresses carry their port.
  struct Name: Equatable {
    let host: [UInt8]
    let port: UInt16
    let family: AddressFamily?
  }

  func addresses(of name: Name, now: Instant) -> [SocketAddress]? {
    while let first = entries.first, now - first.since > AddressBook.keptFor { entries.removeFirst() }
    return entries.first { $0.name == name }?.addresses
  }

  func keep(_ addresses: [SocketAddress], of name: Name, now: Instant) {
    forget(name)
    if entries.count == AddressBook.most { entries.removeFirst() }
    entries.append(Entry(name: name, addresses: addresses, since: now))
  }

  func forget(_ name: Name) { entries.removeAll { $0.name == name } }
}
