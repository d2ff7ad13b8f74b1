import Glibc
import Posix
import Testing

/// Sends itself a signal and takes it before it returns: threads that serve queues block them all.
private func take(_ number: Int32) {
  var only = sigset_t()
  sigemptyset(&only)
  sigaddset(&only, number)
  pthread_sigmask(SIG_UNBLOCK, &only, nil)
  raise(number)
}

/// Each in a process of its own: handlers and masks belong to the whole of one.
struct SignalsTests {
  @Test func theFirstSignalIsNotedAndWakes() async {
    await #expect(processExitsWith: .success) {
      let wake = try WakeDescriptor()
      Signals.watchTermination(waking: wake.writeRaw)
      #expect(Signals.received() == nil)
      var poller = try Poller()
      try poller.watch(wake.raw, for: .readable, token: 1)
      take(SIGTERM)
      take(SIGINT)
      #expect(Signals.received() == SIGTERM)
      let count = try poller.wait(until: Instant.now() + .seconds(60))
      #expect(count == 1)
    }
  }

  @Test func wishesAreNotedOnceAndWake() async {
    await #expect(processExitsWith: .success) {
      let wake = try WakeDescriptor()
      Signals.watchTermination(waking: wake.writeRaw)
      Signals.watchRequests()
      #expect(Signals.takeRequests() == (false, false))
      var poller = try Poller()
      try poller.watch(wake.raw, for: .readable, token: 1)
      take(SIGUSR1)
      let count = try poller.wait(until: Instant.now() + .seconds(60))
      #expect(count == 1)
      #expect(Signals.takeRequests() == (true, false))
      #expect(Signals.takeRequests() == (false, false))
      take(SIGCONT)
      take(SIGUSR1)
      #expect(Signals.takeRequests() == (true, true))
      #expect(Signals.received() == nil, "neither ends anything")
    }
  }

  @Test func anIgnoredWishStaysIgnored() async {
    await #expect(processExitsWith: .success) {
      signal(SIGUSR1, SIG_IGN)
      Signals.watchRequests()
      take(SIGUSR1)
      #expect(Signals.takeRequests() == (false, false))
    }
  }

  @Test func anIgnoredSignalStaysIgnored() async {
    await #expect(processExitsWith: .success) {
      signal(SIGHUP, SIG_IGN)
      let wake = try WakeDescriptor()
      Signals.watchTermination(waking: wake.writeRaw)
      take(SIGHUP)
      #expect(Signals.received() == nil, "nohup")
      take(SIGINT)
      #expect(Signals.received() == SIGINT)
    }
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func diesByTheSignal(_ number: Int32) async {
    await #expect(processExitsWith: .signal(number)) { [number] in
      Signals.watchTermination(waking: -1)
      var all = sigset_t()
      sigfillset(&all)
      pthread_sigmask(SIG_BLOCK, &all, nil)
      Signals.dieBy(number)
    }
  }

  @Test func diesThoughTheSignalWouldNotKill() async {
    await #expect(processExitsWith: .exitCode(128 + SIGCHLD)) { Signals.dieBy(SIGCHLD) }
  }

  @Test func ignoredPipesAndSizesBecomeErrors() async {
    await #expect(processExitsWith: .success) {
      Signals.ignoreBrokenPipe()
      take(SIGPIPE)
      take(SIGXFSZ)
    }
  }
}
