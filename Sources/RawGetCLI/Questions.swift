internal import RawGet

/// What is asked in place of downloading.
enum Asking {
  case head
  case probe
  case doctor
}

/// `--head`, `--probe` and `doctor`: one question after the other, the answers to standard output, in words or as an
/// object a line. The exit status is that of the worst.
struct Questions: ~Copyable {
  private let asking: Asking
  private let settings: Settings
  private var inquiry: Inquiry
  private var count = 0
  private let stopwatch = Stopwatch()

  static func all(_ asking: Asking, _ settings: Settings) -> Int32 {
    if !settings.options.tls.verifiesPeer {
      var line = Text("rawget: ")
      line.append(FailureLine.insecure)
      line.add("\n")
      CommandSystem.write(line, to: .error)
    }
    do throws(DownloadError) {
      var questions = Questions(asking, settings, try Inquiry(settings.options))
      return questions.toTheEnd(try EventLoop())
    } catch {
      return fail(error)
    }
  }

  private init(_ asking: Asking, _ settings: Settings, _ inquiry: consuming Inquiry) {
    self.asking = asking
    self.settings = settings
    self.inquiry = inquiry
  }

  private mutating func toTheEnd(_ loop: consuming EventLoop) -> Int32 {
    var items = ItemSource(settings)
    var worst: Int32 = 0
    while true {
      do throws(UsageError) {
        switch try items.next() {
        case .item(let item): worst = ExitStatus.worse(worst, ask(item.request))
        case .refused(let error): worst = ExitStatus.worse(worst, Questions.refuse(error))
        case .later: items.wait(orWoken: loop)
        case .end: return worst
        }
      } catch {
        return ExitStatus.worse(worst, Questions.refuse(error))
      }
    }
  }

  private mutating func ask(_ request: DownloadRequest) -> Int32 {
    count += 1
    do throws(DownloadError) {
      var status = 200
      switch asking {
      case .head: status = try head(request)
      case .probe: try probe(request)
      case .doctor: try examine(request)
      }
      trace()
      return (200..<300).contains(status) ? 0 : Questions.fail(.refused(status: status, retryAfter: nil))
    } catch {
      trace()
      if settings.writesEvents { write(failure(error, request)) }
      return Questions.fail(error)
    }
  }

  // MARK: The three

  private mutating func head(_ request: DownloadRequest) throws(DownloadError) -> Int {
    let answer = try inquiry.head(request)
    guard settings.writesEvents else {
      CommandSystem.write(WireTrace.lines(of: answer.text, mark: ""), to: .output)
      return answer.status
    }
    var object = object("head", request, answer.target)
    object.add("http_status", Int64(answer.status))
    var lines = answer.text.split(separator: 0x0A).map { Array($0) }
    if !lines.isEmpty { lines.removeFirst() }
    object.add("fields", strings: lines.map { WireTrace.field($0) })
    write(object)
    return answer.status
  }

  private mutating func probe(_ request: DownloadRequest) throws(DownloadError) {
    let probe = try inquiry.probe(request)
    if settings.writesEvents {
      write(object(probe, request))
    } else {
      CommandSystem.write(Questions.text(probe), to: .output)
    }
  }

  private mutating func examine(_ request: DownloadRequest) throws(DownloadError) {
    let diagnosis = try inquiry.examine(request)
    if settings.writesEvents {
      write(object(diagnosis, request))
    } else {
      CommandSystem.write(Questions.text(diagnosis), to: .output)
    }
  }

  // MARK: In words

  private static func text(_ probe: Probe) -> Text {
    var text = Text("url: ")
    text.add(foreign: probe.target.shown)
    text.append("\nstatus: \(probe.status)\nsize: ")
    if let size = probe.size { text.append("\(size) bytes") } else { text.add("unknown") }
    text.add("\n")
    add("type", probe.mediaType, to: &text)
    add("entity tag", probe.entityTag, to: &text)
    add("last modified", probe.lastModified, to: &text)
    add("digest", probe.digest, to: &text)
    text.append("validator: \(probe.hasStrongValidator ? "strong" : "none that is strong")\n")
    text.append("ranges: \(probe.ranges.word)\n")
    add("name", probe.name, to: &text)
    return text
  }

  private static func add(_ label: String, _ value: [UInt8]?, to text: inout Text) {
    guard let value else { return }
    text.append("\(label): ")
    text.add(foreign: value)
    text.add("\n")
  }

  private static func text(_ diagnosis: Diagnosis) -> Text {
    var text = Text()
    text.add(foreign: diagnosis.target.shown)
    text.append("\ngrade \(diagnosis.grade.letter): \(diagnosis.grade.meaning)\n")
    for finding in diagnosis.findings {
      text.append("  \(finding.grade.letter)  \(finding.code): \(finding.sentence)\n")
    }
    text.append("\(diagnosis.requestCount) requests\n")
    return text
  }

  // MARK: As objects

  private func object(_ event: String, _ request: DownloadRequest, _ target: TargetURI?) -> JSONObject {
    var object = JSONObject(event: event, job: count, stopwatch)
    object.add("url", request.target.shown)
    if let target { object.add("uri", target.shown) }
    return object
  }

  private func object(_ probe: Probe, _ request: DownloadRequest) -> JSONObject {
    var object = object("probe", request, probe.target)
    object.add("http_status", Int64(probe.status))
    object.add("method", probe.isByHead ? "HEAD" : "GET")
    if let size = probe.size { object.add("size", size) }
    if let type = probe.mediaType { object.add("type", type) }
    if let tag = probe.entityTag { object.add("etag", tag) }
    if let date = probe.lastModified { object.add("last_modified", date) }
    if let digest = probe.digest { object.add("digest", digest) }
    object.add("strong", probe.hasStrongValidator)
    object.add("ranges", probe.ranges.word)
    object.add("suggested", probe.name)
    return object
  }

  private func object(_ diagnosis: Diagnosis, _ request: DownloadRequest) -> JSONObject {
    var object = object("doctor", request, diagnosis.target)
    object.add("grade", diagnosis.grade.letter)
    object.add("meaning", diagnosis.grade.meaning)
    object.add("requests", diagnosis.requestCount)
    let findings = diagnosis.findings.map { finding in
      var object = JSONObject()
      object.add("code", finding.code)
      object.add("grade", finding.grade.letter)
      object.add("message", finding.sentence)
      return object
    }
    object.add("findings", objects: findings)
    return object
  }

  private func failure(_ error: DownloadError, _ request: DownloadRequest) -> JSONObject {
    var object = object("failed", request, nil)
    object.add(error)
    object.add("message", FailureSentences.cause(error).bytes)
    object.add("kept", 0)
    object.add(exit: error.exitCode(kept: 0))
    return object
  }

  private func write(_ object: JSONObject) { CommandSystem.write(object.line, to: .output) }

  // MARK: On standard error

  private mutating func trace() {
    for event in inquiry.takeEvents() where settings.isVerbose {
      if let text = WireTrace.text(event) { CommandSystem.write(text, to: .error) }
    }
  }

  private static func refuse(_ error: UsageError) -> Int32 {
    let status = UsageSentences.exitStatus(error)
    CommandSystem.write(FailureLine.text(status, UsageSentences.sentence(error)), to: .error)
    return status
  }

  private static func fail(_ error: DownloadError) -> Int32 {
    let status = error.exitCode(kept: 0)
    CommandSystem.write(FailureLine.text(status, FailureSentences.cause(error)), to: .error)
    return status
  }
}
