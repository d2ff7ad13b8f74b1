internal import Posix
internal import TLS

/// What the downloads of one loop share.
struct Services: ~Copyable {
  /// Numbers given to sockets so far (`Interest.serial`).
  var serials: UInt64 = 0
  /// Readable when someone wants the loop's attention; -1 when nobody can.
  var wake: Int32 = -1
  /// The disk.
  var files: any FileSystem = SystemFiles()
  var connections = ConnectionPool()
  private var context: TLSContext?
  private var contextOptions = TLSOptions()

  /// The TLS context, made when the first https target needs it: http pays nothing for it. It holds the sessions
  /// that a reconnect resumes. Other options make another one: whom one download trusts is nothing to the next.
  mutating func tlsContext(_ options: TLSOptions) throws(DownloadError) -> TLSContext {
    if let context, contextOptions == options { return context }
    do throws(TLSError) {
      let made = try TLSContext(options.configuration)
      context = made
      contextOptions = options
      return made
    } catch {
      throw .tls(error)
    }
  }
}
