internal import HTTP1

extension ResponseHead {
  /// The head a line each, as a person reads it: blanks around values are gone, folds are blanks.
  var text: [UInt8] {
    var text = Array("HTTP/1.\(statusLine.minorVersion) \(status) ".utf8) + statusLine.reason + [.lf]
    for index in 0..<fields.count {
      text += fields.name(at: index) + Array(": ".utf8) + fields.value(at: index) + [.lf]
    }
    return text
  }
}
