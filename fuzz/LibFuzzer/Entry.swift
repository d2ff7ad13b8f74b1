import FuzzHarnesses

// What libFuzzer calls, and AFL++'s driver in its place. The program's own name says which harness it is, so one program
// serves all of them under different names.

nonisolated(unsafe) private var harness: Harness?

@c(LLVMFuzzerInitialize)
public func initialize(
  _ count: UnsafeMutablePointer<CInt>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>>>
) -> CInt {
  let path = String(cString: arguments.pointee[0])
  let name = path.split(separator: "/").last.map(String.init) ?? path
  harness = Harness.named(name)
  if harness == nil { fatalError("there is no harness \(name)") }
  return 0
}

/// A property that does not hold ends the process: a crash is what a fuzzer looks for.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  do {
    try harness?.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
  } catch {
    fatalError("\(error)")
  }
  return 0
}
