/// What the command line asks for.
struct Options {
  enum Action {
    case demo
    case scenario(Scenario, folder: String)
    case listScenarios
  }
  var action = Action.demo
  var size: Int64 = 64_000_000  // bytes
  var dropEvery: Int64 = 10_000_000  // bytes of content

  static let usage = """
    usage: rawget-loopback [--size BYTES] [--drop-every BYTES]
           rawget-loopback --scenario NAME FOLDER
           rawget-loopback --scenarios
    Serves /demo.bin on loopback, over http and over https with a certificate of its own authority,
    and drops each connection after --drop-every bytes. Ends when standard input does.
    Or serves /file.bin as one scenario says, after writing what it will serve to FOLDER; each line on
    standard input begins the next run of a client. Or lists the scenarios.

    """

  /// nil for anything that is not in `usage`.
  init?(arguments: [String]) {
    if arguments == ["--scenarios"] {
      action = .listScenarios
      return
    }
    if arguments.count == 3, arguments[0] == "--scenario" {
      guard let scenario = Scenario.all.first(where: { $0.name == arguments[1] }) else { return nil }
      action = .scenario(scenario, folder: arguments[2])
      return
    }
    var rest = arguments[...]
    while let name = rest.popFirst() {
      guard let text = rest.popFirst(), let value = Int64(text), value > 0 else { return nil }
      switch name {
      case "--size": size = value
      case "--drop-every": dropEvery = value
      default: return nil
      }
    }
  }
}
