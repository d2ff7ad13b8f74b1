// Nanoseconds of CPU that a response head costs rawget: the median of 9 rounds. The same as limits/heads.c for others:
//   rawget-bench-heads FILE COUNT   FILE: heads one after the other, each with its empty line; COUNT of them in a round

import Glibc
import HTTP1

func end(_ text: String) -> Never { fatalError(text) }

func contents(of path: String) -> [UInt8] {
  guard let file = fopen(path, "r") else { end("\(path) can't be read") }
  defer { fclose(file) }
  var bytes = [UInt8](repeating: 0, count: 4 << 20)
  bytes.removeSubrange(fread(&bytes, 1, bytes.count, file)...)
  return bytes
}

func split(_ bytes: [UInt8]) -> [[UInt8]] {
  let mark = Array("\r\n\r\n".utf8)
  var heads: [[UInt8]] = []
  var start = 0
  for index in bytes.indices where index + 4 <= bytes.count && bytes[index] == mark[0] {
    guard bytes[index..<(index + 4)].elementsEqual(mark) else { continue }
    heads.append(Array(bytes[start..<(index + 4)]))
    start = index + 4
  }
  return heads
}

/// What a download does with a head: reads it, strictly, and decides how its content ends.
@inline(never)
func read(_ head: [UInt8]) -> Int {
  var reader = ResponseReader(answering: .get)
  do throws(ProtocolError) {
    let step = try reader.didReceive(head.span)
    guard step.event == .head, case .length(let length) = reader.framing else { end("not a head with a length") }
    return step.taken + Int(length)
  } catch {
    end("refused: \(error)")
  }
}

let arguments = CommandLine.arguments
guard arguments.count == 3, let count = Int(arguments[2]) else { end("usage: rawget-bench-heads FILE COUNT") }
let heads = split(contents(of: arguments[1]))
var sum = 0
var rounds: [Double] = []
for _ in 0..<9 {
  let from = clock()
  for index in 0..<count { sum &+= read(heads[index % heads.count]) }
  rounds.append(Double(clock() - from) * 1e9 / Double(CLOCKS_PER_SEC) / Double(count))
}
if sum == 0 { end("nothing was read") }
print(rounds.sorted()[4])
