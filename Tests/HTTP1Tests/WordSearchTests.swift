import Testing

@testable import HTTP1

/// Eight bytes at a time finds what one byte at a time does.
struct WordSearchTests {
  private func simple(_ bytes: [UInt8], from start: Int) -> Int {
    bytes[start...].firstIndex { $0 <= .cr } ?? bytes.count
  }

  @Test(arguments: 0...26) func findsTheFirstOfTwo(count: Int) {
    for filler in [UInt8.cr + 1, 0x20, 0x7F, 0x80, 0x8D, 0xFF] {
      for found in [0, UInt8.lf, .cr] {
        for first in 0...count {
          for second in first...count {
            var bytes = [UInt8](repeating: filler, count: count)
            if first < count { bytes[first] = found }
            if second < count { bytes[second] = found }
            for start in 0...count {
              #expect(bytes.span.firstIndex(ofAtMost: .cr, from: start) == simple(bytes, from: start))
            }
          }
        }
      }
    }
  }

  @Test func tellsEveryByteInEveryPlace() {
    for byte in ASCIITests.everyByte {
      for place in 0..<8 {
        var bytes = [UInt8](repeating: 0x0E, count: 8)
        bytes[place] = byte
        #expect(bytes.span.firstIndex(ofAtMost: .cr, from: 0) == simple(bytes, from: 0))
      }
    }
  }
}
