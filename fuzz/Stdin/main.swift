import FuzzHarnesses

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

// One input through one harness, for fuzzers that start a process an input, and for people:
//
//     rawget-fuzz-stdin HARNESS < input
//     rawget-fuzz-stdin HARNESS FILE…
//
// Ends with 0 when all properties held; traps, with the property on standard error, when one did not.

func fail(_ text: String) -> Never {
  let line = Array("rawget-fuzz-stdin: \(text)\n".utf8)
  _ = write(STDERR_FILENO, line, line.count)
  exit(2)
}

/// All of what a C stream holds; nothing if there is no such stream.
func contents(of stream: UnsafeMutablePointer<FILE>?, named path: String) -> [UInt8] {
  guard let stream else { fail("\(path) cannot be opened") }
  defer { fclose(stream) }
  var bytes: [UInt8] = []
  while case let byte = getc(stream), byte != EOF { bytes.append(UInt8(byte)) }
  return bytes
}

func run(_ harness: Harness, on stream: UnsafeMutablePointer<FILE>?, named path: String) {
  do {
    try harness.run(contents(of: stream, named: path))
  } catch {
    fatalError("\(harness.name), \(path): \(error)")
  }
}

let arguments = CommandLine.arguments.dropFirst()
guard let name = arguments.first else {
  fail("which harness? There are: \(Harness.all.map(\.name).joined(separator: ", "))")
}
guard let harness = Harness.named(name) else { fail("there is no harness \(name)") }
if arguments.count == 1 { run(harness, on: fdopen(STDIN_FILENO, "rb"), named: "standard input") }
for path in arguments.dropFirst() { run(harness, on: fopen(path, "rb"), named: path) }
