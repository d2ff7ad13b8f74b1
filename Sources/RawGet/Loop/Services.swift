internal import Posix
internal import TLS

/// What the downloads of one loop share.
struct Services: ~Copyable {
  /// Numbers given to sockets so far (`Interest.serial`).
  var serials: UInt64 = 0
  /// Somebody wants to see the heads of requests and responses.
  var tellsHeads = true
  /// The disk.
  var files: any FileSystem = SystemFiles()
  var connections = ConnectionPool()
  let addresses = AddressBook()
  /// That of origins, and that of a proxy which differs from it.
  private var contexts: [(options: TLSOptions, context: TLSContext)] = []
  private static let contextLimit = 2

  /// The TLS context, made when the first https target needs it: http pays nothing for it. It holds the sessions
  /// that a reconnect resumes. Other options make another one: whom one download trusts is nothing to the next.
  mutating func tlsContext(_ options: TLSOptions) throws(DownloadError) -> TLSContext {
    if let made = contexts.first(where: { $0.options == options }) { return made.context }
    do throws(TLSError) {
      let made = try TLSContext(options.configuration)
      if contexts.count == Services.contextLimit { contexts.removeFirst() }
      contexts.append((options, made))
      return made
    } catch {
      throw .tls(error)
    }
  }
}
