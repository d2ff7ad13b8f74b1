import Glibc
import Posix
import Testing

struct SystemErrorTests {
  @Test(arguments: [
    (ENOENT, "No such file or directory"), (ENOSPC, "No space left on device"),
    (ECONNREFUSED, "Connection refused"), (98_765, "98765"),
  ])
  func hasTheSystemsWords(_ code: Int32, _ text: String) {
    let message = String(decoding: SystemError(code: code, operation: .open).message, as: UTF8.self)
    #expect(message.contains(text))
  }

  private typealias Question = (String, (SystemError) -> Bool, [Int32])

  /// Each question is true of its own codes and of no other in the table.
  @Test func answersQuestions() {
    let questions: [Question] = [
      ("isNoSpace", \.isNoSpace, [ENOSPC, EDQUOT, EFBIG]),
      ("alreadyExists", \.alreadyExists, [EEXIST]),
      ("isMissing", \.isMissing, [ENOENT]),
      ("isWouldBlock", \.isWouldBlock, [EAGAIN]),
      ("isBrokenPipe", \.isBrokenPipe, [EPIPE]),
      ("isInterrupted", \.isInterrupted, [EINTR]),
      ("isAccessDenied", \.isAccessDenied, [EACCES, EPERM, EROFS]),
      ("isSymbolicLink", \.isSymbolicLink, [ELOOP]),
      ("isNotRegular", \.isNotRegular, [ENOTSUP, EISDIR]),
      ("isNameTooLong", \.isNameTooLong, [ENAMETOOLONG]),
      ("isConnectionRefused", \.isConnectionRefused, [ECONNREFUSED]),
      ("isConnectionReset", \.isConnectionReset, [ECONNRESET]),
      ("isTimedOut", \.isTimedOut, [ETIMEDOUT]),
      ("isOutOfDescriptors", \.isOutOfDescriptors, [EMFILE, ENFILE]),
      ("isUnreachable", \.isUnreachable, [ENETUNREACH, EHOSTUNREACH, EADDRNOTAVAIL, EAFNOSUPPORT]),
    ]
    let codes = questions.flatMap(\.2) + [EIO, EINVAL, ENOTDIR]
    for (name, answer, own) in questions {
      for code in codes {
        #expect(answer(SystemError(code: code, operation: .open)) == own.contains(code), "\(name) of \(code)")
      }
    }
  }
}
