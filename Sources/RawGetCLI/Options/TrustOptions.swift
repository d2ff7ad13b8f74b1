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
      CommandOption(.trust, "k", "insecure", "do not verify who the server is") {
        $0.options.tls.verifiesPeer = false
      },
    ]
  }
}
