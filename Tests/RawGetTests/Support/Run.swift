import LoopbackServer
import Posix
import Testing

@testable import RawGet

/// Without and with TLS, where it is built in.
let transports = RawGetVersion.hasTLS ? [false, true] : [false]

/// One download, run to its end on a clock that skips, and what came of it.
struct Run {
  let result: DownloadResult
  let progress: DownloadProgress
  let events: [DownloadEvent]
  let skips: [Duration]

  /// Also checks what holds for every end: it is told once, and no descriptor stays open (S2-11, S4-4, T21).
  init(
    _ uri: String, to destination: Destination, in folder: Folder, stall: Stall = Stall(),
    _ change: (inout DownloadRequest, inout DownloadOptions) -> Void = { _, _ in }
  ) throws {
    var (request, options) = try Run.prepared(uri, destination)
    change(&request, &options)
    let usesLanes = options.connections != .exactly(1) || options.blockLength != nil
    var driver = Driver(stall: stall, isLive: usesLanes)
    var download = Download(request, options)
    result = driver.finish(&download)
    progress = download.progress
    events = driver.events
    skips = driver.skips
    Run.expectTheEnd(of: &download, &driver, result, in: folder)
  }

  /// Into the folder, under the name that the server or the target URI gives.
  init(
    _ uri: String, in folder: Folder, stall: Stall = Stall(), _ change: (inout DownloadOptions) -> Void = { _ in }
  ) throws {
    try self.init(uri, to: folder.destination, in: folder, stall: stall) { change(&$1) }
  }

  /// With the authority of the tests for https.
  static func prepared(_ uri: String, _ destination: Destination) throws -> (DownloadRequest, DownloadOptions) {
    var options = DownloadOptions()
    if uri.hasPrefix("https") { options.tls.authorityFile = Array(try TestAuthority.shared().file.utf8) }
    return (DownloadRequest(target: try TargetURI(text: Array(uri.utf8)), destination: destination), options)
  }

  static func expectTheEnd(
    of download: inout Download, _ driver: inout Driver, _ result: DownloadResult, in folder: Folder
  ) {
    driver.closeResting()
    #expect(OpenDescriptors.stillOpen(of: driver.waitedFor) == [], "S2-11 T21")
    #expect(OpenDescriptors.names(in: folder) == [], "S2-11 T21")
    for _ in 0..<2 {
      download.cancel()
      guard case .finished(let again) = driver.run(&download) else {
        Issue.record("S4-4: something came after the end")
        return
      }
      #expect(again.name == result.name, "S4-4: the end stays what it was")
    }
  }

  /// `complete`, or the name of the error.
  var name: String { result.name }

  /// The names of what was met on the way, the end not included.
  var interruptions: [String] { events.compactMap { $0.interruption }.map { RawGetTests.name(of: $0.error) } }
  var delays: [Duration] { events.compactMap { $0.interruption?.delay } }
}
