internal import CPosix

/// The process's environment. Only the command reads it; the engine is told.
public enum Environment {
  /// The value of a variable; `nil` when it is not set, which an empty value is not.
  public static func value(_ name: [UInt8]) -> [UInt8]? {
    var value: [UInt8]?
    _ = withTerminated(name) { name in
      if let text = unsafe px_environment_value(name) { value = unsafe bytes(ofTerminated: text) }
      return 0
    }
    return value
  }
}
