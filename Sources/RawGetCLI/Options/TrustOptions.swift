internal import RawGet

extension CommandOption {
  /// Whom to trust under https, and who we are.
  static var trust: [CommandOption] {
    [
      CommandOption(
        .trust, nil, "cacert", "FILE", "trust the certificate authorities in FILE", completing: .file
      ) {
        $0.options.tls.authorityFile = $1.bytes
      },
      CommandOption(
        .trust, nil, "capath", "DIR", "trust the hashed certificate authorities in DIR", completing: .directory
      ) {
        $0.options.tls.authorityDirectory = $1.bytes
      },
      CommandOption(.trust, nil, "cert", "FILE", "client certificate and its chain, PEM", completing: .file) {
        $0.options.tls.certificateFile = $1.bytes
      },
      CommandOption(.trust, nil, "key", "FILE", "key of the client certificate, PEM", completing: .file) {
        $0.options.tls.keyFile = $1.bytes
      },
      CommandOption(
        .trust, nil, "tls-min", "VERSION", "lowest version of TLS (1.2)", completing: .words(["1.2", "1.3"])
      ) { (settings, value) throws(UsageError) in
        settings.options.tls.minimumVersion = try value.tlsVersion()
      },
      CommandOption(
        .trust, nil, "tls-max", "VERSION", "highest version of TLS (the newest)", completing: .words(["1.2", "1.3"])
      ) { (settings, value) throws(UsageError) in
        settings.options.tls.maximumVersion = try value.tlsVersion()
      },
      CommandOption(
        .trust, nil, "pinned-key", "PIN", "the server's key must be sha256//BASE64[;…], even with --insecure"
      ) { (settings, value) throws(UsageError) in
        guard settings.options.tls.pin(value.bytes) else { throw value.invalid("sha256//BASE64[;sha256//BASE64]") }
      },
      CommandOption(.trust, "k", "insecure", "do not verify who the server is") {
        $0.options.tls.verifiesPeer = false
      },
    ]
  }
}

extension OptionValue {
  fileprivate func tlsVersion() throws(UsageError) -> TLSVersion { try choice([("1.2", .tls12), ("1.3", .tls13)]) }
}
