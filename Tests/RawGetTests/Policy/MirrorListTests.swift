import Testing

@testable import RawGet

/// Which place an attempt begins at, and what the failure of one means.
struct MirrorListTests {
  private static func target(_ name: String) throws -> TargetURI {
    try TargetURI(text: Array("http://\(name).example/f".utf8))
  }

  private static func list(_ mirrors: String..., named: [String] = []) throws -> MirrorList {
    var list = MirrorList(try target("origin"), mirrors: try mirrors.map { try target($0) })
    for name in named { list.add(try target(name), needsDigest: true) }
    return list
  }

  private static func host(_ list: MirrorList) -> String {
    String(String(decoding: list.target.host.text, as: UTF8.self).prefix { $0 != "." })
  }

  /// The hosts in the order in which they are asked.
  private static func walk(_ list: MirrorList, digestDecides: Bool) -> [String] {
    var list = list
    var hosts = [host(list)]
    while list.didFail(digestDecides: digestDecides) { hosts.append(host(list)) }
    return hosts
  }

  /// Gives the present place up.
  private static func fail(
    _ list: inout MirrorList, digestDecides: Bool, turns: Bool, at location: SourceLocation = #_sourceLocation
  ) {
    let hasTurned = list.didFail(digestDecides: digestDecides)
    #expect(hasTurned == turns, sourceLocation: location)
  }

  @Test func placesAreAskedInOrder() throws {
    let list = try Self.list("a", "b", named: ["c"])
    #expect(Self.walk(list, digestDecides: true) == ["origin", "a", "b", "c"])
    #expect(Self.walk(list, digestDecides: false) == ["origin", "a", "b"], "no digest speaks for c")
    #expect(Self.walk(try Self.list(), digestDecides: true) == ["origin"])
  }

  @Test func theLastOneStaysPresent() throws {
    var list = try Self.list("a")
    #expect(list.isAtOrigin && !list.isElsewhere)
    Self.fail(&list, digestDecides: false, turns: true)
    #expect(!list.isAtOrigin && list.isElsewhere)
    for _ in 0..<3 { Self.fail(&list, digestDecides: true, turns: false) }
    #expect(Self.host(list) == "a" && list.present == .failed)
    #expect(!list.hasOther(digestDecides: true))
  }

  /// A digest that is known later opens what was closed.
  @Test func aDigestMayComeLater() throws {
    var list = try Self.list(named: ["c"])
    #expect(!list.hasOther(digestDecides: false))
    Self.fail(&list, digestDecides: false, turns: false)
    Self.fail(&list, digestDecides: true, turns: true)
    #expect(Self.host(list) == "c")
  }

  @Test func aPlaceIsThereOnce() throws {
    let list = try Self.list("a", "origin", "a", named: ["a", "b", "b"])
    #expect(Self.walk(list, digestDecides: true) == ["origin", "a", "b"])
    #expect(Self.walk(list, digestDecides: false) == ["origin", "a"], "the caller's word is not lessened")
  }

  @Test func thereIsABound() throws {
    let mirrors = try (0..<100).map { try Self.target("m\($0)") }
    var list = MirrorList(try Self.target("origin"), mirrors: mirrors)
    list.add(try Self.target("late"), needsDigest: false)
    #expect(Self.walk(list, digestDecides: true) == ["origin"] + (0..<MirrorList.limit).map { "m\($0)" })
  }

  @Test func whoServedIsQuarantined() throws {
    var list = try Self.list("a", "b", "c")
    list.didServe()
    for _ in 0..<2 { Self.fail(&list, digestDecides: false, turns: true) }
    list.didServe()
    let culprits = list.quarantine()
    #expect(try culprits == [Self.target("origin"), Self.target("b")])
    #expect(list.present == .quarantined)
    Self.fail(&list, digestDecides: false, turns: true)
    #expect(Self.host(list) == "c", "the others may be right")
    #expect(list.present == .usable)
  }

  @Test func whatWasThrownAwayIsNobodys() throws {
    var list = try Self.list("a")
    list.didServe()
    list.didRestart()
    let culprits = list.quarantine()
    #expect(culprits.isEmpty)
  }

  // MARK: Several at once

  private static func besides(_ list: MirrorList, digestDecides: Bool) -> [String] {
    list.besides(digestDecides: digestDecides).map {
      "\($0.number) " + String(String(decoding: $0.target.host.text, as: UTF8.self).prefix { $0 != "." })
    }
  }

  @Test func onlyADigestBringsThemTogether() throws {
    let list = try Self.list("a", "b", named: ["c"])
    #expect(Self.besides(list, digestDecides: true) == ["1 a", "2 b", "3 c"])
    #expect(Self.besides(list, digestDecides: false).isEmpty)
    #expect(list.presentNumber == 0)
  }

  @Test func whoFailedIsNotAskedAgain() throws {
    var list = try Self.list("a", "b")
    list.didFail(at: 1)
    #expect(Self.besides(list, digestDecides: true) == ["2 b"])
    #expect(Self.host(list) == "origin" && list.present == .usable, "the present one stays")
    Self.fail(&list, digestDecides: true, turns: true)
    #expect(Self.host(list) == "b" && list.presentNumber == 2)
    #expect(Self.besides(list, digestDecides: true).isEmpty, "the one before failed as well")
  }

  @Test func everyOneThatServedIsQuarantined() throws {
    var list = try Self.list("a", "b")
    list.didServe()
    list.didServe(2)
    let culprits = list.quarantine()
    #expect(try culprits == [Self.target("origin"), Self.target("b")])
    #expect(Self.besides(list, digestDecides: true) == ["1 a"])
  }

  /// Whatever happens, it ends, no place is asked twice, and none without the digest that it needs.
  @Test(arguments: 0..<200 as Range<UInt64>) func everyWalkEnds(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var list = try Self.list()
    var needy: Set<String> = []
    for index in 0..<Int.random(in: 0...40, using: &generator) {
      let needsDigest = Bool.random(using: &generator)
      if needsDigest { needy.insert("m\(index)") }
      list.add(try Self.target("m\(index)"), needsDigest: needsDigest)
    }
    var asked = [Self.host(list)]
    var digestDecides = false
    while true {
      if Int.random(in: 0..<8, using: &generator) == 0 { digestDecides = true }
      if Bool.random(using: &generator) { list.didServe() }
      let hasOther = list.hasOther(digestDecides: digestDecides)
      Self.fail(&list, digestDecides: digestDecides, turns: hasOther)
      guard hasOther else { break }
      let host = Self.host(list)
      #expect(!asked.contains(host) && (digestDecides || !needy.contains(host)))
      asked.append(host)
      #expect(list.present == .usable)
    }
    #expect(asked.count <= 1 + MirrorList.limit)
  }
}
