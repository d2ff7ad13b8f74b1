internal import RawGet

/// Why nothing was begun: something that the user gave does not read.
enum UsageError: Error {
  case unknownOption([UInt8])
  case missingArgument(option: String)
  case unexpectedArgument(option: String)
  case invalidValue(option: String, value: [UInt8], expected: Text)
  case ownedField([UInt8])
  case missingOperand
  /// Both can't be had.
  case conflict(option: String, with: Text)
  /// One says nothing without the other.
  case missingCompanion(option: String, needed: String)
  /// Only the arguments may say this.
  case notInConfiguration(option: String)
  /// `-o` names one file, and there are several downloads.
  case oneNameForMany
  case foreignLetter
  case invalidTarget(TargetURIError, [UInt8])
  /// Its text is not told: a password may be in it.
  case invalidProxy
  case invalidProxyList
  case invalidLogin

  // Files that were named
  case unreadable([UInt8], DownloadError)
  case notPrivate([UInt8])
  case fileTooLarge([UInt8], limit: Int)  // bytes
  case lineTooLong(limit: Int)  // bytes
  case tooManyColumns
  case invalidName([UInt8])
  case invalidChecksum([UInt8])
  /// What is wrong with a file's line or a value that is not shown.
  case malformed(String)

  /// A user name alone, and no terminal to ask on.
  case missingPassword

  /// The same, and where: `NAME:LINE`, or a variable.
  indirect case at([UInt8], UsageError)
}
