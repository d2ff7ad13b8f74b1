/// Every option of the command: parsing and `--help` read this table and nothing else.
struct CommandOption {
  enum Meaning {
    case output, directory, quiet, verbose, field, retry, connectTimeout, responseTimeout, idleTimeout, maxTime
    case limitRate, authorityFile, authorityDirectory, certificate, key, insecure, allowDowngrade, resume
    case checksum, existing, noResume, overlap, paranoid, wait, retryMaxTime, noRemoteTime
    case inspect, explain, connections
    case help, version
  }
  let letter: UInt8?
  let name: String
  /// What the argument is called; nil for an option without one.
  let argument: String?
  let meaning: Meaning
  let help: String

  private init(_ letter: Unicode.Scalar?, _ name: String, _ argument: String?, _ meaning: Meaning, _ help: String) {
    self.letter = letter.map { UInt8(ascii: $0) }
    self.name = name
    self.argument = argument
    self.meaning = meaning
    self.help = help
  }

  static var table: [CommandOption] {
    [
      CommandOption("o", "output", "FILE", .output, "write to FILE; - is standard output"),
      CommandOption("P", "directory", "DIR", .directory, "write into DIR, under the name the server or the URL gives"),
      CommandOption("c", "continue", nil, .resume, "continue a file that another tool began, after comparing"),
      CommandOption(nil, "existing", "WHAT", .existing, "a taken name: fail, skip, resume, replace or rename (fail)"),
      CommandOption(nil, "no-resume", nil, .noResume, "fetch everything again, and compare"),
      CommandOption(nil, "overlap", "SIZE", .overlap, "bytes compared before a part is continued (64K)"),
      CommandOption(nil, "paranoid", nil, .paranoid, "compare all of a part, not its end and samples"),
      CommandOption(nil, "checksum", "ALGO=HEX", .checksum, "sha-256 or sha-512 (weak: sha-1, md5) of the content"),
      CommandOption(nil, "wait", nil, .wait, "wait for another process on the same file"),
      CommandOption(nil, "no-remote-time", nil, .noRemoteTime, "do not give the file the server's time"),
      CommandOption("q", "quiet", nil, .quiet, "print errors and warnings only"),
      CommandOption("v", "verbose", nil, .verbose, "print requests and responses, secrets masked"),
      CommandOption("H", "header", "FIELD", .field, "send this field, 'Name: value'; may be repeated"),
      CommandOption(nil, "retry", "N", .retry, "attempts in a row without a new byte before giving up (10)"),
      CommandOption(nil, "retry-max-time", "S", .retryMaxTime, "seconds after which no attempt begins (no limit)"),
      CommandOption(
        nil, "connect-timeout", "S", .connectTimeout, "seconds for one address to answer (5); six times that in all"),
      CommandOption(nil, "response-timeout", "S", .responseTimeout, "seconds for a whole response head (60)"),
      CommandOption(nil, "idle-timeout", "S", .idleTimeout, "seconds without a byte before reconnecting (30)"),
      CommandOption(nil, "max-time", "S", .maxTime, "seconds for everything (no limit)"),
      CommandOption("x", "connections", "N", .connections, "at most N connections, 1 to 32; this version uses one"),
      CommandOption(nil, "limit-rate", "SIZE", .limitRate, "bytes a second at most; K, M and G multiply by 1024"),
      CommandOption(nil, "cacert", "FILE", .authorityFile, "trust the certificate authorities in FILE"),
      CommandOption(nil, "capath", "DIR", .authorityDirectory, "trust the hashed certificate authorities in DIR"),
      CommandOption(nil, "cert", "FILE", .certificate, "client certificate and its chain, PEM"),
      CommandOption(nil, "key", "FILE", .key, "key of the client certificate, PEM"),
      CommandOption("k", "insecure", nil, .insecure, "do not verify who the server is"),
      CommandOption(nil, "allow-downgrade", nil, .allowDowngrade, "follow redirects from https to http"),
      CommandOption(
        nil, "inspect", "NAME", .inspect, "say what is there of NAME and what a download would do, and exit"),
      CommandOption(nil, "explain", nil, .explain, "ask the server, say what would be done, and change nothing"),
      CommandOption("h", "help", nil, .help, "print this and exit"),
      CommandOption("V", "version", nil, .version, "print the version and exit"),
    ]
  }
}
