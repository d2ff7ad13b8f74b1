#if Async && !hasFeature(Embedded)
  internal import Posix

  /// A download that runs on a thread of its own, for `async` code: none of its tasks' threads ever waits for a network.
  ///
  /// It begins when it is made. Cancelling a task that awaits `result` or the next of `events` cancels the download; to let
  /// go of this value does not. The closures of its request and options are called on its own thread.
  public struct AsyncDownload: Sendable {
    /// Events that wait for someone to take them: beyond that the oldest are dropped.
    public static let eventCapacity = 256

    /// What happens meanwhile, until the end. For one task: what one takes no other sees.
    public let events: AsyncStream<DownloadEvent>
    private let task: Task<DownloadResult, Never>
    private let control: DownloadControl

    /// Begins the download on a thread that it makes. Where the system makes none, `result` says so.
    ///
    /// - Parameters:
    ///   - request: what to download, and where to.
    ///   - options: how.
    ///   - control: to end it from elsewhere, as `cancel()` and `pause()` do.
    ///   - interval: how often `DownloadEvent.progressed` comes at most, and only when there is progress.
    ///   - tellsHeads: `DownloadEvent.requested` and `DownloadEvent.responded` are wanted too. A request's head holds
    ///     credentials.
    public init(
      _ request: DownloadRequest, _ options: DownloadOptions = DownloadOptions(),
      control: DownloadControl = DownloadControl(), progressEvery interval: Duration = .milliseconds(200),
      tellsHeads: Bool = false
    ) {
      let (events, teller) = AsyncStream.makeStream(
        of: DownloadEvent.self, bufferingPolicy: .bufferingNewest(AsyncDownload.eventCapacity))
      teller.onTermination = { reason in
        if case .cancelled = reason { control.cancel() }
      }
      self.events = events
      self.control = control
      task = Task.detached {
        await withCheckedContinuation { waiting in
          AsyncDownload.begin(
            {
              let result = Download(request, options).run(
                control, progressEvery: interval, tellsHeads: tellsHeads
              ) { event in teller.yield(event) }
              teller.finish()
              withExtendedLifetime(events) {}  // a stream that nobody holds counts as cancelled
              waiting.resume(returning: result)
            },
            orElse: { error in
              teller.finish()
              waiting.resume(returning: .failed(DownloadFailure(error: .system(error), kept: 0, partPath: nil)))
            })
        }
      }
    }

    private static func begin(_ body: @escaping @Sendable () -> Void, orElse fail: (SystemError) -> Void) {
      do throws(SystemError) { try BackgroundThread.start(body) } catch { fail(error) }
    }

    /// How it ended: the same for everybody who asks, as often as they do.
    public var result: DownloadResult {
      get async {
        await withTaskCancellationHandler {
          await task.value
        } onCancel: {
          control.cancel()
        }
      }
    }

    /// Ends it, from any thread: `DownloadControl.cancel`.
    public func cancel() { control.cancel() }

    /// Ends it, from any thread, to be gone on with: `DownloadControl.pause`.
    public func pause() { control.pause() }
  }
#endif
