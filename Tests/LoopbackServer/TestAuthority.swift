import Foundation

/// A certificate chain and its key, as PEM files.
public struct TestCredentials: Sendable {
  public let certificateFile: String
  public let keyFile: String
}

/// A certificate authority for one test process, and servers and clients certified by it, for better
/// and worse: P-256 keys, made with the `openssl` command in a temporary folder that goes with the
/// process.
public final class TestAuthority: Sendable {
  public let folder: String

  /// What a client must be told to trust: a file, or a folder of hashed names.
  public let file: String
  public let hashedFolder: String

  /// For `localhost`, 127.0.0.1 and ::1.
  public let good: TestCredentials
  /// For `elsewhere.example` alone, though its subject's CN is `localhost`.
  public let wrongName: TestCredentials
  /// For `localhost` by its subject's CN alone.
  public let nameless: TestCredentials
  /// For `localhost`, until a day in the past.
  public let expired: TestCredentials
  /// For `localhost`, by nobody else.
  public let selfSigned: TestCredentials
  /// For every name directly below `example.test`, and, against the rules, for `w*.partial.test`.
  public let wildcard: TestCredentials
  /// For a client.
  public let client: TestCredentials
  /// The client's key under a passphrase.
  public let lockedKeyFile: String
  /// Another authority, which certified nothing here.
  public let strangerFile: String
  public let strangerFolder: String

  private static let made = Result { try TestAuthority() }

  public static func shared() throws -> TestAuthority { try made.get() }

  private init() throws {
    let workshop = try CertificateWorkshop()
    folder = workshop.folder
    let names = "DNS:localhost,IP:127.0.0.1,IP:::1"
    let authority = try workshop.authority("authority")
    file = authority.certificateFile
    hashedFolder = try workshop.hashed(authority)
    good = try workshop.leaf("good", for: names, by: authority)
    wrongName = try workshop.leaf("wrong-name", for: "DNS:elsewhere.example", by: authority)
    nameless = try workshop.leaf("nameless", for: "email:root@localhost", by: authority)
    expired = try workshop.outdated("expired", for: names, by: authority)
    selfSigned = try workshop.leaf("self-signed", for: names, by: nil)
    wildcard = try workshop.leaf("wildcard", for: "DNS:*.example.test,DNS:w*.partial.test", by: authority)
    client = try workshop.leaf("client", for: "email:client@example", by: authority)
    lockedKeyFile = try workshop.locked(client)
    let stranger = try workshop.authority("stranger")
    strangerFile = stranger.certificateFile
    strangerFolder = try workshop.hashed(stranger)
  }
}

/// Runs `openssl` (3.0 or later) in a folder of its own.
private struct CertificateWorkshop {
  let folder: String

  init() throws {
    var template = Array((NSTemporaryDirectory() + "/rawget-authority-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { throw SetupError("mkdtemp") }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    Self.removeAtExit(folder)
  }

  func authority(_ name: String) throws -> TestCredentials {
    let made = credentials(name)
    try openssl(
      newKey(made) + [
        "-x509", "-out", made.certificateFile, "-subj", "/CN=rawget test \(name)", "-days", "2",
        "-addext", "keyUsage=critical,keyCertSign,cRLSign",
      ])
    return made
  }

  /// Signed by `authority`, or else by itself.
  func leaf(_ name: String, for names: String, by authority: TestCredentials?) throws -> TestCredentials {
    let made = credentials(name)
    let issuer = authority.map { ["-CA", $0.certificateFile, "-CAkey", $0.keyFile] } ?? []
    try openssl(
      newKey(made) + ["-x509", "-out", made.certificateFile, "-subj", "/CN=localhost", "-days", "2"] + issuer + [
        "-addext", "basicConstraints=critical,CA:FALSE", "-addext", "subjectAltName=\(names)",
      ])
    return made
  }

  /// Only `openssl ca` dates certificates in the past, in every version there is.
  func outdated(_ name: String, for names: String, by authority: TestCredentials) throws -> TestCredentials {
    let made = credentials(name)
    let request = "\(folder)/\(name).request"
    try openssl(
      newKey(made) + ["-out", request, "-subj", "/CN=localhost", "-addext", "subjectAltName=\(names)"])
    let configuration = """
      [ca]
      default_ca = tests
      [tests]
      database = \(folder)/index
      new_certs_dir = \(folder)
      rand_serial = yes
      default_md = sha256
      policy = any
      copy_extensions = copy
      [any]
      commonName = supplied
      """
    try Data(configuration.utf8).write(to: URL(fileURLWithPath: "\(folder)/ca.cnf"))
    try Data().write(to: URL(fileURLWithPath: "\(folder)/index"))
    try openssl([
      "ca", "-batch", "-notext", "-config", "\(folder)/ca.cnf", "-in", request, "-out", made.certificateFile,
      "-cert", authority.certificateFile, "-keyfile", authority.keyFile,
      "-startdate", "20200101000000Z", "-enddate", "20200102000000Z",
    ])
    return made
  }

  /// A folder as `openssl rehash` makes it, for one certificate.
  func hashed(_ authority: TestCredentials) throws -> String {
    let hash = try openssl(["x509", "-noout", "-hash", "-in", authority.certificateFile])
    let directory = authority.certificateFile + ".hashed"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
    let name = hash.filter(\.isHexDigit) + ".0"
    try FileManager.default.copyItem(atPath: authority.certificateFile, toPath: "\(directory)/\(name)")
    return directory
  }

  func locked(_ credentials: TestCredentials) throws -> String {
    let file = credentials.keyFile + ".locked"
    try openssl(["pkey", "-in", credentials.keyFile, "-aes256", "-passout", "pass:secret", "-out", file])
    return file
  }

  private func credentials(_ name: String) -> TestCredentials {
    TestCredentials(certificateFile: "\(folder)/\(name).pem", keyFile: "\(folder)/\(name).key")
  }

  private func newKey(_ credentials: TestCredentials) -> [String] {
    ["req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", credentials.keyFile]
  }

  @discardableResult private func openssl(_ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["openssl"] + arguments
    let (output, log) = (Pipe(), "\(folder)/log")
    try Data().write(to: URL(fileURLWithPath: log))
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle(forWritingAtPath: log)
    try process.run()
    let printed = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      let said = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
      throw SetupError("openssl \(arguments.joined(separator: " ")): \(said)", errno: 0)
    }
    return String(decoding: printed, as: UTF8.self)
  }

  private static nonisolated(unsafe) var folderToRemove = ""  // set once, before the process ends

  private static func removeAtExit(_ folder: String) {
    folderToRemove = folder
    atexit { try? FileManager.default.removeItem(atPath: CertificateWorkshop.folderToRemove) }
  }
}
