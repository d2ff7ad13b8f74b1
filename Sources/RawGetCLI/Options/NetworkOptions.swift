internal import RawGet

extension CommandOption {
  /// The way to the server, and how long it may take.
  static var network: [CommandOption] { ways + parallel + mirrors + proxies }

  private static var ways: [CommandOption] {
    [
      CommandOption(
        .network, nil, "connect-timeout", "S", "seconds for one address to answer (5); six times that in all"
      ) { (settings, value) throws(UsageError) in
        let timeout = try value.duration()
        settings.options.timeouts.connect = timeout
        settings.options.timeouts.connectInAll = timeout * 6  // as 30 s are to 5
      },
      CommandOption(.network, nil, "response-timeout", "S", "seconds for a whole response head (60)") {
        (settings, value) throws(UsageError) in
        settings.options.timeouts.response = try value.duration()
      },
      CommandOption(.network, "T", "idle-timeout", "S", "seconds without a byte before reconnecting (30)") {
        (settings, value) throws(UsageError) in
        settings.options.timeouts.idle = try value.duration()
      },
      CommandOption(.network, nil, "max-time", "S", "seconds for everything (no limit)") {
        (settings, value) throws(UsageError) in
        settings.options.timeouts.total = try value.duration()
      },
    ]
  }

  /// Several requests for one file.
  private static var parallel: [CommandOption] {
    [
      CommandOption(
        .network, "x", "connections", "N", "connections for one file, 1 to 32, or auto: as many as help (1)"
      ) { (settings, value) throws(UsageError) in
        settings.options.connections = try value.connections()
      },
      CommandOption(
        .network, nil, "block-size", "SIZE", "ask for so many bytes at a time; K, M and G multiply by 1024"
      ) { (settings, value) throws(UsageError) in
        settings.options.blockLength = try value.size()
      },
      CommandOption(
        .network, nil, "window", "SIZE", "bytes that may wait in memory with -x, where the system can't hold them (32M)"
      ) { (settings, value) throws(UsageError) in
        settings.options.window = try value.size()
      },
    ]
  }

  /// Other places for the one file of a run.
  private static var mirrors: [CommandOption] {
    [
      CommandOption(
        .network, nil, "mirror", "URL",
        "another place of the file, for when the URL fails, or with -x and --checksum at once; repeatable"
      ) { (settings, value) throws(UsageError) in
        settings.mirrors.append(try value.mirror())
      }
    ]
  }

  private static var proxies: [CommandOption] {
    [
      CommandOption(
        .network, nil, "limit-rate", "SIZE", "bytes a second at most; K, M and G multiply by 1024"
      ) { (settings, value) throws(UsageError) in
        settings.options.rateLimit = try value.size()
      },
      CommandOption(
        .network, nil, "proxy", "URL", "go through this proxy: http, https, socks5 or socks5h"
      ) { (settings, value) throws(UsageError) in
        guard let proxy = Proxy(text: value.bytes) else { throw .at(Array("--proxy".utf8), .invalidProxy) }
        settings.proxies = ProxyChoice(always: proxy)
      },
      CommandOption(.network, nil, "no-proxy", "go through no proxy, whatever the environment says") {
        $0.proxies = ProxyChoice()
      },
      CommandOption(.network, nil, "proxy-user", "USER:PASS", "log in at the proxy with these") {
        (settings, value) throws(UsageError) in
        guard let user = Userinfo(text: value.bytes) else { throw .at(Array("--proxy-user".utf8), .invalidLogin) }
        settings.proxyUser = user
      },
    ]
  }
}
