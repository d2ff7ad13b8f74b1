internal import CPosix

/// An open file. Writes go to its end, or where the system puts them for a device or a pipe.
public struct File: ~Copyable, Sendable {
  private let descriptor: Descriptor

  public init(adopting descriptor: consuming Descriptor) { self.descriptor = descriptor }

  public var raw: Int32 { descriptor.raw }

  /// One write: the bytes taken, perhaps fewer than were given.
  public func append(_ bytes: Span<UInt8>) throws(SystemError) -> Int {
    guard !bytes.isEmpty else { return 0 }
    let count = unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe px_write(raw, buffer.baseAddress, buffer.count)
    }
    return try SystemError.check(count, .write)
  }

  /// Writes all of it. `written` grows by what was taken, so that it tells the truth after a
  /// failure as well.
  public func appendAll(_ bytes: Span<UInt8>, written: inout Int64) throws(SystemError) {
    var offset = 0
    while offset < bytes.count {
      let count = try append(bytes.extracting(offset...))
      // No file system takes nothing without saying why; if one does, this must still end.
      guard count > 0 else { throw .unexplained }
      offset += count
      written += Int64(count)
    }
  }

  /// Bytes in the file now.
  public func length() throws(SystemError) -> Int64 { try status().size }

  /// Which file it is, and the bytes in it now.
  public func measure() throws(SystemError) -> (identity: FileIdentity, length: Int64) {
    let status = try status()
    return (FileIdentity(status), status.size)
  }

  public func isRegular() throws(SystemError) -> Bool {
    try status().kind == px_kind_regular
  }

  /// Bytes read from `offset`; 0: at or past the end, or no room to read into.
  public func read(at offset: Int64, into buffer: inout MutableSpan<UInt8>) throws(SystemError) -> Int {
    let count = unsafe buffer.withUnsafeMutableBufferPointer { bytes in
      unsafe px_read_at(raw, offset, bytes.baseAddress, bytes.count)
    }
    return try SystemError.check(count, .read)
  }

  /// Cuts the file; used only for bytes that a power cut made worthless.
  public func truncate(to length: Int64) throws(SystemError) {
    try SystemError.check(px_truncate(raw, length), .write)
  }

  /// The content and its length outlast a power cut.
  public func synchronizeData() throws(SystemError) {
    try SystemError.check(px_synchronize_data(raw), .synchronize)
  }

  /// Mode and times too.
  public func synchronize() throws(SystemError) {
    try SystemError.check(px_synchronize(raw), .synchronize)
  }

  /// The system begins to write what it has of the content, and nobody waits for that: a hint, before the
  /// ``synchronize()`` of several files.
  public func beginSynchronizing() { px_begin_synchronizing(raw) }

  public func setMode(_ mode: UInt32) throws(SystemError) {
    try SystemError.check(px_set_mode(raw, mode), .changeAttributes)
  }

  /// The last-modified time in seconds since 1970; the access time stays.
  public func setModificationTime(seconds: Int64) throws(SystemError) {
    try SystemError.check(px_set_modification_time(raw, seconds), .changeAttributes)
  }

  /// Sets an extended attribute, which not every file system has.
  public func setAttribute(_ name: [UInt8], _ value: [UInt8]) throws(SystemError) {
    let raw = raw
    let outcome = withTerminated(name) { name in
      unsafe value.span.withUnsafeBufferPointer { value in
        unsafe px_set_attribute(raw, name, value.baseAddress, value.count)
      }
    }
    try SystemError.check(outcome, .changeAttributes)
  }

  /// Takes the advisory lock (flock), which lasts until the file is closed; `false`: another open
  /// file has it. A file system without locks counts as locked: nobody else gets one there either.
  public func tryLock() throws(SystemError) -> Bool {
    try SystemError.check(px_try_lock(raw), .lock) == 1
  }

  private func status() throws(SystemError) -> px_status {
    var status = px_status()
    try SystemError.check(unsafe px_status_of_descriptor(raw, &status), .status)
    return status
  }
}
