internal import CRawGet
internal import RawGet

/// Something that a caller passed and that can't be used: told as the end of the download that it was to be.
struct OptionError: Error {
  static let unsupported = Int32(RAWGET_UNSUPPORTED.rawValue)

  let message: Text
  let status: Int32
  /// As the reasons of downloads that were begun (docs/EVENTS.md).
  var reason: String { status == OptionError.unsupported ? "unsupported" : "invalid-request" }

  init(_ message: Text, status: Int32 = Int32(RAWGET_USAGE.rawValue)) {
    self.message = message
    self.status = status
  }

  /// What was passed as which option, and what is expected of it.
  init(_ option: String, _ value: [UInt8], _ expected: String) {
    var message = Text(option)
    message.add(" '")
    message.add(foreign: value)
    message.add("' is not ")
    message.add(expected)
    self.init(message)
  }
}
