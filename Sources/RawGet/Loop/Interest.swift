internal import Posix

/// What a download waits for on one descriptor.
struct Interest: Equatable {
  let descriptor: Int32
  /// Tells two sockets apart that had the same descriptor one after the other: a poller forgets a closed one.
  let serial: UInt64
  let readiness: Readiness
}
