internal import Posix

/// What a transfer may use. All lengths are bytes.
struct RangeLimits {
  /// The first block: of so little that nothing is lost when the server has no ranges.
  static let firstBlock: Int64 = 524_288
  /// What may be asked for beyond the next byte that is written, where the system holds it.
  static let systemWindow: Int64 = 134_217_728

  /// Room for a block of 256 KiB, and what the system keeps with it.
  static let leastSystemLimit: Int64 = 786_432  // bytes

  /// The length of every block, where the caller wants one.
  var blockLength: Int64?
  /// No block that is asked for ends further behind the bytes that are kept.
  var window: Int64
  /// The most memory that the system gives to a receive buffer; nil where it is not known.
  var systemLimit: Int64?
  /// What arrives before its turn waits in the system. Where that has no room for a block, or hides how much it has, it
  /// waits in memory of ours.
  var systemHolds: Bool
  /// Bytes to fetch in all.
  var size: Int64
  /// Requests may be sent ahead on a connection: not where the caller wants blocks of one length over one.
  var pipelines: Bool

  init(_ options: DownloadOptions, size: Int64) {
    blockLength = options.blockLength
    systemLimit = StreamSocket.receiveLimit
    self.size = size
    let hasRoom = systemLimit ?? 0 >= RangeLimits.leastSystemLimit && options.dialing.socketPath == nil
    systemHolds = options.systemHolds ?? hasRoom
    window = systemHolds ? RangeLimits.systemWindow : options.window
    pipelines = !(options.blockLength != nil && options.connections == .exactly(1))
    if let rate = options.rateLimit {
      // What the system holds for us has come over the line already: a second's worth is as much as there should be.
      blockLength = min(blockLength ?? .max, max(rate / 2, 16_384))
      window = min(window, max(rate, 65_536))
    }
  }
}
