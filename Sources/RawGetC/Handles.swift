internal import CRawGet
internal import RawGet

let usage = Int32(RAWGET_USAGE.rawValue)

/// A handle holds its object until it is released; each kind has a type of its own in C.
func retainedHandle<Object: AnyObject>(of object: Object) -> OpaquePointer {
  unsafe OpaquePointer(Unmanaged.passRetained(object).toOpaque())
}

/// The same one, which holds no more than before.
func handle(of object: DownloadObject) -> OpaquePointer {
  unsafe OpaquePointer(Unmanaged.passUnretained(object).toOpaque())
}

func releaseHandle<Object: AnyObject>(of object: Object) { unsafe Unmanaged.passUnretained(object).release() }

/// The object of a handle; nil for NULL.
func object<Object: AnyObject>(_ handle: OpaquePointer?, _ kind: Object.Type) -> Object? {
  guard let handle = unsafe handle else { return nil }
  return unsafe Unmanaged<Object>.fromOpaque(UnsafeRawPointer(handle)).takeUnretainedValue()
}

/// Hands the next event to the caller, who has made room for it: otherwise none is taken, and none is lost.
func tell(
  _ event: UnsafeMutablePointer<rawget_event>?, _ next: () throws(DownloadError) -> LoopEvent
) -> Int32 {
  guard unsafe LoopEvent.none.raw.write(to: event) else { return usage }
  do throws(DownloadError) {
    let told = try next()
    _ = unsafe told.raw.write(to: event)
    return 0
  } catch {
    return error.exitCode(kept: 0)
  }
}

extension DownloadObject {
  /// On a loop of its own, in the caller's thread.
  func runToItsEnd() -> Int32 {
    switch begin(number: 0) {
    case .impossible: return usage
    case .ended: return ending?.status ?? usage
    case .job(let job):
      end(DownloadObject.run(job))
      return ending?.status ?? usage
    }
  }

  private static func run(_ job: DownloadJob) -> DownloadResult {
    do throws(DownloadError) {
      var loop = try EventLoop(jobs: 1, job.download.options.connections, tellsHeads: false)
      loop.add(job)
      while true {
        if case .finished(_, let result) = try loop.run(for: .seconds(86_400)) { return result }
      }
    } catch {
      return .failed(DownloadFailure(error: error, kept: job.download.progress.kept, partPath: nil))
    }
  }
}
