internal import HTTP1
internal import Posix

// Requests that are more than a GET, and answers that bring no content though nothing is wrong.
extension Download {
  /// What the kind of request and the wish for something newer mean for the rest: an answer to anything but a plain GET
  /// is no representation of the target, and nothing is continued with it.
  static func settled(_ options: consuming DownloadOptions, for request: borrowing DownloadRequest) -> DownloadOptions {
    if options.onlyIfModified { options.existing = .replace }
    if case .memory(let limit) = request.destination { options.lengthLimit = min(options.lengthLimit ?? limit, limit) }
    if !request.isPlain {
      options.onlyIfModified = false
      options.resume.isOff = true
      if options.existing == .resume { options.existing = .fail }
    }
    return options
  }

  /// Another run for the same request would go on from what this one keeps.
  func isContinued(after error: DownloadError) -> Bool {
    if case .changed = error { return false }
    return order.isPlain && !options.resume.isOff
  }

  /// The loop that has it can't go on.
  mutating func end(failing error: DownloadError) -> DownloadResult {
    if case .finished(let result) = stage { return result }
    finish(failing: error, now: .now())
    guard case .finished(let result) = stage else {
      return .failed(DownloadFailure(error: error, kept: 0, partPath: nil))
    }
    return result
  }

  /// Size and time of the file that would be replaced.
  static func measure(_ name: [UInt8], in store: any FileStore) throws(DownloadError) -> FileMeasure? {
    do throws(SystemError) { return try store.measure(name) } catch { throw .file(error) }
  }

  /// Ends the download with a head alone; false when content follows that is wanted.
  mutating func endWithoutContent(_ head: ResponseHead, now: Int64) -> Bool {
    if !order.isPlain && (head.status == 204 || head.status == 205) {
      endWithNothing(.downloaded, length: 0, path: nil)
      return true
    }
    guard let existing, attempt?.asked == nil, isNotNewer(head, than: existing, now: now) else { return false }
    let note: DownloadSummary.Note = options.onlyExplains ? .explained(.complete) : .notModified
    endWithNothing(note, length: existing.size, path: path(of: placement?.name))
    return true
  }

  /// The server says so, or it does not know the question and its answer shows it.
  private func isNotNewer(_ head: ResponseHead, than existing: FileMeasure, now: Int64) -> Bool {
    if head.status == 304 { return attempt?.isConditional == true }
    guard head.status == 200, case .length(existing.size)? = attempt?.framing,
      let value = head.fields.singleValue(of: .lastModified), let date = HTTPDate(fieldValue: value, now: now)
    else { return false }
    return date.secondsSince1970 <= existing.modified
  }

  private mutating func endWithNothing(_ note: DownloadSummary.Note, length: Int64, path: [UInt8]?) {
    var summary = DownloadSummary(
      path: path, length: length, isLengthProven: true, isPrefixSampled: false, digest: nil, note: note)
    summary.finalTarget = attempt?.target
    end(.complete(summary))
  }
}
