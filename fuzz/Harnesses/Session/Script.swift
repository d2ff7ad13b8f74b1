/// An input taken as decisions, one after the other. Where it is used up every decision is 0, which is what a server and a
/// system do on a good day: whatever happened before, the story then comes to its end.
struct Script {
  private let bytes: [UInt8]
  private var next = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isOver: Bool { next >= bytes.count }

  mutating func byte() -> Int {
    guard next < bytes.count else { return 0 }
    defer { next += 1 }
    return Int(bytes[next])
  }

  /// 0 to `whole`, in steps of 1/255 of it.
  mutating func share(of whole: Int) -> Int { byte() * whole / 255 }

  mutating func flag() -> Bool { byte() & 1 == 1 }
}
