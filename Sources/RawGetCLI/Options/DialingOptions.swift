internal import RawGet

extension CommandOption {
  /// How connections are made, and what is too much or too little.
  static var dialing: [CommandOption] {
    [
      CommandOption(.network, "4", "ipv4", "use IPv4 addresses only") { $0.options.dialing.family = .v4 },
      CommandOption(.network, "6", "ipv6", "use IPv6 addresses only") { $0.options.dialing.family = .v6 },
      CommandOption(
        .network, nil, "resolve", "HOST:PORT:ADDR", "connect to ADDR[,ADDR] for HOST:PORT; may be repeated"
      ) { (settings, value) throws(UsageError) in
        guard settings.options.dialing.resolve(value.bytes) else {
          throw value.invalid("HOST:PORT:ADDR with IP addresses")
        }
      },
      CommandOption(.network, nil, "interface", "NAME|ADDR", "connect from this interface or this local address") {
        (settings, value) throws(UsageError) in
        guard settings.options.dialing.leave(through: value.bytes) else {
          throw value.invalid("an address or an interface of this machine")
        }
      },
      CommandOption(
        .network, nil, "unix-socket", "PATH", "connect to the socket PATH, whatever the host", completing: .file
      ) { (settings, value) throws(UsageError) in
        guard (1...Dialing.pathLimit).contains(value.bytes.count) else {
          throw value.invalid("a path of 1 to \(Dialing.pathLimit) bytes")
        }
        settings.options.dialing.socketPath = value.bytes
      },
      CommandOption(
        .network, nil, "min-speed", "SIZE[:S]", "reconnect where S seconds (30) bring less than SIZE bytes each"
      ) { (settings, value) throws(UsageError) in
        settings.options.speedFloor = try value.speedFloor()
      },
      CommandOption(.files, nil, "max-filesize", "SIZE", "no file larger than SIZE bytes") {
        (settings, value) throws(UsageError) in
        settings.options.lengthLimit = try value.size()
      },
      CommandOption(.requests, nil, "max-redirects", "N", "redirects followed for one URL, 0 to 100 (20)") {
        (settings, value) throws(UsageError) in
        settings.options.redirectLimit = Int(try value.number(0...100))
      },
    ]
  }
}

extension OptionValue {
  /// `SIZE`, or `SIZE:SECONDS`.
  fileprivate func speedFloor() throws(UsageError) -> SpeedFloor {
    let colon = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.count
    let rate = try OptionValue(option: option, bytes: Array(bytes[..<colon])).size()
    guard colon < bytes.count else { return SpeedFloor(rate: rate) }
    let time = try OptionValue(option: option, bytes: Array(bytes[(colon + 1)...])).duration()
    return SpeedFloor(rate: rate, time: time)
  }
}
