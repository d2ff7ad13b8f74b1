internal import CPosix

/// Which boot of which system this is, and which process: what a record on disk is compared with.
public enum SystemIdentity {
  /// Differs after every start of the system; empty where the system does not tell.
  public static func boot() -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: 64) { buffer, count in
      let text = unsafe UnsafeMutableRawPointer(buffer.baseAddress)?.assumingMemoryBound(to: CChar.self)
      count = unsafe Int(px_boot_identity(text, 64))
    }
  }

  public static func process() -> Int32 { number }

  /// Asked for once: it stays, since what is forked here becomes another command at once.
  private static let number = px_process_number()

  public static func processExists(_ number: Int32) -> Bool { px_process_exists(number) }
}
