import Foundation
import LoopbackServer
import Testing

/// `-v`: no secret, and nothing that a terminal would obey, whatever the server says (promise 8).
struct TraceTests {
  static let masked = [
    "Authorization: Bearer s3cret", "Cookie: id=s3cret", "X-Api-Key: s3cret", "PRIVATE-TOKEN: s3cret",
    "x-amz-security-token: s3cret", "X-Secret: s3cret", "X-Password: s3cret", "X-Auth: s3cret",
    "X-Session-Id: s3cret", "X-Goog-Signature: s3cret", "X-Credential: s3cret", "X-JWT: s3cret",
    "Referer: http://u:s3cret@x/?t=s3cret",
  ]

  @Test(arguments: masked) func whatIsSentIsMasked(_ field: String) throws {
    let server = try LoopbackServer { $0.reply("200 OK", text: "hello") }
    defer { server.stop() }
    let run = try Command.run(["-v", "-H", field, server.uri("/f?token=s3cret&b=s3cret")])
    #expect(server.requests[0].description.contains("s3cret"), "it is sent")
    #expect(!run.standardError.contains("s3cret"), "\(run.standardError)")
    #expect(run.standardError.contains("> GET /f?*** HTTP/1.1\n"))
    #expect(run.standardError.contains("***"))
  }

  static let received = [
    "Set-Cookie: id=s3cret", "X-Api-Key: s3cret", "Location: http://u:s3cret@127.0.0.1/", "Location: /x?sig=s3cret",
    "Location: /x?a b=s3cret", "Content-Location: /x?sig=s3cret,s3cret", "Link: </x?s3cret>; rel=next, </y?s3cret>",
    "Refresh: 0; url=/x?s3cret", "Location: http://u:a,s3cret@127.0.0.1/",
  ]

  @Test(arguments: received) func whatIsReceivedIsMasked(_ field: String) throws {
    let server = try LoopbackServer { $0.reply("200 OK", [field], text: "hello") }
    defer { server.stop() }
    let run = try Command.run(["-v", server.uri("/f")])
    #expect(!run.standardError.contains("s3cret"), "\(run.standardError)")
    #expect(run.standardError.contains("< " + field.prefix { $0 != ":" } + ": "))
  }

  @Test func whatIsNoSecretIsShown() throws {
    let server = try LoopbackServer {
      $0.reply("200 Fine", ["ETag: \"a?b\"", "Link: </x>; rel=\"next\""], text: "hello")
    }
    defer { server.stop() }
    let run = try Command.run(["-v", "-H", "X-Mine: who@where?", server.uri("/f")])
    for line in ["> GET /f HTTP/1.1", "> X-Mine: who@where?", "< HTTP/1.1 200 Fine", "< ETag: \"a?b\""] {
      #expect(run.standardError.contains(line + "\n"), "\(line) in \(run.standardError)")
    }
    #expect(run.standardError.contains("< Link: </x>; rel=\"next\"\n"))
  }

  // U+009B is CSI, as ESC [ is; U+0085 ends a line.
  static let dangerous: [(String, String)] = [
    ("HTTP/1.1 200 \u{9B}31mred\r\nContent-Length: 2\r\n\r\nhi", "a reason"),
    ("HTTP/1.1 200 \u{1B}[31mred\r\nContent-Length: 2\r\n\r\nhi", "ESC in a reason"),
    ("HTTP/1.1 200 OK\r\nX-A: \u{9B}31m\u{85}\r\nContent-Length: 2\r\n\r\nhi", "a value"),
    ("HTTP/1.1 200 OK\r\nX-A: \u{1B}]0;title\u{7}\r\nContent-Length: 2\r\n\r\nhi", "OSC in a value"),
    ("HTTP/1.1 302 Go\r\nLocation: /\u{1B}[2J\r\nContent-Length: 0\r\n\r\n", "ESC in a Location"),
    ("HTTP/1.1 302 Go\r\nLocation: http://\u{9B}x/\r\nContent-Length: 0\r\n\r\n", "CSI in a host"),
    ("HTTP/1.1 404 \u{9B}2J\r\nContent-Length: 2\r\n\r\nhi", "a reason of an error"),
    (
      "HTTP/1.1 200 OK\r\nContent-Disposition: attachment; filename*=UTF-8''%1B%5B31m%C2%9Bx\r\n"
        + "Content-Length: 2\r\n\r\nhi",
      "a file name"
    ),
    ("\u{1B}[31mSSH\r\n", "no HTTP"),
  ]

  @Test(arguments: dangerous) func nothingReachesTheTerminal(_ answer: String, _ because: String) throws {
    let server = try LoopbackServer { exchange in
      exchange.send(answer)
      exchange.keepOpen()
    }
    defer { server.stop() }
    for options in [["-v"], ["--json"], ["--head"], ["--probe"], ["doctor"], ["--explain"]] {
      let run = try Command.run(["--retry", "0", "--max-time", "5"] + options + [server.uri("/f")])
      for text in [run.standardError, String(decoding: run.standardOutput, as: UTF8.self)] {
        let controls = text.unicodeScalars.filter { $0.value < 0x20 && $0 != "\n" || (0x7F...0x9F).contains($0.value) }
        #expect(controls.isEmpty, "\(because), \(options): \(text)")
      }
    }
  }
}
