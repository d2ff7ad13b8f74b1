import Posix
import Testing

@testable import RawGet

/// Names that were found a moment ago.
struct AddressBookTests {
  private static let start = Instant(nanoseconds: 1_000_000_000_000)

  private static func name(_ host: String, _ port: UInt16 = 80, _ family: AddressFamily? = nil) -> AddressBook.Name {
    AddressBook.Name(host: Array(host.utf8), port: port, family: family)
  }

  private static func address(_ number: Int) throws -> SocketAddress {
    try #require(SocketAddress(literal: Array("192.0.2.\(number)".utf8), port: 80))
  }

  @Test func aNameIsAHostAPortAndAFamily() throws {
    let book = AddressBook()
    let address = try Self.address(1)
    book.keep([address], of: Self.name("a"), now: Self.start)
    #expect(book.addresses(of: Self.name("a"), now: Self.start) == [address])
    for other in [Self.name("b"), Self.name("a", 81), Self.name("a", 80, .v6)] {
      #expect(book.addresses(of: other, now: Self.start) == nil, "\(other)")
    }
  }

  @Test func theLastAnswerCounts() throws {
    let book = AddressBook()
    book.keep([try Self.address(1)], of: Self.name("a"), now: Self.start)
    book.keep([try Self.address(2)], of: Self.name("a"), now: Self.start)
    #expect(book.addresses(of: Self.name("a"), now: Self.start) == [try Self.address(2)])
    book.forget(Self.name("a"))
    #expect(book.addresses(of: Self.name("a"), now: Self.start) == nil)
  }

  @Test func noneIsKeptForLong() throws {
    let book = AddressBook()
    book.keep([try Self.address(1)], of: Self.name("a"), now: Self.start)
    let end = Self.start + AddressBook.keptFor
    #expect(book.addresses(of: Self.name("a"), now: end) != nil)
    #expect(book.addresses(of: Self.name("a"), now: end + .nanoseconds(1)) == nil)
  }

  @Test func theOldestMakesRoom() throws {
    let book = AddressBook()
    for number in 0...AddressBook.most {
      book.keep([try Self.address(1)], of: Self.name("\(number)"), now: Self.start)
    }
    #expect(book.addresses(of: Self.name("0"), now: Self.start) == nil)
    #expect(book.addresses(of: Self.name("1"), now: Self.start) != nil)
  }
}
