internal import RawGet

/// `--completion=SHELL`: what a shell reads to complete the command's options, for standard output.
enum Completion {
  enum Shell {
    case bash, zsh, fish
  }

  static func text(for shell: Shell) -> Text {
    switch shell {
    case .bash: bash
    case .zsh: zsh
    case .fish: fish
    }
  }

  // MARK: bash

  /// `=` is a word of its own to bash.
  private static var bash: Text {
    var text = Text(
      """
      _rawget() {
        local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]} reply=()
        if [[ $word == = ]]; then
          word=
        elif [[ $option == = ]]; then
          option=${COMP_WORDS[COMP_CWORD - 2]}
        fi
        case $option in

      """)
    var names = Text()
    for option in CommandOption.table {
      for name in option.names { names.append("\(names.bytes.isEmpty ? "" : " ")\(name)") }
      guard option.argument != nil else { continue }
      text.add("  ")
      for (index, name) in option.names.enumerated() { text.append("\(index == 0 ? "" : " | ")\(name)") }
      text.append(") \(bash(option.completion)) ;;\n")
    }
    text.append(
      """
        *) [[ $word != -* ]] || mapfile -t reply < <(compgen -W '\(names)' -- "$word") ;;
        esac
        COMPREPLY=("${reply[@]}")
      }
      complete -F _rawget rawget

      """)
    return text
  }

  private static func bash(_ completion: CommandOption.Completion) -> Text {
    switch completion {
    case .nothing: ""
    case .file: "compopt -o filenames; mapfile -t reply < <(compgen -f -- \"$word\")"
    case .directory: "compopt -o filenames; mapfile -t reply < <(compgen -d -- \"$word\")"
    case .words(let words): "mapfile -t reply < <(compgen -W '\(spaced(words))' -- \"$word\")"
    }
  }

  // MARK: zsh

  /// A file for a folder of functions that are loaded when needed; it can be evaluated as well.
  private static var zsh: Text {
    var text = Text("#compdef rawget\n_rawget() {\n  _arguments -s -S \\\n")
    for option in CommandOption.table {
      for (index, name) in option.names.enumerated() {
        let isLong = option.letter == nil || index == 1
        text.append("    '*\(name)")
        if option.argument != nil { text.add(isLong ? "=" : "+") }
        text.add("[")
        add(option.help, escaping: "[]\\", in: .zsh, to: &text)
        text.add("]")
        if let argument = option.argument { text.append(":\(argument):\(zsh(option.completion))") }
        text.add("' \\\n")
      }
    }
    text.add(
      """
          '*:URL:_urls'
      }
      if [ "$funcstack[1]" = _rawget ]; then _rawget "$@"; else compdef _rawget rawget; fi

      """)
    return text
  }

  private static func zsh(_ completion: CommandOption.Completion) -> Text {
    switch completion {
    case .nothing: " "
    case .file: "_files"
    case .directory: "_files -/"
    case .words(let words): "(\(spaced(words)))"
    }
  }

  // MARK: fish

  private static var fish: Text {
    var text = Text("complete -c rawget -f\n")
    for option in CommandOption.table {
      text.add("complete -c rawget")
      if let letter = option.letter {
        text.add(" -s ")
        text.add(foreign: [letter])
      }
      text.append(" -l \(option.name)")
      if option.argument != nil { text.append(fish(option.completion)) }
      text.add(" -d '")
      add(option.help, escaping: "'\\", in: .fish, to: &text)
      text.add("'\n")
    }
    return text
  }

  private static func fish(_ completion: CommandOption.Completion) -> Text {
    switch completion {
    case .nothing: " -x"
    case .file: " -r -F"
    case .directory: " -x -a '(__fish_complete_directories (commandline -ct | string replace -r \"^-.*=\" \"\"))'"
    case .words(let words): " -x -a '\(spaced(words))'"
    }
  }

  // MARK: Words

  private static func spaced(_ words: [String]) -> Text {
    var text = Text()
    for (index, word) in words.enumerated() { text.append("\(index == 0 ? "" : " ")\(word)") }
    return text
  }

  /// Inside quotes, which zsh has to close for a quote.
  private static func add(_ words: String, escaping special: String, in shell: Shell, to text: inout Text) {
    for byte in words.utf8 {
      if case .zsh = shell, byte == UInt8(ascii: "'") { text.add("'\\'") }
      if special.utf8.contains(byte) { text.add("\\") }
      text.add(foreign: [byte])
    }
  }
}

extension CommandOption {
  /// `-o` and `--output`.
  fileprivate var names: [Text] {
    let long: Text = "--\(name)"
    guard let letter else { return [long] }
    var short: Text = "-"
    short.add(foreign: [letter])
    return [short, long]
  }
}
