import Foundation
import LoopbackServer

// The other end of the demonstration: serves one made-up file and drops the connection every so
// many bytes, until standard input ends or SIGTERM comes. See `Options.usage`.

guard let options = Options(arguments: Array(CommandLine.arguments.dropFirst())) else {
  FileHandle.standardError.write(Data(Options.usage.utf8))
  exit(2)
}
do {
  // exit, in place of dying by the signal, lets the test authority remove its folder.
  signal(SIGTERM, SIG_IGN)
  let termination = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .global())
  termination.setEventHandler { exit(0) }
  termination.resume()

  switch options.action {
  case .demo:
    let demo = try Demo(options)
    demo.announce()
    while readLine() != nil {}
    demo.stop()
    demo.report()
  case .scenario(let scenario, let folder):
    let server = try ScenarioServer(scenario)
    try server.write(to: folder)
    server.run()
  case .listScenarios:
    FileHandle.standardOutput.write(Data(ScenarioServer.list.utf8))
  }
} catch {
  FileHandle.standardError.write(Data("rawget-loopback: \(error)\n".utf8))
  exit(1)
}
