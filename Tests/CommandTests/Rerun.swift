import Foundation
import LoopbackServer
import Testing

/// The same command twice in one folder: a run that is cut after `kept` bytes, and the next one.
struct Rerun {
  static let resource = Resource(length: 2_000_000)
  static let kept: Int64 = 1_228_400  // bytes, 61.42 %
  static let overlap: Int64 = 65_536  // bytes
  static let name = "file.bin"

  let server: LoopbackServer
  let folder: Folder

  /// Leaves `kept` bytes of `first` in a part; every later request is answered by `later`.
  init(
    _ first: Resource = Rerun.resource, kept: Int64 = Rerun.kept, options: [String] = [], fields: [String] = [],
    later: @escaping LoopbackServer.Script = { Rerun.resource.respond(to: $0) }
  ) throws {
    server = try LoopbackServer { exchange in
      guard exchange.requestNumber == 1 else { return later(exchange) }
      var conduct = Conduct.dropping(after: kept)
      conduct.fields = fields
      first.respond(to: exchange, conduct)
    }
    folder = try Folder()
    let cut = try RunningCommand(["-q", "--retry", "0"] + options + [server.uri("/file.bin")], in: folder).outcome()
    try cut.expect(.incomplete, leaving: ["file.bin.part": Summary(first.bytes(in: 0..<kept))], "the first run")
  }

  /// The next run, not quiet.
  func again(_ options: [String] = []) throws -> Outcome {
    try RunningCommand(options + [server.uri("/file.bin")], in: folder).outcome()
  }

  /// The requests of the runs after the first.
  var requests: [RecordedRequest] { Array(server.requests.dropFirst()) }

  var ranges: [String?] { requests.map { $0.field("Range") } }

  func record() throws -> [UInt8] { try folder.bytes(of: "file.bin.part.meta") }
}

extension Folder {
  func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name))
  }

  /// Whole seconds since 1970; nil while there is no such file.
  func modificationTime(of name: String) -> Int64? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path + "/" + name)
    return (attributes?[.modificationDate] as? Date).map { Int64($0.timeIntervalSince1970) }
  }

  func setModificationTime(of name: String, to seconds: Int64) throws {
    let date = Date(timeIntervalSince1970: TimeInterval(seconds))
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path + "/" + name)
  }
}

extension Resource {
  /// `lastModified` as it is made: Sat, 21 Mar 2026 09:30:00 GMT.
  static let modified: Int64 = 1_774_085_400  // seconds since 1970

  /// The same, without anything that names it.
  func withoutValidator() -> Resource {
    var other = self
    other.entityTag = nil
    other.lastModified = nil
    return other
  }

  func with(length: Int64) -> Resource {
    var other = self
    other.length = length
    return other
  }

  func with(entityTag: String?) -> Resource {
    var other = self
    other.entityTag = entityTag
    return other
  }
}

extension Outcome {
  /// Expects success with exactly this file, whatever was said; `lines` are among what was said.
  func expectWhole(
    _ resource: Resource, name: String = Rerun.name, saying words: [String] = [], _ because: String = "",
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let comment: Comment = "\(because); it said: \(standardError)"
    #expect(ending == .exited(0), comment, sourceLocation: location)
    #expect(try folder.files == [name: Summary(resource.bytes)], comment, sourceLocation: location)
    for words in words { #expect(standardError.contains(words), comment, sourceLocation: location) }
  }

  /// The lines on standard error with `words` in them.
  func lines(with words: String) -> [Substring] {
    standardError.split(separator: "\n").filter { $0.contains(words) }
  }
}
