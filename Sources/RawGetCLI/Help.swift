internal import RawGet

/// `--help` and `--version`, for standard output.
enum Help {
  static var version: Text {
    Text("rawget \(RawGetVersion.text)\n" + (RawGetVersion.hasTLS ? "TLS: OpenSSL\n" : "TLS: not built\n"))
  }

  static var text: Text {
    var text = Text(
      """
      usage: rawget [options] URL...
             rawget [options] doctor URL...

      Downloads each URL into a file that is whole and right, or says why not. Content is kept in NAME.part until then.
      `doctor` downloads nothing: it grades how well a server lets downloads be resumed.

      """)
    for section in CommandOption.Section.allCases {
      text.add("\n" + section.title + ":\n")
      for option in CommandOption.table where option.section == section { add(option, to: &text) }
    }
    text.add("\nExit status: ")
    for status: Int32 in 0...17 {
      text.add((status == 0 ? "" : ", ") + "\(status) \(ExitStatus.name(status))")
    }
    text.add("\n")
    return text
  }

  private static func add(_ option: CommandOption, to text: inout Text) {
    text.add("  ")
    if let letter = option.letter {
      text.add(foreign: [UInt8(ascii: "-"), letter])
      text.add(", ")
    } else {
      text.add("    ")
    }
    let name = "--" + option.name + (option.argument.map { " " + $0 } ?? "")
    text.add(name)
    text.add(foreign: [UInt8](repeating: 0x20, count: max(26 - name.utf8.count, 2)))
    text.add(option.help + "\n")
  }
}
