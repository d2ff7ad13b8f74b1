/// Content that is kept in memory. Its bound is that of the download (`Destination.memory`).
final class MemoryContent {
  private(set) var bytes: [UInt8] = []

  var length: Int64 { Int64(bytes.count) }

  /// What a server says is to come gets no more room than this before it comes.
  private static let reservation: Int64 = 16 << 20  // bytes

  /// So many bytes follow, as far as it was said.
  func reserve(_ count: Int64) {
    guard count > 0 else { return }
    bytes.reserveCapacity(bytes.count + Int(min(count, MemoryContent.reservation)))
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
