internal import HTTP1
internal import Posix

// Before the first request: the destination, what is there, and what that means.
extension Download {
  mutating func start(_ files: any FileSystem, now: Instant) throws(DownloadError) {
    if options.checksum != nil { try digests.prepare(options.checksum) }
    switch request.destination {
    case .standardOutput:
      sink = ContentSink(.stream(try OutputStream()))
    case .memory: sink = ContentSink(.memory(MemoryContent()))
    case .receiver(let receiver): sink = ContentSink(.receiver(ReceivedContent(receiver)))
    case .file(let path):
      guard let place = FilePlace(path: path) else { throw .invalidRequest }
      isNameSettled = true
      try settle(on: place.name, in: place.directory, files, now: now)
    case .directory(let path):
      let name = nameOfResponse ?? FileName.suggested(contentDisposition: nil, target: request.target)
      try settle(on: name, in: path, files, now: now)
    }
    if case .finished = stage { return }
    beginAttempt()
  }

  /// Takes `name` for the file to be, and looks at what is there.
  mutating func settle(
    on name: [UInt8], in path: [UInt8], _ files: any FileSystem, now: Instant
  ) throws(DownloadError) {
    let store: any FileStore
    do throws(SystemError) { store = try files.directory(path) } catch {
      guard error.isMissing && options.createsDirectories else { throw .file(error) }
      store = FutureDirectory(path, on: files)
    }
    let place = PartFile.Place(
      store: store, boot: files.bootIdentity, syncBytes: options.syncBytes, wholeMode: files.newFileMode)
    let isExplicit = if case .file = request.destination { true } else { false }
    let found = try Placement(name, in: place, options.existing, isExplicit: isExplicit, now: now)
    placement = found
    existing = options.onlyIfModified ? try Download.measure(name, in: store) : nil
    sink = nil
    representation = nil
    mixedUnder = nil
    samples = nil
    selection?.restart()
    switch found.finding {
    case .device: sink = ContentSink(.stream(try OutputStream(to: name, in: store)))
    case .part(let part?): adopt(part)
    case .existing where !order.isPlain: throw .exists  // before anything is sent
    case .part(nil), .existing: break
    case .skipped:
      let summary = DownloadSummary(
        path: self.path(of: name), length: 0, isLengthProven: false, isPrefixSampled: false, digest: nil, note: .skipped
      )
      end(.complete(summary))
    }
  }

  private mutating func adopt(_ part: PartFile) {
    sink = ContentSink(.part(part))
    if let record = part.record {
      representation = Representation(recorded: record.representation, now: WallClock.secondsSince1970())
    }
    mixedUnder = part.record?.mixedUnder
    guard part.length > 0 else { return }
    let plan = ResumePlan(state(of: part), options.resume, continuationRefused: false)
    events.append(.found(progress, plan.reason))
  }

  func state(of part: PartFile) -> PartState {
    let isSameTarget = part.record.map { $0.target == TargetIdentity(mirrors.target) } ?? true
    return PartState(
      length: part.length, trusted: part.trusted, known: representation, isSameTarget: isSameTarget,
      isUndecidedMix: mixedUnder.map { !digests.decide(by: $0) } ?? false)
  }

  func record(of representation: Representation, for part: PartFile) -> PartRecord {
    var fields = representation.fields
    if !order.isPlain {  // they speak of an answer, not of the target
      fields.entityTag = nil
      fields.lastModified = nil
    }
    var target = TargetIdentity(mirrors.target)  // whose validator it is
    if request.ranges != nil {  // no beginning of it: whoever asks for the target is told that this was another
      target = TargetIdentity(text: target.text + Array("#ranges".utf8), queryHash: target.queryHash)
    }
    return PartRecord(
      target: target,
      finalOrigin: representation.servedAt?.originText ?? [],
      representation: fields, mixedUnder: mixedUnder, durableLength: part.durableLength, boot: part.boot,
      owner: SystemIdentity.process())
  }
}

extension ResumePlan {
  var reason: ResumeReason {
    switch self {
    case .fresh: .fresh
    case .range(let plan): plan.reason
    case .whole(let reason): reason
    }
  }
}
