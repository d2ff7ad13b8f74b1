internal import HTTP1

extension ResponseHead {
  /// The head a line each, as a person reads it: blanks around values are gone, folds are blanks.
  var text: [UInt8] {
    var text = Text("HTTP/1.\(Int(statusLine.minorVersion)) \(status) ").bytes
    text += statusLine.reason + [.lf]
    for index in 0..<fields.count {
      text += fields.name(at: index)
      text += Array(": ".utf8)
      text += fields.value(at: index) + [.lf]
    }
    return text
  }
}
