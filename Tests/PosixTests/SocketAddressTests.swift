import Posix
import Testing

struct SocketAddressTests {
  struct Row: Sendable { let literal: String, text: String?, because: String }  // nil: must be refused

  static let rows = [
    Row(literal: "127.0.0.1", text: "127.0.0.1:80", because: "a dotted quad (S4-8)"),
    Row(literal: "255.255.255.255", text: "255.255.255.255:80", because: "the largest"),
    Row(literal: "0.0.0.0", text: "0.0.0.0:80", because: "the smallest"),
    Row(literal: "::1", text: "[::1]:80", because: "IPv6 (S4-8)"),
    Row(literal: "::", text: "[::]:80", because: "all zeros"),
    Row(literal: "2001:DB8:0:0:1::1", text: "[2001:db8::1:0:0:1]:80", because: "written the short way (RFC 5952)"),
    Row(
      literal: "fedc:ba98:7654:3210:fedc:ba98:7654:3210", text: "[fedc:ba98:7654:3210:fedc:ba98:7654:3210]:80",
      because: "all sixteen bytes in their order"),
    Row(literal: "::ffff:192.0.2.7", text: "[::ffff:192.0.2.7]:80", because: "IPv4-mapped"),
    Row(literal: "fe80::1%lo", text: "[fe80::1%lo]:80", because: "a zone by name (RFC 4007 §11)"),
    Row(literal: "fe80::1%1", text: "[fe80::1%lo]:80", because: "a zone by number"),
    Row(literal: "fe80::1%4294967295", text: "[fe80::1%4294967295]:80", because: "a number that has no name"),
    Row(literal: "", text: nil, because: "empty"),
    Row(literal: "localhost", text: nil, because: "a name"),
    Row(literal: "127.1", text: nil, because: "two parts: an old form of inet_aton"),
    Row(literal: "127.0.0.01", text: nil, because: "a leading zero, which some read as octal"),
    Row(literal: "0x7f.0.0.1", text: nil, because: "hexadecimal"),
    Row(literal: "2130706433", text: nil, because: "one number"),
    Row(literal: "256.0.0.1", text: nil, because: "over a byte"),
    Row(literal: "127.0.0.1.", text: nil, because: "a dot at the end"),
    Row(literal: " 127.0.0.1", text: nil, because: "a blank"),
    Row(literal: "127.0.0.1%lo", text: nil, because: "IPv4 has no zones"),
    Row(literal: "[::1]", text: nil, because: "brackets belong to the URI"),
    Row(literal: "::1%", text: nil, because: "an empty zone"),
    Row(literal: "::1%0", text: nil, because: "zone 0 is no zone"),
    Row(literal: "fe80::1%none-such0", text: nil, because: "no such interface"),
    Row(literal: "fe80::1%4294967296", text: nil, because: "one more than 32 bits"),
    Row(literal: "fe80::1%18446744073709551617", text: nil, because: "one more than 64 bits"),
    Row(literal: "fe80::1%1a", text: nil, because: "not a number"),
    Row(literal: "fe80::1%-1", text: nil, because: "a sign"),
    Row(literal: ":::", text: nil, because: "three colons"),
    Row(literal: "1:2:3:4:5:6:7", text: nil, because: "seven groups"),
    Row(literal: "1:2:3:4:5:6:7:8:9", text: nil, because: "nine groups"),
    Row(literal: "12345::", text: nil, because: "five digits"),
    Row(literal: "::1\0", text: nil, because: "NUL"),
    Row(literal: "127.0.0.1\0.example", text: nil, because: "NUL hides the rest"),
    Row(literal: String(repeating: "0", count: 5000), text: nil, because: "longer than any buffer"),
    Row(literal: "::1%" + String(repeating: "1", count: 5000), text: nil, because: "longer than any interface's name"),
  ]

  @Test(arguments: rows) func reads(_ row: Row) {
    let address = SocketAddress(literal: row.literal.bytes, port: 80)
    #expect(address.map { String(decoding: $0.text, as: UTF8.self) } == row.text, "\(row.because)")
  }

  @Test(arguments: [("10.0.0.1", AddressFamily.v4), ("10::1", .v6)])
  func keepsFamilyAndPort(_ literal: String, _ family: AddressFamily) throws {
    let address = try #require(SocketAddress(literal: literal.bytes, port: 65535))
    #expect(address.family == family)
    #expect(address.port == 65535)
    #expect(address == SocketAddress(literal: literal.bytes, port: 65535))
    #expect(address != SocketAddress(literal: literal.bytes, port: 65534))
  }

  @Test func zonesTellAddressesApart() {
    #expect(SocketAddress(literal: "fe80::1%1".bytes, port: 1) != SocketAddress(literal: "fe80::1".bytes, port: 1))
  }
}
