/// What this build is.
public enum RawGetVersion {
  public static var text: String { "0.1.0" }

  /// Whether https is spoken (the trait TLS).
  public static var hasTLS: Bool {
    #if TLS
      true
    #else
      false
    #endif
  }
}
