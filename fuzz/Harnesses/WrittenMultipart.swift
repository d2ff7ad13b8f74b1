import HTTP1

/// Content that is as it should be, and what must be read of it: up to five parts of `data`, as the choices say.
struct WrittenMultipart {
  private(set) var content: [UInt8] = []
  let outcome: MultipartOutcome

  init(of data: [UInt8], _ choices: inout Choices, boundary: MultipartBoundary) {
    let data = data.isEmpty ? [0] : data
    let delimiter = "\r\n--".utf8 + boundary.text
    let completeLength = choices.flag() ? Int64(data.count) : nil
    var parts: [MultipartOutcome.Part] = []
    for _ in 0...choices.number(below: 5) {
      let first = choices.number(below: data.count)
      let last = first + choices.number(below: data.count - first)
      let range = ContentRange.part(first: Int64(first), last: Int64(last), completeLength: completeLength)
      let field = FieldText(name: Array("Content-Range".utf8), value: range.fieldValue)
      parts.append(.init(range: range, fields: [field], content: Array(data[first...last])))
      content += delimiter + (choices.flag() ? " \t\r\n" : "\r\n").utf8
      content += field.name + ": ".utf8 + field.value + "\r\n\r\n".utf8 + data[first...last]
    }
    content += delimiter + (choices.flag() ? "--" : "-- \r\n").utf8
    if choices.flag() { content.removeFirst(2) }  // the line end before the first delimiter
    outcome = MultipartOutcome(parts: parts)
  }
}
