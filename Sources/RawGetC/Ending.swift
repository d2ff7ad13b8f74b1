internal import CRawGet
internal import RawGet

/// How a download ended, with its texts as C has them.
struct Ending {
  let status: Int32
  let progress: DownloadProgress
  private let length: Int64  // bytes
  private let httpStatus: Int32
  private let isLengthProven: Bool
  private let wasHere: Bool
  private let reason: CText
  private let message: CText
  private let path: CText?

  init(_ error: OptionError) {
    (status, httpStatus, length, isLengthProven, wasHere) = (error.status, 0, 0, false, false)
    (reason, message, path) = (CText(Array(error.reason.utf8)), CText(error.message.bytes), nil)
    progress = DownloadProgress()
  }

  init(_ result: DownloadResult, _ progress: DownloadProgress) {
    self.progress = progress
    switch result {
    case .complete(let summary):
      (status, httpStatus, length) = (0, 0, summary.length)
      isLengthProven = summary.isLengthProven
      wasHere = summary.note != .downloaded
      (reason, message, path) = (CText(Array("complete".utf8)), CText([]), summary.path.map { CText($0) })
    case .failed(let failure):
      (status, httpStatus, length) = (failure.exitCode, failure.error.httpStatus, failure.kept)
      (isLengthProven, wasHere) = (false, false)
      reason = CText(Array(failure.error.code.utf8))
      message = CText(FailureSentences.statement(failure).bytes)
      path = failure.partPath.map { CText($0) }
    }
  }

  /// Its texts live as long as this does.
  var raw: rawget_result {
    var result = unsafe rawget_result()
    unsafe result.status = status
    unsafe result.http_status = httpStatus
    unsafe result.length = length
    unsafe result.reason = unsafe reason.pointer
    unsafe result.message = unsafe message.pointer
    unsafe result.path = unsafe path?.pointer
    unsafe result.length_proven = isLengthProven ? 1 : 0
    unsafe result.was_here = wasHere ? 1 : 0
    return unsafe result
  }
}

extension DownloadError {
  /// Of the response that was no success; 0: that was not why.
  fileprivate var httpStatus: Int32 {
    switch self {
    case .refused(let status, _), .proxy(_, .refused(let status, _)): Int32(truncatingIfNeeded: status)
    default: 0
    }
  }
}
