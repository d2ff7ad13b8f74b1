internal import CPosix

/// Tells a file or directory from every other one, as long as it exists.
public struct FileIdentity: Equatable, Sendable {
  private let device: UInt64
  private let inode: UInt64

  init(_ status: px_status) {
    device = status.device
    inode = status.inode
  }

  /// What the path leads to, through symbolic links; nil when nothing is there, or that can't be told.
  public init?(path: [UInt8]) {
    var status = px_status()
    let name = path.isEmpty ? [UInt8(ascii: ".")] : path
    guard withTerminated(name, { unsafe px_status_of_path($0, &status) }) == 0 else { return nil }
    self.init(status)
  }
}
