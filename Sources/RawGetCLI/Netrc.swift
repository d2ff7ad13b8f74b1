internal import RawGet

/// User names and passwords by host, in the file that ftp made a custom: `machine HOST login USER password PASSWORD`, and
/// `default` for all others. Words may be quoted; `#` begins a comment where a word of the file's own is expected; macros
/// are passed over.
struct Netrc {
  static let sizeLimit = 1 << 20  // bytes

  private struct Entry {
    /// nil: `default`.
    var machine: [UInt8]?
    var login: [UInt8] = []
    var password: [UInt8]?
    var line = 0
  }
  private let path: [UInt8]
  private var entries: [Entry] = []
  private let isPrivate: Bool
  /// The entry for all others is one that the user pointed to: it sends a password wherever a URL leads.
  private let usesDefault: Bool

  init(_ path: [UInt8], usesDefault: Bool) throws(UsageError) {
    self.path = path
    self.usesDefault = usesDefault
    let file = try CommandInput.wholeAndPrivacy(of: path, limit: Netrc.sizeLimit)
    isPrivate = file.isPrivate
    try read(file.contents)
  }

  /// Those for a host; nil without an entry. A file that others may read is refused only now: it may hold nothing that
  /// is wanted.
  func credentials(for host: [UInt8]) throws(UsageError) -> Credentials? {
    func isFor(_ entry: Entry) -> Bool {
      guard let machine = entry.machine else { return usesDefault }
      return machine.elementsEqual(host)
    }
    guard let entry = entries.first(where: { isFor($0) }), let password = entry.password else { return nil }
    guard isPrivate else { throw .notPrivate(path) }
    guard let credentials = Credentials(user: entry.login, password: password) else {
      throw .at(place(entry.line), .malformed("a user name with a colon, or a control character"))
    }
    return credentials
  }

  private func place(_ line: Int) -> [UInt8] { path + Text(":\(line)").bytes }

  private mutating func read(_ contents: [UInt8]) throws(UsageError) {
    var words = NetrcWords(contents)
    do throws(UsageError) {
      while let word = try words.next(skipsComments: true) {
        if word.elementsEqual("machine".utf8) {
          let host = try words.value().map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }
          entries.append(Entry(machine: host, line: words.line))
        } else if word.elementsEqual("default".utf8) {
          entries.append(Entry(machine: nil, line: words.line))
        } else if word.elementsEqual("macdef".utf8) {
          words.skipMacro()
        } else {
          try readPart(word, &words)
        }
      }
    } catch {
      throw .at(place(words.line), error)
    }
  }

  private mutating func readPart(_ word: [UInt8], _ words: inout NetrcWords) throws(UsageError) {
    guard ["login", "password", "account"].contains(where: { word.elementsEqual($0.utf8) }) else {
      throw .malformed("a word that is none of machine, default, login, password, account, macdef")
    }
    guard let last = entries.indices.last else { throw .malformed("there is no machine before this") }
    let value = try words.value()
    if word.elementsEqual("login".utf8) { entries[last].login = value }
    if word.elementsEqual("password".utf8) { entries[last].password = value }
  }
}

/// The words of a netrc file.
private struct NetrcWords {
  private let text: [UInt8]
  private var position = 0
  private(set) var line = 1

  init(_ text: [UInt8]) { self.text = text }

  /// nil at the end.
  mutating func next(skipsComments: Bool) throws(UsageError) -> [UInt8]? {
    while position < text.count {
      let byte = text[position]
      if byte == 0x0A { line += 1 }
      if byte == UInt8(ascii: "#") && skipsComments {
        position = text[position...].firstIndex(of: 0x0A) ?? text.count
      } else if isBlank(byte) {
        position += 1
      } else {
        return byte == UInt8(ascii: "\"") ? try quoted() : plain()
      }
    }
    return nil
  }

  /// What must follow.
  mutating func value() throws(UsageError) -> [UInt8] {
    guard let value = try next(skipsComments: false) else { throw .malformed("the last word needs a value") }
    return value
  }

  /// It ends with an empty line.
  mutating func skipMacro() {
    while position < text.count {
      position += 1
      guard text[position - 1] == 0x0A else { continue }
      line += 1
      if position < text.count, text[position] == 0x0A { return }
    }
  }

  private mutating func plain() -> [UInt8] {
    let start = position
    while position < text.count, !isBlank(text[position]) { position += 1 }
    return Array(text[start..<position])
  }

  /// A backslash makes the next character an ordinary one.
  private mutating func quoted() throws(UsageError) -> [UInt8] {
    var word: [UInt8] = []
    position += 1
    while position < text.count, text[position] != 0x0A {
      let byte = text[position]
      position += 1
      if byte == UInt8(ascii: "\"") { return word }
      if byte == UInt8(ascii: "\\"), position < text.count, text[position] != 0x0A {
        word.append(text[position])
        position += 1
      } else {
        word.append(byte)
      }
    }
    throw .malformed("a quote that does not end on its line")
  }

  private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (byte >= 0x09 && byte <= 0x0D) }
}
