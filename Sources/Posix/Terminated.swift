internal import CPosix

/// Calls `body` with the bytes and a NUL after them, as C wants names.
/// A NUL among them would cut the name short: then `-EINVAL`, and `body` is not called.
@safe
func withTerminated(_ bytes: [UInt8], _ body: (UnsafePointer<UInt8>) -> Int32) -> Int32 {
  guard !bytes.contains(0) else { return -px_EINVAL }
  var terminated = bytes
  terminated.append(0)
  return unsafe terminated.span.withUnsafeBufferPointer { buffer in
    guard let start = buffer.baseAddress else { return -px_EINVAL }
    return unsafe body(start)
  }
}

/// The bytes before the NUL.
func bytes(ofTerminated text: UnsafePointer<CChar>) -> [UInt8] {
  var bytes: [UInt8] = []
  var next = unsafe text
  while unsafe next.pointee != 0 {
    bytes.append(UInt8(bitPattern: unsafe next.pointee))
    unsafe next += 1
  }
  return bytes
}
