import HTTP1

extension Harness {
  /// `Link`: a section of field lines without the empty line at its end.
  static let link = Harness("link") { input in
    guard let fields = Fields(section: input + Array("\r\n\r\n".utf8)) ?? Fields(section: input + Array("\r\n".utf8))
    else { return }
    let values = fields.inText.filter { $0.name.equalsIgnoringCase("Link") }.map(\.value)
    let read = values.map { LinkField(fieldValue: $0) }
    let field = LinkField(in: fields)
    try require((field == nil) == read.contains { $0 == nil }, "one bad line spoils all, and nothing else does")
    guard let field else { return }
    try require(field.links.count <= LinkField.limit, "more links than may be")
    let all = read.flatMap { $0?.links ?? [] }
    try require(field.links == Array(all.prefix(LinkField.limit)), "lines depend on each other")
    for link in field.links { try requireSound(link, in: input) }
    try require(LinkField(fieldValue: written(field.links)) == field, "what is written reads back as something else")
    try requireOrdered(field)
  }

  /// The target stands in the field, and is nothing that could be more than one word of a request.
  private static func requireSound(_ link: LinkField.Link, in input: [UInt8]) throws {
    try require(link.target.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"<>\"".utf8.contains($0) }, "\(link.target)")
    try require(input.contains(run: [UInt8(ascii: "<")] + link.target + [UInt8(ascii: ">")]), "an invented target")
    try require(!link.relations.isEmpty, "a link without a relation")
    for relation in link.relations {
      let isWord = !relation.isEmpty && !relation.contains(0x20)
      try require(isWord && !relation.contains { (0x41...0x5A).contains($0) }, "\(relation) is no relation")
    }
    if let priority = link.priority { try require((1...999_999).contains(priority), "priority \(priority)") }
  }

  /// Duplicates are links of this representation, and each is at least as good as the next.
  private static func requireOrdered(_ field: LinkField) throws {
    let duplicates = field.duplicates
    let expected = field.links.filter { $0.isRelated("duplicate") && !$0.isAnchored }
    try require(duplicates.count == expected.count && duplicates.allSatisfy(expected.contains), "other links")
    func rank(_ link: LinkField.Link) -> Int64 { (link.isPreferred ? 0 : 1_000_000) + (link.priority ?? 999_999) }
    try require(zip(duplicates, duplicates.dropFirst()).allSatisfy { rank($0) <= rank($1) }, "not the best first")
  }

  private static func written(_ links: [LinkField.Link]) -> [UInt8] {
    var text: [UInt8] = []
    for link in links {
      text += [UInt8(ascii: ","), UInt8(ascii: "<")] + link.target + Array("> ; Rel = \"".utf8)
      for (index, relation) in link.relations.enumerated() {
        if index > 0 { text.append(0x20) }
        for byte in relation {
          if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { text.append(UInt8(ascii: "\\")) }
          text.append(byte)
        }
      }
      text += Array("\";;rel=other".utf8)
      if link.isAnchored { text += Array(";anchor=\"\"".utf8) }
      if let priority = link.priority { text += Array(";pri=\(priority)".utf8) }
      if link.isPreferred { text += Array(";pref".utf8) }
    }
    return text
  }
}
