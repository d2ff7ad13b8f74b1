internal import CPosix

/// The arguments of the command, which its C main hands over: Embedded Swift has no `CommandLine`.
public enum Arguments {
  /// In their bytes, without the name of the command.
  public static func all() -> [[UInt8]] {
    var arguments: [[UInt8]] = []
    var index: Int32 = 1
    while let text = unsafe px_argument(index) {
      arguments.append(unsafe bytes(ofTerminated: text))
      index += 1
    }
    return arguments
  }
}
