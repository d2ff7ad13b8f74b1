import HTTP1

/// Shows an input to readers of responses, a new one after each message. Once one has refused, it is shown the rest
/// all the same, and must say the same every time.
struct Feeder: ~Copyable {
  private var reader = ResponseReader(answering: .get)
  private(set) var consumed = 0  // bytes
  private(set) var messages = 0
  private(set) var refusal: ProtocolError?

  /// Shows the input in pieces of at most `piece` bytes. The repeated text is never held in full: a piece is cut out of
  /// `window`, which is as many repetitions as it can span.
  mutating func feed(_ load: Load, size: Int, piece: Int, window: [UInt8]) {
    feed(load.prefix.span, piece: piece)
    var shown = 0
    let total = load.repetitions(for: size) * load.unit.count
    while shown < total {
      let start = shown % load.unit.count
      let count = min(piece, total - shown)
      didReceive(window.span.extracting(start..<(start + count)))
      shown += count
    }
    feed(load.suffix.span, piece: piece)
  }

  static func window(on load: Load, piece: Int) -> [UInt8] {
    Array(repeatElement(load.unit, count: piece / load.unit.count + 2).joined())
  }

  private mutating func feed(_ text: Span<UInt8>, piece: Int) {
    var shown = 0
    while shown < text.count {
      let count = min(piece, text.count - shown)
      didReceive(text.extracting(shown..<(shown + count)))
      shown += count
    }
  }

  private mutating func didReceive(_ piece: Span<UInt8>) {
    var taken = 0
    do throws(ProtocolError) {
      while true {
        let step = try reader.didReceive(piece.extracting(taken...))
        precondition(refusal == nil, "what was refused is read on")
        taken += step.taken
        consumed += step.taken
        switch step.event {
        case .head, .content: continue
        case .needsMore: return
        case .complete:
          messages += 1
          reader = ResponseReader(answering: .get)
          if taken == piece.count { return }
        }
      }
    } catch {
      precondition(refusal == nil || refusal == error, "another refusal than before")
      refusal = error
    }
  }
}
