/// Content that is kept in memory. Its bound is that of the download (`Destination.memory`).
final class MemoryContent {
  private(set) var bytes: [UInt8] = []

  var length: Int64 { Int64(bytes.count) }

  /// So many bytes follow, as far as it was said.
  func reserve(_ count: Int64) {
    if let count = Int(exactly: count), count > 0 { bytes.reserveCapacity(bytes.count + count) }
  }

  func append(_ content: Span<UInt8>) {
    for index in content.indices { bytes.append(content[index]) }
  }

  /// How much of the content, from its beginning, is what is here from `position` on.
  func countOfEqual(_ content: Span<UInt8>, at position: Int64) -> Int {
    let start = Int(position)
    for index in content.indices where start + index >= bytes.count || bytes[start + index] != content[index] {
      return index
    }
    return content.count
  }

  func cut(to length: Int64) { bytes.removeSubrange(Int(length)...) }

  /// The bytes read; fewer than there is room for only at the end.
  func read(at position: Int64, into room: inout [UInt8]) -> Int {
    let count = min(bytes.count - Int(position), room.count)
    for index in 0..<count { room[index] = bytes[Int(position) + index] }
    return count
  }
}
