internal import RawGet

/// One thing to download.
struct Item {
  let request: DownloadRequest
  /// That of its line; nil: what the options say.
  var checksum: Checksum?

  /// Reads a URL as it was given.
  static func target(_ text: [UInt8]) throws(UsageError) -> TargetURI {
    do throws(TargetURIError) { return try TargetURI(text: text) } catch { throw .invalidTarget(error, text) }
  }

  /// Reads a line of a list: a URL, and separated by tabs a name and a checksum, either of which may be empty. nil for
  /// an empty line and a comment.
  static func line(_ line: [UInt8], _ settings: Settings) throws(UsageError) -> Item? {
    guard let first = line.first, first != UInt8(ascii: "#") else { return nil }
    if !line.contains(0x09) { return Item(request: try settings.request(for: try target(line))) }
    let columns = line.split(separator: 0x09, omittingEmptySubsequences: false)
    guard columns.count <= 3, let url = columns.first else { throw .tooManyColumns }
    let target = try target(Array(url))
    let name = columns.count > 1 && !columns[1].isEmpty ? Array(columns[1]) : nil
    if let name, !Destination.isFileName(name) { throw .invalidName(name) }
    var item = Item(request: try settings.request(for: target, named: name))
    if columns.count > 2, !columns[2].isEmpty {
      guard let checksum = Checksum(text: Array(columns[2])) else { throw .invalidChecksum(Array(columns[2])) }
      item.checksum = checksum
    }
    return item
  }
}
