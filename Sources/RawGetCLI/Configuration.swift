internal import RawGet

/// The configuration file: long options, one a line, as `name value` or `name=value`, to the end of the line and without
/// quotes; `#` begins a comment line. It is read before the arguments, so that these have the last word.
enum Configuration {
  private static let sizeLimit = 65_536  // bytes
  /// Options that hold secrets, or run something: nobody else may read or write a file with one of them.
  private static var sensitive: [String] { ["header", "user", "proxy", "proxy-user", "cookie", "body", "exec"] }

  /// One option of the file, and where it stands.
  struct Entry {
    let occurrence: ParsedArguments.Occurrence
    let place: [UInt8]
  }

  /// What the file says that the arguments name, or the user's own.
  static func entries(_ arguments: ParsedArguments) throws(UsageError) -> [Entry] {
    var path = defaultPath
    var isNamed = false
    for occurrence in arguments.occurrences {
      let name = Array(occurrence.option.name.utf8)
      if name.elementsEqual("config".utf8) {
        path = occurrence.value
        isNamed = true
      } else if name.elementsEqual("no-config".utf8) {
        path = nil
      } else if ["help", "version", "completion"].contains(where: { name.elementsEqual($0.utf8) }) {
        return []
      }
    }
    guard let path, isNamed || CommandInput.exists(path) else { return [] }
    return try entries(in: path)
  }

  /// `$XDG_CONFIG_HOME/rawget/config`, or below `$HOME/.config`. A relative one is to be ignored (XDG Base Directory).
  private static var defaultPath: [UInt8]? {
    let slash = UInt8(ascii: "/")
    if let base = CommandSystem.variable("XDG_CONFIG_HOME"), base.first == slash {
      return base + Array("/rawget/config".utf8)
    }
    guard let home = CommandSystem.variable("HOME"), home.first == slash else { return nil }
    return home + Array("/.config/rawget/config".utf8)
  }

  private static func entries(in path: [UInt8]) throws(UsageError) -> [Entry] {
    let text = try CommandInput.contents(of: path, limit: sizeLimit)
    var entries: [Entry] = []
    var isSensitive = false
    for (index, line) in text.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      let place = path + Text(":\(index + 1)").bytes
      do throws(UsageError) {
        guard let occurrence = try occurrence(trimmed(line)) else { continue }
        isSensitive = isSensitive || sensitive.contains { occurrence.option.name.utf8.elementsEqual($0.utf8) }
        entries.append(Entry(occurrence: occurrence, place: place))
      } catch {
        throw .at(place, error)
      }
    }
    if isSensitive { _ = try CommandInput.contents(of: path, limit: sizeLimit, mustBePrivate: true) }
    return entries
  }

  /// nil for an empty line and a comment.
  private static func occurrence(_ line: ArraySlice<UInt8>) throws(UsageError) -> ParsedArguments.Occurrence? {
    let equals = UInt8(ascii: "=")
    guard let first = line.first, first != UInt8(ascii: "#") else { return nil }
    let end = line.firstIndex { isBlank($0) || $0 == equals } ?? line.endIndex
    let name = Array(line[..<end])
    var value = trimmed(line[end...])
    if value.first == equals { value = trimmed(value.dropFirst()) }
    guard let option = CommandOption.table.first(where: { name.elementsEqual($0.name.utf8) }) else {
      throw .unknownOption(name)
    }
    if !isAllowed(option) { throw .notInConfiguration(option: option.name) }
    if option.argument == nil, end != line.endIndex { throw .unexpectedArgument(option: option.name) }
    if option.argument != nil, value.isEmpty { throw .missingArgument(option: option.name) }
    return ParsedArguments.Occurrence(option: option, value: Array(value))
  }

  /// What there is to download, and what is done instead, is for the arguments to say.
  private static func isAllowed(_ option: CommandOption) -> Bool {
    switch option.section {
    case .asking, .other: false
    case .batch: !option.name.utf8.elementsEqual("input".utf8)
    case .requests: !["range", "multipart"].contains { option.name.utf8.elementsEqual($0.utf8) }
    case .network: !option.name.utf8.elementsEqual("mirror".utf8)
    case .files, .resuming, .trust, .output: true
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

  private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var text = text.drop(while: isBlank)
    while let last = text.last, isBlank(last) { text.removeLast() }
    return text
  }
}
