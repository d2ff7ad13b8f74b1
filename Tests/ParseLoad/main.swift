// Reads inputs of growing size and says what became of them; Tests/Linear/run.sh counts the instructions.
//
//   rawget-parse-load                            the loads: name, group, `read` or `refused`
//   rawget-parse-load NAME PIECE:SIZE,… …        reads each size in pieces of the size before it, in bytes
//
// One line a measurement: name, piece, size, bytes taken, what became of it. Traps if that is not what it should be.

import HTTP1

/// The function that is measured: the name is what the counting looks for.
@c(rawget_measured)
@inline(never)
public func measured() {
  guard let run = current else { return }
  if run.load.group == .value {
    reads = run.load.reads(run.text)
  } else {
    var feeder = Feeder()
    feeder.feed(run.load, size: run.size, piece: run.piece, window: run.text)
    consumed = feeder.consumed
    messages = feeder.messages
    refusal = feeder.refusal
  }
}

struct Run {
  let load: Load
  let size: Int  // bytes
  let piece: Int  // bytes
  let text: [UInt8]  // the value of a field; a window on what is shown in pieces
}

nonisolated(unsafe) var current: Run?
nonisolated(unsafe) var consumed = 0  // bytes
nonisolated(unsafe) var messages = 0
nonisolated(unsafe) var refusal: ProtocolError?
nonisolated(unsafe) var reads = true

func fail(_ text: String) -> Never { fatalError(text) }

func measure(_ load: Load, piece: Int, size: Int) {
  let count = load.repetitions(for: size)
  let text: [UInt8]
  if load.group == .value {
    text = load.prefix + repeatElement(load.unit, count: count).joined() + load.suffix
  } else {
    text = Feeder.window(on: load, piece: piece)
  }
  current = Run(load: load, size: size, piece: piece, text: text)
  measured()

  let shown = load.prefix.count + count * load.unit.count + load.suffix.count
  let outcome: Load.Expectation = refusal.map { Load.Expectation.refused($0) } ?? .read
  let mayBeWithinBounds = outcome == .read && size <= 300_000  // the largest bound is 262,144
  if outcome != load.expectation && !mayBeWithinBounds {
    fail("\(load.name), \(size) bytes by \(piece): \(outcome), not \(load.expectation)")
  }
  if !reads { fail("\(load.name): a value of \(size) bytes was not read as it should be") }
  if load.group != .value && outcome == .read && consumed != shown {
    fail("\(load.name): \(consumed) of \(shown) taken")
  }
  if load.group == .head && messages != 1 { fail("\(load.name): \(messages) messages instead of one") }
  print(load.name, piece, shown, load.group == .value ? shown : consumed, outcome, separator: "\t")
}

let arguments = CommandLine.arguments.dropFirst()
if let name = arguments.first {
  guard let load = Load.named(name) else { fail("there is no load \(name)") }
  for series in arguments.dropFirst() {
    let numbers = series.split(whereSeparator: { $0 == ":" || $0 == "," }).compactMap { Int($0) }
    guard let piece = numbers.first, piece > 0 else { fail("not PIECE:SIZE,…: \(series)") }
    for size in numbers.dropFirst() { measure(load, piece: piece, size: size) }
  }
} else {
  for load in Load.all {
    print(load.name, load.group.rawValue, load.expectation == .read ? "read" : "refused", separator: "\t")
  }
}
