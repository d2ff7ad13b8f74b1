// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are those of C.

public import CRawGet
internal import RawGet

// The functions of rawget.h, which says what holds for each. `@implementation`: one whose type differs from its
// declaration does not compile.

@c @implementation
public func rawget_abi_version() -> UInt32 { UInt32(RAWGET_ABI_VERSION) }

@c @implementation
public func rawget_version() -> UnsafePointer<CChar>? {
  let text: StaticString = "0.1.0"  // compared with RawGetVersion.text by the tests
  return unsafe UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}

@c @implementation
public func rawget_has_tls() -> Int32 { RawGetVersion.hasTLS ? 1 : 0 }

// MARK: A download

@c @implementation
public func rawget_download_create(_ options: UnsafePointer<rawget_options>?) -> OpaquePointer? {
  unsafe retainedHandle(of: DownloadObject(options))
}

@c @implementation
public func rawget_download_free(_ download: OpaquePointer?) {
  guard let object = unsafe object(download, DownloadObject.self) else { return }
  object.forget()
  releaseHandle(of: object)
}

@c @implementation
public func rawget_download_run(_ download: OpaquePointer?) -> Int32 {
  guard let object = unsafe object(download, DownloadObject.self) else { return usage }
  return object.runToItsEnd()
}

@c @implementation
public func rawget_download_cancel(_ download: OpaquePointer?) {
  unsafe object(download, DownloadObject.self)?.canceller.cancel()
}

@c @implementation
public func rawget_download_progress(
  _ download: OpaquePointer?, _ progress: UnsafeMutablePointer<rawget_progress>?
) -> Int32 {
  guard let object = unsafe object(download, DownloadObject.self) else { return usage }
  return unsafe object.rawProgress.write(to: progress) ? 0 : usage
}

@c @implementation
public func rawget_download_result(
  _ download: OpaquePointer?, _ result: UnsafeMutablePointer<rawget_result>?
) -> Int32 {
  guard let object = unsafe object(download, DownloadObject.self) else { return usage }
  guard let ending = object.ending else { return Int32(RAWGET_BUSY.rawValue) }
  return unsafe ending.raw.write(to: result) ? 0 : usage
}

// MARK: A loop

@c @implementation
public func rawget_loop_create(_ loop: UnsafeMutablePointer<OpaquePointer?>?) -> Int32 {
  guard let loop = unsafe loop else { return usage }
  unsafe loop.pointee = nil
  do throws(DownloadError) {
    unsafe loop.pointee = retainedHandle(of: try LoopObject())
    return 0
  } catch {
    return error.exitCode(kept: 0)
  }
}

@c @implementation
public func rawget_loop_free(_ loop: OpaquePointer?) {
  guard let object = unsafe object(loop, LoopObject.self) else { return }
  object.close()
  releaseHandle(of: object)
}

@c @implementation
public func rawget_loop_add(_ loop: OpaquePointer?, _ download: OpaquePointer?) -> Int32 {
  guard let loop = unsafe object(loop, LoopObject.self), let download = unsafe object(download, DownloadObject.self)
  else { return usage }
  return loop.add(download) ? 0 : usage
}

@c @implementation
public func rawget_loop_wake(_ loop: OpaquePointer?) { unsafe object(loop, LoopObject.self)?.waker.wake() }

@c @implementation
public func rawget_loop_run(
  _ loop: OpaquePointer?, _ milliseconds: Int64, _ event: UnsafeMutablePointer<rawget_event>?
) -> Int32 {
  guard let object = unsafe object(loop, LoopObject.self) else { return usage }
  return unsafe tell(event) { () throws(DownloadError) in
    try object.run(for: milliseconds < 0 ? nil : .milliseconds(milliseconds))
  }
}

@c @implementation
public func rawget_loop_descriptor(_ loop: OpaquePointer?) -> Int32 {
  unsafe object(loop, LoopObject.self)?.descriptor ?? -1
}

@c @implementation
public func rawget_loop_timeout(_ loop: OpaquePointer?) -> Int64 {
  unsafe object(loop, LoopObject.self)?.timeout ?? -1
}

@c @implementation
public func rawget_loop_advance(_ loop: OpaquePointer?, _ event: UnsafeMutablePointer<rawget_event>?) -> Int32 {
  guard let object = unsafe object(loop, LoopObject.self) else { return usage }
  return unsafe tell(event) { () throws(DownloadError) in try object.advance() }
}
