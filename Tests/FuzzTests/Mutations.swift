/// Changes to an input, the same ones in every run: what a fuzzer would try first, where there is no fuzzer.
struct Mutations {
  private var state: UInt64

  /// Begins at a place of the input's own (FNV-1a), so that seeds do not all get the same changes.
  init(of input: [UInt8]) {
    state = input.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  /// One to three changes.
  mutating func next(_ input: [UInt8]) -> [UInt8] {
    var changed = input
    for _ in 0...number(below: 3) { change(&changed) }
    return changed
  }

  private mutating func change(_ bytes: inout [UInt8]) {
    guard !bytes.isEmpty else { return bytes.append(UInt8(number(below: 256))) }
    let place = number(below: bytes.count)
    let end = place + number(below: min(16, bytes.count - place)) + 1
    switch number(below: 7) {
    case 0: bytes[place] ^= 1 << UInt8(number(below: 8))
    case 1: bytes[place] = UInt8(number(below: 256))
    case 2: bytes.removeSubrange(place..<end)
    case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
    case 4: bytes.insert(Self.telling[number(below: Self.telling.count)], at: place)
    case 5: bytes.swapAt(place, number(below: bytes.count))
    default: bytes.removeLast(bytes.count - place)
    }
  }

  /// Bytes that mean something in one grammar or another.
  private static let telling = Array("\r\n\0\t :;,=\"\\'%-/?#[]@*0f9".utf8) + [0x7F, 0x80, 0xC0, 0xFF]

  /// SplitMix64.
  private mutating func number(below bound: Int) -> Int {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
  }
}
