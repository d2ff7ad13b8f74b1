import Foundation
import Testing

/// One table of options: what `--help` tells is what is parsed, what the manual tells, and what shells complete.
struct OptionTableTests {
  struct Option: Hashable {
    let letter: String?, name: String, argument: String?
  }

  /// `  -o, --output FILE    text` and `      --xattr    text`.
  static func options() throws -> [Option] {
    let help = String(decoding: try Command.run(["--help"]).standardOutput, as: UTF8.self)
    return help.split(separator: "\n").filter { $0.hasPrefix("  -") || $0.hasPrefix("      --") }.map { line in
      let letter = line.hasPrefix("  -") ? String(line.dropFirst(2).prefix(2)) : nil
      let words = line.dropFirst(6).split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
      let argument = words.count > 1 && !words[1].isEmpty ? String(words[1]) : nil
      return Option(letter: letter, name: String(words[0]), argument: argument)
    }
  }

  @Test func namesAreUnique() throws {
    let options = try Self.options()
    #expect(options.count > 40)
    #expect(Set(options.map(\.name)).count == options.count)
    let letters = options.compactMap(\.letter)
    #expect(Set(letters).count == letters.count)
  }

  /// Arguments are parsed before any has an effect: what is missing or too much tells that the name is known.
  @Test func whatIsToldIsParsed() throws {
    for option in try Self.options() {
      let arguments = option.argument == nil ? [option.name + "=x"] : [option.name]
      let complaint = option.name + (option.argument == nil ? " takes no argument" : " needs an argument")
      let run = try Command.run(arguments)
      #expect(run.ending == .exited(2) && run.standardError.contains(complaint), "\(option): \(run.standardError)")
      guard let letter = option.letter else { continue }
      let short = try Command.run([option.argument == nil ? letter + "=" : letter])
      let said = option.argument == nil ? "no option -=" : complaint
      #expect(short.ending == .exited(2) && short.standardError.contains(said), "\(option): \(short.standardError)")
    }
  }

  private static func manual() throws -> String {
    try String(contentsOfFile: Tool.root + "/docs/rawget.1", encoding: .utf8)
  }

  @Test func theManualTellsTheSame() throws {
    let manual = try Self.manual()
    let options = try Self.options()
    func escaped(_ text: String) -> String {
      text.replacing("-", with: "\\-").replacing("…", with: "\\[u2026]")
    }
    for option in options {
      let letter = option.letter.map { "Fl \($0.dropFirst()) , " } ?? ""
      let argument = option.argument.map { " Ar " + escaped($0) } ?? ""
      let line = ".It \(letter)Fl \(escaped(String(option.name.dropFirst())))\(argument)\n"
      #expect(manual.contains(line), "\(line)")
    }
    #expect(manual.split(separator: "\n").filter { $0.hasPrefix(".It Fl") }.count == options.count)
  }

  @Test func theManualIsUpToDate() throws {
    let made = try Tool.run([Tool.root + "/scripts/manual.sh", Command.path], in: Folder())
    #expect(made.status == 0)
    let manual = try Self.manual()
    #expect(made.output == manual, "scripts/manual.sh build/rawget >docs/rawget.1 makes it anew")
    #expect(
      ["RESUME RULES", "EXIT STATUS", "EVENTS", "ENVIRONMENT", "SECURITY", "EXAMPLES"].allSatisfy {
        manual.contains(".Sh " + $0 + "\n")
      })
  }

  @Test(.enabled(if: Tool.exists("mandoc"))) func theManualIsSound() throws {
    let lint = try Tool.run(["mandoc", "-Tlint", Tool.root + "/docs/rawget.1"], in: Folder())
    #expect(lint.status == 0 && lint.output.isEmpty, "\(lint.output)")
  }

  @Test func theCompletionsKnowTheSame() throws {
    let options = try Self.options()
    func lines(_ shell: String) throws -> [String] {
      let run = try Command.run(["--completion=" + shell])
      #expect(run.ending == .exited(0) && run.standardError.isEmpty)
      return String(decoding: run.standardOutput, as: UTF8.self).split(separator: "\n").map(String.init)
    }
    let names = options.flatMap { ($0.letter.map { [$0] } ?? []) + [$0.name] }
    let words = try #require(try lines("bash").first { $0.hasPrefix("  *)") }?.split(separator: "'")[1])
    #expect(words.split(separator: " ").map(String.init).sorted() == names.sorted())
    let zsh = try lines("zsh").filter { $0.hasPrefix("    '*-") }.map { line in
      String(line.dropFirst(6).prefix { $0 != "[" && $0 != "=" && $0 != "+" })
    }
    #expect(zsh.sorted() == names.sorted())
    let fish = try lines("fish").filter { $0.contains(" -l ") }
    #expect(fish.count == options.count)
    for option in options {
      let letter = option.letter.map { "-s \($0.dropFirst()) " } ?? ""
      let start = "complete -c rawget \(letter)-l \(option.name.dropFirst(2)) "
      let line = fish.first { $0.hasPrefix(start) }
      #expect(line != nil, "\(start)")
      #expect((option.argument == nil) == (line?.hasPrefix(start + "-d") ?? false), "\(line ?? "")")
    }
  }
}
