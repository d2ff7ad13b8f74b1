internal import CPosix

/// A question on the terminal whose answer is not shown.
public enum SecretPrompt {
  private static let capacity = 1_024  // bytes

  /// The line that a person types on standard input; a signal that ends the process does so with the terminal as it was.
  public static func ask(_ question: [UInt8]) throws(SystemError) -> [UInt8] {
    var line = [UInt8](repeating: 0, count: capacity)
    var span = line.mutableSpan
    let count = unsafe span.withUnsafeMutableBufferPointer { bytes in
      unsafe question.withUnsafeBufferPointer { question in
        unsafe px_secret_read(0, question.baseAddress, question.count, bytes.baseAddress, bytes.count)
      }
    }
    line.removeSubrange(try SystemError.check(count, .read)...)
    return line
  }
}
