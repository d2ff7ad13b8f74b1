import Glibc
import Posix
import Testing

struct AddressLookupTests {
  private func addresses(of host: String, port: UInt16) throws -> [SocketAddress] {
    let lookup = try AddressLookup.start(host: host.bytes, port: port)
    waitFor(lookup.raw, POLLIN)
    return try #require(try lookup.result())
  }

  @Test func localhostIsThisMachine() throws {
    let found = try addresses(of: "localhost", port: 8080)
    let four = try #require(SocketAddress(literal: "127.0.0.1".bytes, port: 8080))
    #expect(found.contains(four))
    #expect(found.count <= 64)
    #expect(found.allSatisfy { $0.port == 8080 })
  }

  @Test(arguments: ["192.0.2.1", "2001:db8::1", "fe80::1%lo"]) func aLiteralIsItself(_ literal: String) throws {
    let found = try addresses(of: literal, port: 443)
    let itself = try #require(SocketAddress(literal: literal.bytes, port: 443))
    #expect(found == [itself], "once, not once for each type of socket")
  }

  /// Refused by the resolver itself, so that no name server is asked.
  @Test(arguments: ["", String(repeating: "a", count: 2000), "192.0.2.1%lo", "fe80::1%none-such0"])
  func anImpossibleNameIsAnError(_ host: String) throws {
    let failure = #expect(throws: LookupError.self) { _ = try addresses(of: host, port: 80) }
    let error = try #require(failure)
    #expect(error.code != 0)
    #expect(!error.message.isEmpty)
    #expect(!error.isTemporary)
  }

  @Test func aNULIsRefusedAtOnce() {
    let failure = code { () throws(SystemError) in
      _ = try AddressLookup.start(host: "localhost\0.example".bytes, port: 80)
    }
    #expect(failure == EINVAL)
  }

  @Test func theAnswerStays() throws {
    let lookup = try AddressLookup.start(host: "127.0.0.1".bytes, port: 1)
    waitFor(lookup.raw, POLLIN)
    let first = try lookup.result()
    let second = try lookup.result()
    #expect(first == second)
  }

  /// Some threads finish before they are given up and some after; the sanitizers watch both.
  @Test func lookupsCanBeAbandoned() throws {
    for round in 0..<200 {
      let lookup = try AddressLookup.start(host: "127.0.0.1".bytes, port: UInt16(round))
      if round % 3 == 0 { waitFor(lookup.raw, POLLIN) }
      if round % 3 == 1 { sched_yield() }
    }
    let found = try addresses(of: "127.0.0.1", port: 1)
    #expect(found.count == 1)
  }

  @Test func abandoningRaisesNoSignalAndLeaksNoDescriptor() async {
    await #expect(processExitsWith: .success) {
      signal(SIGPIPE, SIG_DFL)
      let before = openDescriptors()
      for _ in 0..<200 { _ = try AddressLookup.start(host: "127.0.0.1".bytes, port: 1) }
      #expect(!leaks(since: before, rounds: 200))
    }
  }
}
