internal import CPosix

/// What a name stands for. Symbolic links are told, never followed.
public enum EntryKind: Equatable, Sendable {
  case regular(size: Int64)  // bytes
  case symbolicLink
  case directory
  case other
}

/// An open directory. Every file is reached through it by a single component, so that nothing
/// renamed or linked above it can lead elsewhere. A name that is empty, `.`, `..` or holds a slash
/// or NUL is refused (EINVAL).
public struct Directory: ~Copyable, Sendable {
  private let descriptor: Descriptor

  /// Opens the directory; "" is the current one, as "." is.
  public init(path: [UInt8]) throws(SystemError) {
    let name = path.isEmpty ? [UInt8(ascii: ".")] : path
    let raw = withTerminated(name) { unsafe px_directory_open($0) }
    descriptor = Descriptor(adopting: try SystemError.check(raw, .open))
  }

  /// Makes what is missing of the path, for everyone whom the umask does not keep out.
  public static func make(path: [UInt8]) throws(SystemError) {
    try SystemError.check(withTerminated(path) { unsafe px_make_directories($0) }, .create)
  }

  /// Size in bytes and modification time in seconds since 1970; nil unless a regular file has this name.
  public func measure(_ name: [UInt8]) throws(SystemError) -> (size: Int64, modified: Int64)? {
    guard let status = try status(of: name), status.kind == px_kind_regular else { return nil }
    return (status.size, status.modification_seconds)
  }

  /// What `name` is; `nil`: nothing is there.
  public func kind(of name: [UInt8]) throws(SystemError) -> EntryKind? {
    guard let status = try status(of: name) else { return nil }
    switch status.kind {
    case px_kind_regular: return .regular(size: status.size)
    case px_kind_symbolic_link: return .symbolicLink
    case px_kind_directory: return .directory
    default: return .other
    }
  }

  /// Whether `name` still is that of an open file: between an open and a lock another process may have
  /// renamed it.
  public func names(_ name: [UInt8], _ identity: FileIdentity) throws(SystemError) -> Bool {
    guard let named = try status(of: name) else { return false }
    return FileIdentity(named) == identity
  }

  /// A path may lead elsewhere by now.
  public func identity() throws(SystemError) -> FileIdentity {
    var status = px_status()
    try SystemError.check(unsafe px_status_of_descriptor(descriptor.raw, &status), .status)
    return FileIdentity(status)
  }

  /// Makes a file that was not there, for this user alone (mode 0600); every write appends.
  /// A name that is taken, be it by a dangling symbolic link, is EEXIST.
  public func createFile(_ name: [UInt8]) throws(SystemError) -> File {
    let raw = withComponent(name) { unsafe px_file_create(descriptor.raw, $0) }
    return File(adopting: Descriptor(adopting: try SystemError.check(raw, .create)))
  }

  /// Makes a file that has no name and is gone when it is closed, unless it gets one; every write appends. Its permission
  /// bits are `mode` but for the umask's. nil where a file must have a name.
  public func createNamelessFile(mode: UInt32) throws(SystemError) -> File? {
    let raw = px_file_create_nameless(descriptor.raw, mode)
    if raw == -px_ENOTSUP { return nil }
    return File(adopting: Descriptor(adopting: try SystemError.check(raw, .create)))
  }

  /// Gives a file that has no name its first one, in one step for everyone who looks: the whole file, or the name was taken
  /// (EEXIST).
  public func give(_ name: [UInt8], to file: borrowing File) throws(SystemError) {
    let raw = file.raw
    try SystemError.check(withComponent(name) { unsafe px_file_give_name(raw, descriptor.raw, $0) }, .rename)
  }

  /// Opens what is there to read and append. Only a regular file: a symbolic link is ELOOP, a
  /// directory EISDIR, anything else ENOTSUP.
  public func openFile(_ name: [UInt8]) throws(SystemError) -> File {
    let raw = withComponent(name) { unsafe px_file_open(descriptor.raw, $0) }
    let file = File(adopting: Descriptor(adopting: try SystemError.check(raw, .open)))
    guard try file.isRegular() else { throw SystemError(code: px_ENOTSUP, operation: .open) }
    return file
  }

  /// Opens what is there to write, through symbolic links: for devices and FIFOs such as
  /// `/dev/null`. A FIFO waits for its reader; a signal that has a handler ends that with EINTR. Writes to it would block.
  public func openForWriting(_ name: [UInt8]) throws(SystemError) -> File {
    let raw = withComponent(name) { unsafe px_file_open_for_writing(descriptor.raw, $0) }
    return File(adopting: Descriptor(adopting: try SystemError.check(raw, .open)))
  }

  /// One step for everyone who looks: the new name appears with the whole file behind it, or it was
  /// taken (EEXIST). Where the file system can't do that, a second link and the first removed.
  public func renameWithoutReplacing(_ from: [UInt8], to: [UInt8]) throws(SystemError) {
    let outcome = withComponent(from) { old in
      withComponent(to) { new in unsafe px_rename_without_replacing(descriptor.raw, old, new) }
    }
    try SystemError.check(outcome, .rename)
  }

  /// One step too, in which `to` loses what it named before.
  public func renameReplacing(_ from: [UInt8], to: [UInt8]) throws(SystemError) {
    let outcome = withComponent(from) { old in
      withComponent(to) { new in unsafe px_rename_replacing(descriptor.raw, old, new) }
    }
    try SystemError.check(outcome, .rename)
  }

  public func remove(_ name: [UInt8]) throws(SystemError) {
    try SystemError.check(withComponent(name) { unsafe px_remove(descriptor.raw, $0) }, .remove)
  }

  /// Makes creations and renames outlast a power cut, on file systems that can promise it.
  public func synchronize() throws(SystemError) {
    try SystemError.check(px_directory_synchronize(descriptor.raw), .synchronize)
  }

  /// Bytes that this user may still write here; `nil`: the system does not tell.
  public func freeSpace() -> Int64? {
    let space = px_free_space(descriptor.raw)
    return space < 0 ? nil : space
  }

  private func status(of name: [UInt8]) throws(SystemError) -> px_status? {
    var status = px_status()
    let outcome = withComponent(name) { unsafe px_status_of_name(descriptor.raw, $0, &status) }
    if outcome == -px_ENOENT { return nil }
    try SystemError.check(outcome, .status)
    return status
  }

  @safe
  private func withComponent(_ name: [UInt8], _ body: (UnsafePointer<UInt8>) -> Int32) -> Int32 {
    let dot = UInt8(ascii: ".")
    guard !name.isEmpty, name != [dot], name != [dot, dot], !name.contains(UInt8(ascii: "/")) else {
      return -px_EINVAL
    }
    return withTerminated(name, body)
  }
}
