import HTTP1

/// How the end of an answer's content shows.
enum SessionFraming: Int {
  case length, chunked, close
}

/// What a server is about to send, and how it comes to be bytes on a connection.
struct SessionAnswer {
  /// The status line after `HTTP/1.1 `, and fields.
  var lines: [String]
  var content: ArraySlice<UInt8> = []
  var framing = SessionFraming.length
  /// Sent before the head, and after the message.
  var before = ""
  var surplus = ""
  /// In place of the content's own.
  var claimedLength: Int?
  /// Which damage is done to chunked content; 0 for none.
  var damage = 0

  static let damages = 7

  var bytes: [UInt8] {
    var lines = lines
    switch framing {
    case .length: lines.append("Content-Length: \(claimedLength ?? content.count)")
    case .chunked: lines.append("Transfer-Encoding: chunked")
    case .close: lines.append("Connection: close")
    }
    let head = Array((before + "HTTP/1.1 " + lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    return head + (framing == .chunked ? chunks : Array(content)) + Array(surplus.utf8)
  }

  /// In two chunks. Damage shows before a byte that is no content could be taken for one.
  private var chunks: [UInt8] {
    let half = content.prefix(content.count / 2)
    let rest = content.dropFirst(half.count)
    var bytes = half.isEmpty ? [] : chunk(half, isDamaged: false)
    if !rest.isEmpty { bytes += chunk(rest, isDamaged: damage > 0) }
    return bytes + Array("0\r\nX-Trailer: 1\r\n\r\n".utf8)
  }

  private func chunk(_ content: ArraySlice<UInt8>, isDamaged: Bool) -> [UInt8] {
    let size = String(content.count, radix: 16)
    let data = Array(content)
    guard isDamaged else { return Array("\(size);x=y\r\n".utf8) + data + [.cr, .lf] }
    switch damage {
    case 1: return Array("-\(size)\r\n".utf8) + data + [.cr, .lf]
    case 2: return Array("0x\(size)\r\n".utf8) + data + [.cr, .lf]
    case 3: return Array("\(String(content.count - 1, radix: 16))\r\n".utf8) + data + [.cr, .lf]
    case 4: return Array("ffffffffffffffffff\r\n".utf8) + data + [.cr, .lf]
    case 5: return Array("\(size)\n".utf8) + data + [.cr, .lf]
    case 6: return Array("\(size)\r\n".utf8) + data + Array("\r\r\n".utf8)
    default: return [.cr, .lf] + data
    }
  }
}

/// What reaches the client on one connection.
struct SessionWire {
  var bytes: [UInt8]
  var end = ResponseReader.ConnectionEnd.orderly
  /// Bytes that arrive at once.
  var arrival = Int.max
}
