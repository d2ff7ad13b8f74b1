import Foundation
import HTTP1
import RawGet

/// One line of output.
///
///     {"id": …, "verdict": "reject", "category": "bad-chunk"}
///     {"id": …, "verdict": "accept", "status": 200, "framing": "chunked", "body": base64, …}
///
/// `leftover` is base64 as well; in `headers`, `trailers`, `parts` and values a character is a byte. `name` and
/// `location` are there if the case has a URL, `field` if one of the fields of `FieldValue` came, `parts` for a
/// `multipart/byteranges`.
struct Answer {
  private var members: [String: Any]

  init(to object: [String: Any], now: Int64) {
    members = ["id": object["id"] ?? NSNull()]
    do throws(Refusal) {
      guard let received = ReceivedCase(object) else { throw Refusal(category: "bad-request") }
      let message = try Message(reading: received)
      let parts = try Parts(of: message)
      describe(message, now: now)
      members["parts"] = parts?.all.map { [$0.offset, $0.content.latin1] as [Any] }
      if let url = received.url, let target = try? TargetURI(text: url) { describe(message, at: target) }
    } catch {
      members["verdict"] = "reject"
      members["category"] = error.category
    }
  }

  private mutating func describe(_ message: Message, now: Int64) {
    members["verdict"] = "accept"
    members["status"] = message.head.status
    members["framing"] = message.framing.name
    members["body"] = Data(message.content).base64EncodedString()
    members["reusable"] = message.isReusable
    members["leftover"] = Data(message.leftover).base64EncodedString()
    members["interim"] = message.interimStatuses
    members["headers"] = message.head.fields.pairs
    members["trailers"] = message.trailers.pairs
    if let field = FieldValue(of: message, now: now) { members["field"] = field.json }
  }

  private mutating func describe(_ message: Message, at target: TargetURI) {
    let fields = message.head.fields
    let name = FileName.suggested(contentDisposition: fields.value(of: .contentDisposition), target: target)
    members["name"] = String(decoding: name, as: UTF8.self)
    if let reference = fields.singleValue(of: .location), let next = try? target.resolving(reference: reference) {
      members["location"] = next.text.latin1
    }
  }

  /// Ends with LF. A member that JSON can't hold would be a fault of this program.
  var line: Data {
    guard
      let text = try? JSONSerialization.data(withJSONObject: members, options: [.sortedKeys, .withoutEscapingSlashes])
    else {
      preconditionFailure("not JSON: \(members)")
    }
    return text + [UInt8(ascii: "\n")]
  }
}

extension Fields {
  fileprivate var pairs: [[String]] {
    (0..<count).map { [name(at: $0).latin1, value(at: $0).latin1] }
  }
}

extension [UInt8] {
  /// A character for each byte.
  var latin1: String {
    var text = String.UnicodeScalarView()
    for byte in self { text.append(Unicode.Scalar(byte)) }
    return String(text)
  }
}
