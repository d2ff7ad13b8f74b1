import Foundation

// A line protocol around the response parser, for test programs in any language. One JSON object a line on standard
// input is a response as it arrived (`ReceivedCase`); one a line on standard output is what it was read as (`Answer`).
// A line that is no JSON object is named on standard error and skipped.

let now = Int64(Date().timeIntervalSince1970)  // seconds since 1970, the same for every line

while let line = readLine() {
  guard let object = (try? JSONSerialization.jsonObject(with: Data(line.utf8))) as? [String: Any] else {
    FileHandle.standardError.write(Data("rawget-parse-driver: not a JSON object\n".utf8))
    continue
  }
  let answer = Answer(to: object, now: now)
  FileHandle.standardOutput.write(answer.line)
}
