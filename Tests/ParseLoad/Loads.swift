import HTTP1

private let ok = "HTTP/1.1 200 OK\r\n"
private let chunked = ok + "Transfer-Encoding: chunked\r\n\r\n"
private let usual = ok + String(repeating: "Name: a value of usual length, forty bytes\r\n", count: 12)
private let wide = String(repeating: "w", count: 1_000)

extension Load {
  static let floods: [Load] = [
    .flood("status-line-without-end", after: "HTTP/1.1 200 ", "reason ", refused: .lineTooLong(limit: 65_536)),
    .flood("line-without-end", after: ok + "A: ", "value ", refused: .lineTooLong(limit: 65_536)),
    .flood("name-without-end", after: ok, "n", refused: .lineTooLong(limit: 65_536)),
    .flood("head-of-short-fields", after: ok, "A: b\r\n", refused: .tooManyFields(limit: 2_000)),
    .flood("head-of-wide-fields", after: ok, "A: \(wide)\r\n", refused: .headTooLarge(limit: 262_144)),
    .flood("folds", after: ok + "A: b\r\n", " c\r\n", refused: .headTooLarge(limit: 262_144)),
    .flood("empty-folds", after: ok + "A: b\n", " \n", refused: .headTooLarge(limit: 262_144)),
    .flood("interim-heads", "HTTP/1.1 100 Continue\r\n\r\n", refused: .tooManyInterimResponses(limit: 100)),
    .flood(
      "interim-heads-of-90-KB", "HTTP/1.1 103 x\r\n" + String(repeating: "A: \(wide)\r\n", count: 90) + "\r\n"),
    .flood(
      "responses", usual + "Content-Length: 2\r\n\r\nhi" + usual + "Transfer-Encoding: chunked\r\n\r\n0\r\nT: u\r\n\r\n"
    ),
    .flood("length", after: ok + "Content-Length: 9223372036854775807\r\n\r\n", "content "),
    .flood("until-close", after: ok + "\r\n", "content "),
    .flood("one-byte-chunks", after: chunked, "1\r\na\r\n"),
    .flood("chunk-without-end", after: chunked + "7fffffffffffffff\r\n", "content "),
    .flood("chunk-size-of-zeros", after: chunked, "0", refused: .chunkExtensionsTooLong(limit: 65_536)),
    .flood("chunk-padding", after: chunked + "1", " \t", refused: .chunkExtensionsTooLong(limit: 65_536)),
    .flood("chunk-extension", after: chunked + "1", ";a=\"b\"", refused: .chunkExtensionsTooLong(limit: 65_536)),
    .flood("chunks-with-extensions", after: chunked, "1;a\r\nb\r\n", refused: .chunkExtensionsTooLong(limit: 65_536)),
    .flood("short-trailers", after: chunked + "0\r\n", "A: b\n", refused: .tooManyFields(limit: 2_000)),
    .flood("wide-trailers", after: chunked + "0\r\n", "A: \(wide)\r\n", refused: .headTooLarge(limit: 262_144)),
  ]

  static let heads: [Load] = [
    .head("head-of-fields", "Name: \(wide.prefix(120))\r\n"),
    .head("head-of-folds", after: "HTTP/1.1 204 x\r\nA: b\r\n", " c\r\n"),
    .head("head-of-lengths", after: ok + "Content-Length: 0\r\n", "Content-Length: " + list("0", 500) + "\r\n"),
    .head("head-of-empty-members", after: ok + "Content-Length: 0\r\n", "Connection: " + list("", 500) + "\r\n"),
    .head("head-of-options", after: ok + "Content-Length: 0\r\n", "Connection: " + list("keep-alive", 50) + "\r\n"),
    .head(
      "section-of-trailers", after: ok + "Transfer-Encoding: chunked\r\n\r\n0\r\n", "T: " + list("x", 500) + "\r\n"),
  ]

  static let values: [Load] = [
    .value("disposition-parameters", "attachment", "; a=b", "; filename=n") { names("n", $0) },
    .value("disposition-semicolons", "attachment", ";", ";filename=n") { names("n", $0) },
    .value("disposition-quoted", "attachment; filename=n; x=\"", #"\""#, "\"") { names("n", $0) },
    .value("disposition-blanks", "attachment; filename=n; x=y", " ") { names("n", $0) },
    .value("disposition-extended", "attachment; filename*=UTF-8''", "%c3%bc") {
      ContentDisposition(fieldValue: $0)?.filename?.count == ($0.count - 29) / 3
    },
    .value("disposition-latin-1", "attachment; filename*=ISO-8859-1''", "%fc") {
      ContentDisposition(fieldValue: $0)?.filename?.count == ($0.count - 34) / 3 * 2
    },
    .value("digest-members", "Repr-Digest: a=1\r\n", "Repr-Digest: \(list("a=1;b", 100))\r\n", "\r\n") {
      Fields(section: $0).flatMap { DigestField(.representation, in: $0) }?.digests.isEmpty == true
    },
    .value("digest-inner-lists", "", "Repr-Digest: a=(\(wide))\r\n", "\r\n") {
      Fields(section: $0).flatMap { DigestField(.representation, in: $0) }?.digests.isEmpty == true
    },
    .value("digest-bytes", "", "Repr-Digest: sha-256=:\(wide):\r\n", "\r\n") {
      Fields(section: $0).flatMap { DigestField(.representation, in: $0) }?.digests.isEmpty == true
    },
    .value("older-digest-members", "", "Digest: \(list("md5=AAAAAAAAAAAAAAAAAAAAAA==", 40))\r\n", "\r\n") {
      Fields(section: $0).flatMap { DigestField(.instance, in: $0) }?.digests.count == 1
    },
    .value("date-of-letters", "Sunday", "y") { HTTPDate(fieldValue: $0, now: 0) == nil },
    .value("retry-after-zeros", "", "0", "7") { RetryAfter(fieldValue: $0, now: 0) == .seconds(7) },
    .value("content-range-zeros", "bytes ", "0", "1-2/3") {
      ContentRange(fieldValue: $0) == .part(first: 1, last: 2, completeLength: 3)
    },
    .value("entity-tag", "\"", "e", "\"") { EntityTag(fieldValue: $0)?.isWeak == false },
  ]
}

private func list(_ member: String, _ count: Int) -> String {
  String(repeating: member + ",", count: count - 1) + member
}

private func names(_ name: String, _ fieldValue: [UInt8]) -> Bool {
  ContentDisposition(fieldValue: fieldValue)?.filename == Array(name.utf8)
}
