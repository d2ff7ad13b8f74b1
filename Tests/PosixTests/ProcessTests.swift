import Foundation
import Posix
import Testing

struct ProcessTests {
  @Test func readsTheEnvironment() async {
    await #expect(processExitsWith: .success) {
      setenv("POSIX_TESTS", "väl=ue", 1)
      setenv("POSIX_TESTS_EMPTY", "", 1)
      unsetenv("POSIX_TESTS_NONE")
      #expect(Environment.value("POSIX_TESTS".bytes) == "väl=ue".bytes)
      #expect(Environment.value("POSIX_TESTS_EMPTY".bytes) == [])
      #expect(Environment.value("POSIX_TESTS_NONE".bytes) == nil)
      #expect(Environment.value("POSIX_TESTS\0".bytes) == nil)
      #expect(Environment.value([]) == nil)
    }
  }

  @Test(arguments: [UInt32(0), 0o022, 0o027, 0o077, 0o777]) func readsTheUmaskAndLeavesIt(_ mask: UInt32) async {
    await #expect(processExitsWith: .success) { [mask] in
      umask(mask)
      #expect(FileMode.umask() == mask)
      #expect(FileMode.newFile() == 0o666 & ~mask)
      #expect(umask(0) == mask)
    }
  }

  @Test func raisesTheLimitOfDescriptorsAsFarAsItMay() async {
    await #expect(processExitsWith: .success) {
      var limit = rlimit(rlim_cur: 64, rlim_max: 256)
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      #expect(setrlimit(resource, &limit) == 0)
      #expect(DescriptorLimit.raise(to: 32) == 64, "never lowered")
      #expect(DescriptorLimit.raise(to: 100) == 100, "no further than needed")
      #expect(DescriptorLimit.raise(to: 1_000) == 256, "nor than allowed")
      #expect(DescriptorLimit.raise(to: -1) == .max, "which tells nothing")
      #expect(getrlimit(resource, &limit) == 0)
      #expect(limit.rlim_cur == 256)
      #expect(limit.rlim_max == 256)
    }
  }

  @Test func tellsTerminalsFromTheRest() {
    var main: Int32 = -1
    var other: Int32 = -1
    var size = winsize(ws_row: 24, ws_col: 132, ws_xpixel: 0, ws_ypixel: 0)
    #expect(openpty(&main, &other, nil, nil, &size) == 0)
    #expect(Terminal.isTerminal(other))
    #expect(Terminal.columns(other) == 132)
    #expect(Terminal.rows(other) == 24)
    #expect(Terminal.isForeground(other), "it is not ours to control: nobody is in the way")
    close(other)
    close(main)
    let null = open("/dev/null", O_RDWR)
    #expect(!Terminal.isTerminal(null))
    #expect(Terminal.columns(null) == nil)
    #expect(Terminal.rows(null) == nil)
    close(null)
    #expect(!Terminal.isTerminal(-1))
    #expect(Terminal.columns(-1) == nil)
  }

  @Test func randomBytesDiffer() throws {
    let one = try Random.bytes(32)
    let other = try Random.bytes(32)
    #expect(one.count == 32)
    #expect(one != other)
    #expect(try Random.bytes(0).isEmpty)
    #expect(try Random.bytes(100_000).suffix(64).contains { $0 != 0 }, "filled to the end")
  }

  @Test(arguments: [UInt64(1), 2, 3, 1000, 1 << 63, (1 << 63) + 1, .max]) func uniformStaysBelow(_ bound: UInt64) {
    #expect((0..<1000).allSatisfy { _ in Random.uniform(below: bound) < bound })
  }

  @Test func uniformReachesAll() {
    #expect(Set((0..<1000).map { _ in Random.uniform(below: 3) }) == [0, 1, 2])
    #expect(Random.uniform(below: 0) == 0)
  }
}
