internal import CPosix

/// Permission bits as umask(2) shapes them.
public enum FileMode {
  /// The bits that new files do without.
  public static func umask() -> UInt32 { px_umask() }

  /// What a program that cares for nothing would give a new file: 0666 without the umask.
  public static func newFile() -> UInt32 { 0o666 & ~px_umask() }
}
