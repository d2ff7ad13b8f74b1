import HTTP1
import Testing

struct LinkFieldTests {
  struct Row: Sendable {
    let fieldValue: String
    /// `target rel,rel` each, with ` anchored`, ` pri N` and ` pref` behind them; nil: must be refused.
    let links: [String]?
    let because: String

    init(_ fieldValue: String, _ links: [String]?, _ because: String) {
      (self.fieldValue, self.links, self.because) = (fieldValue, links, because)
    }
  }

  static let accepted = [
    Row("<http://h/f>; rel=duplicate", ["http://h/f duplicate"], "a token"),
    Row(#"<http://h/f>; rel="duplicate""#, ["http://h/f duplicate"], "a quoted string"),
    Row("<http://h/f>;REL=Duplicate", ["http://h/f duplicate"], "names and types without regard to case"),
    Row(#"<f>; rel="next DUPLICATE  describedby""#, ["f next,duplicate,describedby"], "a list of types"),
    Row(#"<f>; rel="du\plicate""#, ["f duplicate"], "a quoted pair"),
    Row("<f>\t;\t rel \t=\t duplicate \t", ["f duplicate"], "blanks where RFC 8288 §3 has them"),
    Row("<a>; rel=duplicate, <b>; rel=next", ["a duplicate", "b next"], "two links"),
    Row(",, <a>;rel=x ,\t, <b>;rel=y,", ["a x", "b y"], "empty members (RFC 9110 §5.6.1.2)"),
    Row("<a,b;c>; rel=x", ["a,b;c x"], "comma and semicolon are the target's"),
    Row(#"<a>; title="x, <b>; rel=y"; rel=z"#, ["a z"], "nothing in quotes is a link"),
    Row(#"<a>; title="\""; rel=z"#, ["a z"], "a quoted quote"),
    Row("<>; rel=self", [" self"], "an empty reference is one (RFC 3986 §4.4)"),
    Row("<a>; rel=first; rel=second", ["a first"], "the first rel counts (RFC 8288 §3.3)"),
    Row("<a>;; rel=x;", ["a x"], "empty parameters (RFC 8288 §3)"),
    Row("<a>; crossorigin; rel=x", ["a x"], "a parameter without value"),
    Row("<a>; rel=x; anchor=\"#part\"", ["a x anchored"], "another context (RFC 8288 §3.2)"),
    Row("<a>; rel=duplicate; pri=5; pref", ["a duplicate pri 5 pref"], "RFC 6249 §3.1, §3.3"),
    Row("<a>; rel=duplicate; pri=\"999999\"; geo=de", ["a duplicate pri 999999"], "in quotes, the lowest"),
    Row("<a>; rel=x; pri=1; pri=2", ["a x pri 1"], "the first counts"),
    Row("<a>; rel=x; pri=0", ["a x"], "no priority is 0"),
    Row("<a>; rel=x; pri=1000000", ["a x"], "nor a million"),
    Row("<a>; rel=x; pri", ["a x"], "nor nothing"),
    Row("<a>; rel=x; pri=99999999999999999999", ["a x"], "nor what no number holds"),
    Row("", [], "no member"),
    Row(" , ", [], "no member but empty ones"),
    Row("<a>", [], "without rel it is to be ignored"),
    Row("<a>; rel=\"\"", [], "and with none in it"),
    Row("<a>; rel", [], "and without its value"),
    Row("<a>; rev=duplicate", [], "rev is another thing"),
  ]

  static let refused = [
    "http://h/f; rel=duplicate": "no angle brackets",
    "<a; rel=x": "never closed",
    "<a": "cut",
    "<": "cut earlier",
    "a>": "never opened",
    "<a<b>; rel=x": "an open bracket in the target",
    "<a b>; rel=x": "a blank in the target",
    "<a\u{7F}>; rel=x": "a control in the target",
    "<\u{E9}>; rel=x": "no ASCII in the target",
    "<a\"b>; rel=x": "a quote in the target",
    "<a> rel=x": "no semicolon",
    "<a>> ; rel=x": "one bracket too many",
    "<a>; rel=x y": "a second word without quotes",
    "<a>; rel=http://h/": "no token",
    "<a>; rel=": "no value",
    "<a>; =x": "no name",
    "<a>; re l=x": "a blank in the name",
    "<a>; rel=\"x": "a quote left open",
    "<a>; rel=\"x\\": "a quoted pair left open",
    "<a>; rel=\"x\"y": "bytes after the closing quote",
    "<a>; rel=\"x\u{1}\"": "a control in quotes",
    "<a>; rel=\"x\\\u{1}\"": "a quoted control",
    "<a>; rel=x, b": "one bad member spoils all",
    "<a>; rel=x; <b>": "a comma is missing",
    "<a>; rel='x y'": "single quotes quote nothing",
  ]

  static func described(_ links: [LinkField.Link]) -> [String] {
    links.map { link in
      var line = text(link.target) + " " + link.relations.map { text($0) }.joined(separator: ",")
      if link.isAnchored { line += " anchored" }
      if let priority = link.priority { line += " pri \(priority)" }
      if link.isPreferred { line += " pref" }
      return line
    }
  }

  @Test(arguments: accepted) func reads(_ row: Row) {
    let field = LinkField(fieldValue: bytes(row.fieldValue))
    #expect(field.map { Self.described($0.links) } == row.links, "\(row.because)")
  }

  @Test(arguments: refused.keys.sorted()) func refuses(_ fieldValue: String) {
    #expect(LinkField(fieldValue: bytes(fieldValue)) == nil, "\(Self.refused[fieldValue] ?? "")")
  }

  private static func field(_ lines: [String]) throws -> LinkField? {
    let section = (lines + ["", ""]).joined(separator: "\r\n")
    return LinkField(in: try #require(Fields(section: bytes(section))))
  }

  @Test func readsAllLines() throws {
    let lines = ["Link: <a>; rel=x", "Server: <no>; rel=link", "LINK: <b>; rel=y, <c>; rel=z"]
    #expect(try Self.field(lines).map { Self.described($0.links) } == ["a x", "b y", "c z"])
    #expect(try Self.field(["Server: x"])?.links.isEmpty == true)
    #expect(try Self.field(["Link: <a>; rel=x", "Link: b"]) == nil, "one bad line spoils all")
  }

  @Test func keepsSoManyAndReadsTheRest() throws {
    let many = (0...LinkField.limit).map { "<\($0)>; rel=duplicate" }.joined(separator: ",")
    #expect(LinkField(fieldValue: bytes(many))?.links.count == LinkField.limit)
    #expect(LinkField(fieldValue: bytes(many + ", x")) == nil, "what is left out is still read")
  }

  @Test func duplicatesComeBestFirst() throws {
    let field = try #require(
      LinkField(
        fieldValue: bytes(
          """
          <late>; rel=duplicate, <second>; rel=duplicate; pri=2, <other>; rel=next; pri=1, <first>; rel=duplicate; pri=1,\
           <elsewhere>; rel=duplicate; pri=1; anchor="/x", <same>; rel="duplicate"; pri=9; pref, <later>; rel=duplicate
          """)))
    #expect(field.duplicates.map { text($0.target) } == ["same", "first", "second", "late", "later"])
  }
}
