import Testing

@testable import RawGet

/// Random lanes, lengths, windows and accidents: every byte exactly once and in order, and always an end.
struct RangeSchedulerPropertyTests {
  @Test(arguments: 0..<8) func sharesTheBytesAsTheBytewiseOneDoes(_ part: Int) {
    var (assigned, refused, adopted, cut, stuck, complete) = (0, 0, 0, 0, 0, 0)
    for seed in part * 150..<(part + 1) * 150 {
      var random = SeededGenerator(seed: UInt64(seed))
      let download = SimulatedDownload(most: 60, random: &random)
      var comparison = SchedulerComparison(download, random: random)
      comparison.run(steps: 150)
      if !comparison.faults.isEmpty { Issue.record("seed \(seed): \(comparison.faults)") }
      assigned += comparison.counts.assigned
      refused += comparison.counts.refused
      adopted += comparison.counts.adopted
      cut += comparison.counts.cutInLater
      stuck += comparison.counts.stuck
      complete += comparison.counts.complete
    }
    #expect(assigned > 500 && refused > 500 && adopted > 20, "\(assigned) \(refused) \(adopted)")
    #expect(cut > 5 && stuck > 500 && complete > 50, "\(cut) \(stuck) \(complete)")
  }

  @Test(arguments: 0..<8) func everyByteReachesTheSinkOnceAndInOrder(_ part: Int) {
    var rescues = 0
    for seed in part * 60..<(part + 1) * 60 {
      var random = SeededGenerator(seed: UInt64(seed))
      let download = SimulatedDownload(most: 1_000, random: &random)
      var simulation = LaneSimulation(download, random: random)
      simulation.run()
      var position = download.pieces.first?.lowerBound ?? 0
      for range in simulation.sink {
        if range.lowerBound != position { Issue.record("seed \(seed): \(range) after \(position)") }
        position = range.upperBound
      }
      #expect(position == download.pieces.last?.upperBound ?? 0, "seed \(seed)")
      #expect(simulation.faults.isEmpty, "seed \(seed), \(download)")
      rescues += simulation.rescues
    }
    #expect(rescues > 0, "lanes that all waited")
  }
}
