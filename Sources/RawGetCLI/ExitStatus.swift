/// The exit statuses of the command, with the names that stay the same when sentences change (docs/PROMISES.md).
/// 0 to 8 mean what they mean to wget.
enum ExitStatus {
  static func name(_ status: Int32) -> String {
    switch status {
    case 0: "ok"
    case 2: "usage"
    case 3: "file"
    case 4: "network"
    case 5: "tls"
    case 6: "auth"
    case 7: "protocol"
    case 8: "server"
    case 9: "incomplete"
    case 10: "integrity"
    case 11: "changed"
    case 12: "exists"
    case 13: "busy"
    case 14: "nospace"
    case 15: "limit"
    case 16: "unsupported"
    default: "internal"
    }
  }
}
