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
    case 17: "exec"
    default: "internal"
    }
  }

  /// Of two downloads' statuses the one that more has to be done about: bytes that are wrong, then the machine, then
  /// the server, then what another try may mend.
  static func worse(_ left: Int32, _ right: Int32) -> Int32 {
    let order: [Int32] = [0, 12, 13, 17, 9, 4, 15, 8, 6, 16, 5, 7, 2, 3, 14, 11, 10, 1]
    func rank(_ status: Int32) -> Int { order.firstIndex(of: status) ?? order.count }
    return rank(left) >= rank(right) ? left : right
  }
}
