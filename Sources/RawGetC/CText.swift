internal import RawGet

/// Bytes that C borrows: NUL-terminated, at one address as long as this lives.
@safe
final class CText {
  private let memory: UnsafeMutablePointer<CChar>
  var pointer: UnsafePointer<CChar> { unsafe UnsafePointer(memory) }

  /// Up to the first NUL, if there is one.
  init(_ bytes: [UInt8]) {
    unsafe memory = .allocate(capacity: bytes.count + 1)
    for (index, byte) in bytes.enumerated() { unsafe memory[index] = CChar(bitPattern: byte) }
    unsafe memory[bytes.count] = 0
  }

  deinit { unsafe memory.deallocate() }
}

/// The bytes of a caller's string without their NUL; nil for NULL.
func bytes(at string: UnsafePointer<CChar>?) -> [UInt8]? {
  guard let string = unsafe string else { return nil }
  var bytes: [UInt8] = []
  var next = unsafe string
  while unsafe next.pointee != 0 {
    bytes.append(UInt8(bitPattern: unsafe next.pointee))
    unsafe next += 1
  }
  return bytes
}

/// The same for several, of which NULL is the end; no more than `limit + 1`.
func list(at strings: UnsafePointer<UnsafePointer<CChar>?>?, limit: Int) -> [[UInt8]] {
  guard let strings = unsafe strings else { return [] }
  var list: [[UInt8]] = []
  while list.count <= limit, let bytes = unsafe bytes(at: strings[list.count]) { list.append(bytes) }
  return list
}
