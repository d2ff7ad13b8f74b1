internal import Posix

/// How many connections a download wants, and whether one more would help. Pure: it has no clock.
///
///     waiting ──the last one wanted receives──▶ trying ──it brings what it should──▶ waiting, for one more
///                                                 ├──it does not──▶ decided, without it
///                                                 └──it does, and there are 8──▶ decided
///     any state ──refused──▶ decided, with fewer
///
/// Throughput is measured in spells of a round trip, 100 ms at least. An addition should bring as much as one of the
/// others: it stays as soon as it brings half of that. Its trial lasts 4 to 12 spells, for TCP begins slowly: a
/// connection of 2 MB/s with a round trip of 200 ms brings half in its fifth, one of 100 MB/s in its eleventh. With
/// 15 % of noise either way, two equal rates differ by 35 %, so the second connection, which must bring 50 %, is not
/// taken for a help when it is none; later steps are smaller, and are seen in the mean of more spells.
struct LaneCount {
  static let automaticLimit = 8  // connections
  private static let shortestSpell = Duration.milliseconds(100)
  /// What a trial takes at least. The first connection has nothing to be compared with, and goes on being measured
  /// until the second receives.
  private static let leastTimeOfTheFirst = 3  // spells
  private static let leastTime = 4  // spells
  /// A trial ends after both.
  private static let mostSpells = 12
  private static let mostTime = Duration.seconds(2)

  private enum State {
    /// For the last one wanted to receive content; meanwhile the rate without it is measured.
    case waiting
    case trying(Trial)
    case decided
  }

  private struct Trial {
    let since: Instant
    var before: Int64  // bytes a second without the last one
    /// The first connection was not at its height yet, so `before` still follows the spells up. By then the second
    /// brings next to nothing.
    var isRising: Bool
    var spells = 0
  }

  /// Of connections, including the first: 1 to `ConnectionChoice.limit`.
  private(set) var wanted: Int
  private var state: State
  private var measure = Throughput()

  init(_ choice: ConnectionChoice) {
    switch choice {
    case .exactly(let count):
      wanted = min(max(count, 1), ConnectionChoice.limit)
      state = .decided
    case .automatic:
      wanted = 1
      state = .waiting
    }
  }

  /// `total` bytes came so far over all lanes, and `open` lanes receive content now. Few of these calls decide.
  ///
  /// That fewer are open for a while, because a server closes after an answer, belongs to what such a server brings.
  mutating func didReceive(total: Int64, open: Int, roundTrip: Duration?, now: Instant) {
    let spell = Duration.nanoseconds(Pace.nanoseconds(max(roundTrip ?? .zero, LaneCount.shortestSpell)))
    switch state {
    case .decided: return
    case .waiting where open >= wanted:
      let isRising = wanted == 2 && measure.isRising
      // Not of more: in the earlier spells the last connection of these may have been beginning slowly.
      let before = measure.mean(ofLast: isRising ? 1 : 2)
      state = .trying(Trial(since: now, before: before, isRising: isRising))
      measure.restart(total: total, now: now)
    case .waiting: _ = measure.didReceive(total: total, spell: spell, now: now)
    case .trying(var trial):
      guard measure.didReceive(total: total, spell: spell, now: now) else { return }
      trial.spells += 1
      didEndSpell(of: trial, spell: spell, now: now)
    }
  }

  /// 429, 503, another refusal, or a failure to connect, of a connection that is not the only one. `open` counts it,
  /// so that the others stay; there will never be more.
  mutating func wasRefused(open: Int) {
    wanted = min(wanted, max(open, 2) - 1)
    state = .decided
  }

  private mutating func didEndSpell(of trial: Trial, spell: Duration, now: Instant) {
    if wanted == 1 {
      if now - trial.since >= spell * LaneCount.leastTimeOfTheFirst { wantOneMore() }
      return
    }
    var trial = trial
    let rate = measure.mean(ofLast: 1)
    trial.isRising = trial.isRising && Throughput.isRise(from: trial.before, to: rate)
    if trial.isRising { trial.before = rate }
    state = .trying(trial)
    let elapsed = now - trial.since
    guard elapsed >= spell * LaneCount.leastTime else { return }
    // The more connections, the smaller is the step to be seen.
    if measure.mean(ofLast: wanted / 2) > leastRate(before: trial.before) {
      wantOneMore()
    } else if trial.spells >= LaneCount.mostSpells, elapsed >= LaneCount.mostTime {
      wanted -= 1
      state = .decided
    }
  }

  private mutating func wantOneMore() {
    if wanted == LaneCount.automaticLimit {
      state = .decided
    } else {
      wanted += 1
      state = .waiting
    }
  }

  /// With n before the last one: their rate x (1 + 0.5 / n).
  private func leastRate(before: Int64) -> Int64 {
    Pace.sum(before, Pace.scaled(before, by: 1, over: Int64(wanted - 1) * 2))
  }
}
