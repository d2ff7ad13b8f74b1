import Posix

@testable import RawGet

/// What happens to one file from its first byte to its end: processes that begin and are killed, a server that changes its
/// mind, a disk that fails and loses its power. Then the server and the system are as they should be, and it must be whole.
///
/// The script:
///
///     nine bytes        validators (0 strong tag, 1 strong date, 2 weak tag, 3 recent date, 4 none, 5 a tag that stays)
///                       · length · place and length of another version · of a third one · whether they differ in two bytes
///                       (bit 0), --paranoid (all of 0x1E), --no-resume (all of 0xE0) · overlap - 1 · bytes between syncs, in 4
///     for each process  what came before it (0 nothing, 1 another version, 2 another link, 3 the record is lost)
///                       · how many operations later the disk fails it (0: never; odd: in one of them, even: in all, a kill)
///     for each attempt  five bytes for each answer (`SessionServer.answer`)
///                       · what comes then: below 128 another attempt, below 192 an orderly end, else a kill; of 240 on
///                       the power is cut as well: operations that are undone · content left · changes to names left
struct SessionStory {
  /// How it went, for those who want to know what was reached.
  struct Ending {
    var isHonest = false  // only the last server brought it to its end
    var powerCuts = 0
    var replacements = 0
    var isSampled = false
  }
  static let attemptLimit = 60  // in all, before the server becomes honest

  private var script: Script
  private var server: SessionServer
  private let validators: SessionValidators
  private var options = ResumeOptions()
  private let syncBytes: Int64
  private var disk: SimulatedDisk
  private var witness: SessionWitness
  private var boot = 1
  private var attempts = 0
  /// By somebody else's hand: then nothing says what a power cut may have damaged, and there is none.
  private var recordWasLost = false
  private var ending = Ending()

  init(_ input: [UInt8]) {
    script = Script(input)
    validators = SessionValidators(rawValue: script.byte() % SessionValidators.allCases.count) ?? .none
    let flags = input.count > 6 ? input[6] : 0
    server = SessionServer(validators, differsInTwoBytes: flags & 1 == 1, &script)
    _ = script.byte()
    options.isParanoid = flags & 0x1E == 0x1E
    options.isOff = flags & 0xE0 == 0xE0
    options.overlap = 1 + Int64(script.byte() % 40)
    syncBytes = 4 + 4 * Int64(script.byte())
    disk = SimulatedDisk(boot: "boot-1")
    witness = SessionWitness(server.wholes)
    witness.watch(disk)
  }

  mutating func tell() throws -> Ending {
    while !script.isOver, attempts < SessionStory.attemptLimit {
      if try tellProcess() { return ending }
    }
    ending.isHonest = true
    try finishHonestly()
    return ending
  }

  /// True when the file is whole.
  private mutating func tellProcess() throws -> Bool {
    var client = try begin(after: script.byte())
    fail(after: script.byte())
    var isProven: Bool?
    while attempts < SessionStory.attemptLimit {
      attempts += 1
      let end = client.attempt(&server, &script)
      ending.replacements += client.hasReplaced ? 1 : 0
      ending.isSampled = ending.isSampled || client.hasSampled
      try witness.requireWell(client, disk)
      isProven = client.isProven
      if end == .complete { try witness.requireWhole(disk, isProven: isProven) }
      let next = script.byte()
      if end == nil, next < 128, !script.isOver { continue }
      if next < 192 { client.settle() }
      try witness.requireSeen()
      if next >= 240, !recordWasLost { try cutPower(isProven) }
      break
    }
    disk.fault = nil
    guard disk.content(of: "file") != nil else { return false }
    try witness.requireWhole(disk, isProven: isProven, isEnd: false)
    return true
  }

  private mutating func begin(after event: Int) throws -> SessionClient {
    switch event & 7 {
    case 1: server.turn(to: event >> 3)
    case 3 where validators.areSilent && ending.powerCuts == 0:
      try disk.removeIfPresent(PartNames(SessionClient.name).record)
      recordWasLost = true
    default: break
    }
    let link = event & 7 == 2 ? "http://example.org/file?signature=2" : "http://example.org/file"
    let place = PartFile.Place(store: disk, boot: disk.bootIdentity, syncBytes: syncBytes)
    let client = try SessionClient(in: place, TargetURI(text: Array(link.utf8)), options)
    try witness.requireKept(client, disk)
    return client
  }

  /// From an operation on the disk does nothing any more, which is what a kill is to it; or one operation fails.
  private func fail(after count: Int) {
    guard count > 0 else { return }
    let place = disk.log.count + count / 2
    var isOver = false
    disk.fault = { [unowned disk] _ in
      guard disk.log.count >= place, !isOver else { return nil }
      isOver = count % 2 == 1
      return 5  // EIO
    }
  }

  private mutating func cutPower(_ isProven: Bool?) throws {
    let (undone, share, names) = (script.byte(), script.byte(), script.byte())
    var cut = PowerCut(disk.beginning)
    for operation in disk.log.dropLast(undone) { cut.advance(operation) }
    let contents: [PowerCut.Content] = [.kept, .lost, .torn(share: share), .zeros(share: share), .hole(share: share)]
    let fate = PowerCut.Fate(
      entries: UInt64(names) | UInt64(names) << 8, content: contents[share % contents.count], attributesKept: false)
    boot += 1
    ending.powerCuts += 1
    disk = SimulatedDisk(cut.image(fate), boot: "boot-\(boot)")
    try witness.requireDurable(disk)
    witness.watch(disk)
  }

  /// Whatever is here, a server that keeps to the rules leads to its version, whole.
  private mutating func finishHonestly() throws {
    script = Script([])
    var client = try begin(after: 0)
    for _ in 0..<16 {
      let end = client.attempt(&server, &script)
      try witness.requireWell(client, disk)
      switch end {
      case nil: continue
      case .failed?: throw Violation(description: "an honest server is refused")
      case .complete?:
        try witness.requireWhole(disk, isProven: client.isProven)
        let isRight = disk.content(of: "file") == server.versions[server.current].content
        return try require(isRight && client.isProven == true, "not the version that an honest server has")
      }
    }
    // Begun from a login page: then it is the file that looks like something else, and the caller has to say so.
    if case .notTheResource? = client.lastError, validators == .none { return }
    throw Violation(description: "no end with an honest server")
  }
}
