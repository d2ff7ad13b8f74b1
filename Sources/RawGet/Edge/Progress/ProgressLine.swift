/// What one line of a progress display tells: of a download, or of all of them.
package struct ProgressLine {
  package enum State {
    case connecting
    /// Asks for the rest of what is here.
    case resuming
    /// What is here is compared with what comes.
    case comparing
    case receiving
    case verifying
    case waiting(Duration)
  }

  /// Harmless: without controls.
  package var name: [UInt8] = []
  package var state = State.receiving
  package var kept: Int64 = 0  // bytes
  package var completeLength: Int64?
  package var speed: Int64?  // bytes a second; nil: it stalls
  package var timeLeft: Duration?
  package var connections = 0
  /// Where the mark of a bar without an end is.
  package var turn = 0

  package init() {}

  var percent: Text {
    var text = Text()
    guard let length = completeLength, length > 0 else { return text }
    let part = min(max(kept, 0), length)
    let percent = length.dividingFullWidth(part.multipliedFullWidth(by: 100)).quotient
    text.add(blanks: percent < 10 ? 2 : percent < 100 ? 1 : 0)
    text.append("\(percent)%")
    return text
  }

  var amount: Text {
    var text = Text()
    if let length = completeLength { text.add(size: kept, of: length) } else { text.add(size: kept) }
    return text
  }

  /// Speed and time left, or why there are none.
  var status: Text {
    switch state {
    case .connecting: return Text("connecting")
    case .resuming: return Text("resuming")
    case .comparing: return Text("comparing")
    case .verifying: return Text("verifying")
    case .waiting(let duration):
      let (seconds, attoseconds) = duration.components
      return Text("waiting \(seconds + (attoseconds > 0 ? 1 : 0)) s")
    case .receiving: break
    }
    guard let speed else { return Text("stalled") }
    var text = Text()
    text.add(size: speed)
    text.add("/s")
    text = text.rightAligned(in: 9)
    guard let timeLeft else { return text }
    var left = Text()
    left.add(clock: timeLeft)
    text.add("  ")
    text.append(left.rightAligned(in: 5))
    return text
  }

  /// For lines that stay: `30% (6.0 of 20.0 MB), 3.1 MB/s, 0:42 left`.
  package var sentence: Text {
    var text = Text()
    if let length = completeLength, length > 0 {
      text.add(percentOf: kept, length)
      text.add(" (")
      text.append(amount)
      text.add(")")
    } else {
      text.append(amount)
    }
    text.add(", ")
    guard case .receiving = state, let speed else {
      text.append(status)
      return text
    }
    text.add(size: speed)
    text.add("/s")
    if let timeLeft {
      text.add(", ")
      text.add(clock: timeLeft)
      text.add(" left")
    }
    return text
  }
}

extension Text {
  package mutating func add(blanks count: Int) { add(foreign: [UInt8](repeating: 0x20, count: max(count, 0))) }

  /// `0:42`, `12:05`, `1:02:03`, and from four days on `4 days`.
  package mutating func add(clock duration: Duration) {
    let seconds = max(duration.components.seconds, 0)
    let (minutes, hours, days) = (seconds / 60, seconds / 3_600, seconds / 86_400)
    if days >= 4 { return append("\(days) days") }
    if hours > 0 { append("\(hours):\(minutes % 60 < 10 ? "0" : "")") }
    append("\(minutes % 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)")
  }

  /// Of ASCII only.
  func rightAligned(in columns: Int) -> Text {
    var text = Text()
    text.add(blanks: columns - bytes.count)
    text.append(self)
    return text
  }
}

extension ProgressLine {
  /// The same outside the text of the terminal.
  package var outside: TerminalProgress {
    guard let length = completeLength, length > 0 else { return .unknown }
    let part = min(max(kept, 0), length)
    let percent = Int(length.dividingFullWidth(part.multipliedFullWidth(by: 100)).quotient)
    if case .waiting = state { return .waiting(percent) }
    return .percent(percent)
  }
}
