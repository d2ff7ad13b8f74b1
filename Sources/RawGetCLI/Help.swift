internal import RawGet

/// `--help` and `--version`, for standard output.
enum Help {
  static var version: Text {
    Text("rawget \(RawGetVersion.text)\n\(RawGetVersion.hasTLS ? "TLS: OpenSSL\n" : "TLS: not built\n")")
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
      text.append("\n\(section.title):\n")
      for option in CommandOption.table where option.section == section { add(option, to: &text) }
    }
    text.add("\nExit status: ")
    for status: Int32 in 0...17 {
      text.append("\(status == 0 ? "" : ", ")\(status) \(ExitStatus.name(status))")
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
    var name: Text = "--\(option.name)"
    if let argument = option.argument { name.append(" \(argument)") }
    text.append(name)
    text.add(foreign: [UInt8](repeating: 0x20, count: max(26 - name.bytes.count, 2)))
    text.append("\(option.help)\n")
  }
}
