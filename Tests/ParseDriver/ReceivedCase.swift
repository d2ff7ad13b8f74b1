import Foundation
import HTTP1

/// A response as it arrived, read from one line of input.
///
///     {"id": …, "method": "GET", "pieces": [base64, …], "close": "fin" | "rst" | "open", "url": "http://…"}
///
/// `close` says how the connection ended after the last piece: in order, by a reset, or not at all. `url`, what was
/// asked for, may be left out. Other members are left alone.
struct ReceivedCase {
  let method: RequestMethod
  let pieces: [[UInt8]]
  /// nil: the connection is still open, and nothing more comes.
  let end: ResponseReader.ConnectionEnd?
  let url: [UInt8]?

  /// nil if a member is missing or of another type.
  init?(_ object: [String: Any]) {
    guard let token = object["method"] as? String, let method = RequestMethod(Array(token.utf8)),
      let texts = object["pieces"] as? [String], let close = object["close"] as? String
    else { return nil }
    let decoded = texts.compactMap { Data(base64Encoded: $0) }
    guard decoded.count == texts.count else { return nil }
    switch close {
    case "fin": end = .orderly
    case "rst": end = .abrupt
    case "open": end = nil
    default: return nil
    }
    self.method = method
    pieces = decoded.map { Array($0) }
    url = (object["url"] as? String).map { Array($0.utf8) }
  }
}
