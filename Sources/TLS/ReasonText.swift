#if TLS
  /// The bytes that a C function writes: it is given room and capacity, and returns how many it used.
  func text(capacity: Int, _ fill: (UnsafeMutablePointer<UInt8>, Int) -> Int) -> [UInt8] {
    unsafe [UInt8](unsafeUninitializedCapacity: capacity) { room, count in
      guard let base = room.baseAddress else { return }
      count = unsafe fill(base, capacity)
    }
  }
#endif
