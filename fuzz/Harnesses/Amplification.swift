/// A fuzzer's inputs are small and bounds are large: a run of the text, repeated until it comes near one of them.
///
/// Four decisions: the goal, a signed distance from it, where the run begins, its length. Goals, from 0xF0 on: 65,536 bytes
/// in all, 262,144 bytes in all, 100 times, 2,000 times. Any other byte leaves the text as it is.
func amplified(_ text: [UInt8], _ choices: inout Choices) -> [UInt8] {
  let goal = choices.byte()
  let distance = Int(Int8(bitPattern: choices.byte()))
  let (first, length) = (Int(choices.byte()), Int(choices.byte()) % 32 + 1)
  let run = text.dropFirst(first).prefix(length)
  guard goal >= 0xF0, !run.isEmpty else { return text }
  let missing: Int
  switch goal & 3 {
  case 0: missing = 65_536 + distance - text.count
  case 1: missing = 262_144 + distance - text.count
  case 2: missing = run.count * max(0, 100 + distance - 1)
  default: missing = run.count * (2_000 + distance - 1)
  }
  guard missing > 0 else { return text }
  let copies = repeatElement(run, count: missing / run.count + 1).joined().prefix(missing)
  return Array(text[..<run.startIndex]) + copies + text[run.startIndex...]
}
