import LoopbackServer
import Testing

@testable import RawGet

/// Cancelled anywhere, a download leaves what it has, closes what it opened, and says so once.
struct CancelTests {
  private static let resource = Resource(length: 100_000, seed: 11)
  private let folder: Folder
  private let stall = Stall()

  init() throws { folder = try Folder() }

  enum Place: Sendable, CaseIterable {
    case start, resolving, connecting, handshaking, sent, head
    case content, secureContent, chunk, redirect, comparing, pausing

    var needsTLS: Bool { self == .handshaking || self == .secureContent }
  }

  private func server(_ place: Place) throws -> LoopbackServer {
    let stall = stall
    let tls = place == .secureContent ? try ServerTLS(TestAuthority.shared().good) : nil
    return try LoopbackServer(tls: tls) { exchange in
      let content = { (range: Range<Int64>) in exchange.send(Self.resource.bytes(in: range)) }
      switch place {
      case .start, .resolving, .connecting, .handshaking, .sent: break
      case .head: exchange.send("HTTP/1.1 200 OK\r\nContent-")
      case .content, .secureContent, .comparing:
        exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
        _ = content(0..<30_000)
      case .chunk:
        exchange.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffff\r\n")
        _ = content(0..<30_000)
      case .redirect: exchange.send("HTTP/1.1 302 Found\r\nLocation: /y\r\nContent-Length: 9\r\n\r\nsee")
      case .pausing:
        return exchange.reply("503 Busy", ["Retry-After: 60"], text: "no")
      }
      exchange.stall(stall)
    }
  }

  private func kept(_ place: Place) -> Range<Int64> {
    switch place {
    case .content, .secureContent, .chunk: 0..<30_000
    case .comparing: 0..<40_000
    default: 0..<0
    }
  }

  @Test("S1-10 S2-11 S3-7 T19 T21", arguments: Place.allCases.filter { RawGetVersion.hasTLS || !$0.needsTLS })
  func everyStage(_ place: Place) throws {
    let server = try server(place)
    defer { server.stop() }
    let silent = try SilentPort()
    if place == .comparing { try folder.put(Self.resource.bytes(in: kept(place)), as: "x.part") }
    let uri =
      switch place {
      case .resolving: "http://localhost:\(silent.port)/x"
      case .connecting: "http://127.0.0.1:\(silent.port)/x"
      case .handshaking: "https://127.0.0.1:\(server.port)/x"  // which this server does not speak
      default: server.uri("/x")
      }
    let (request, options) = try Run.prepared(uri, folder.destination)
    var download = Download(request, options)
    var driver = Driver(stall: stall)
    run(&download, &driver, to: place)
    download.cancel()
    let result = driver.finish(&download)

    #expect(result.name == "cancelled")
    #expect(result.failure?.kept == Int64(kept(place).count))
    let part = Self.resource.content(in: kept(place))
    #expect(try folder.namesWithoutRecords == (kept(place).isEmpty ? [] : ["x.part"]))
    #expect(kept(place).isEmpty || folder.content(of: "x.part") == part, "resumable, to the byte")
    #expect(place == .start || place == .pausing || !driver.waitedFor.isEmpty)
    Run.expectTheEnd(of: &download, &driver, result, in: folder)
  }

  private func run(_ download: inout Download, _ driver: inout Driver, to place: Place) {
    switch place {
    case .start: return
    case .resolving, .connecting, .handshaking:
      stall.raise()
      driver.runToStall(&download)
      #expect(driver.events.isEmpty)
    case .pausing:
      while true {
        switch driver.run(&download) {
        case .event, .kept: continue
        case .resting: return
        case .finished, .stalled:
          Issue.record("there was to be a pause")
          return
        }
      }
    default: driver.runToStall(&download)
    }
  }

  @Test("what was cancelled can be taken up again") func andThenOn() throws {
    let (stall, resource) = (stall, Self.resource)
    let server = try LoopbackServer { exchange in
      guard exchange.requestNumber == 1 else { return resource.respond(to: exchange) }
      exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\nETag: \"first\"\r\n\r\n")
      exchange.send(resource.bytes(in: 0..<30_000))
      exchange.stall(stall)
    }
    defer { server.stop() }
    let (request, options) = try Run.prepared(server.uri("/x"), folder.destination)
    var download = Download(request, options)
    var driver = Driver(stall: stall)
    driver.runToStall(&download)
    download.cancel()
    // The first one still lives, and holds nothing that would stand in the way.
    #expect(try Run(server.uri("/x"), in: folder).name == "complete")
    #expect(folder.content(of: "x") == resource.content)
  }

  @Test("S4-4: after the end, cancelling changes nothing") func afterTheEnd() throws {
    let server = try LoopbackServer { $0.reply("200 OK", text: "hello") }
    defer { server.stop() }
    let (request, options) = try Run.prepared(server.uri("/x"), folder.destination)
    var download = Download(request, options)
    var driver = Driver()
    #expect(driver.finish(&download).name == "complete")
    download.cancel()
    #expect(driver.finish(&download).name == "complete")
    #expect(folder.content(of: "x") == Content("hello"))
  }
}
