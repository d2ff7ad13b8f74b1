/// The places that one download may come from: the caller's target, then its mirrors in their order (docs/MIRRORS.md).
/// One is present at a time, and every attempt begins there; where a digest decides, others may bring blocks as well. Pure.
///
///     usable ──failed for good──▶ failed        the next usable one is present then; without one the last error stands
///        └───content was wrong──▶ quarantined
struct MirrorList {
  /// Besides the caller's own target; those behind them are left out.
  static let limit = 32  // mirrors
  /// Attempts in a row without a new byte, after the first, before another place is tried: waiting for this one is
  /// worth less than asking there.
  static let patience = 1

  enum State: Equatable {
    case usable
    /// It did not answer, or not with the content.
    case failed
    /// What it brought was not what the digest says.
    case quarantined
  }

  private struct Place {
    let target: TargetURI
    var state = State.usable
    /// A server named it, and only a digest speaks for it (RFC 6249 §6).
    let needsDigest: Bool
    /// Content of it was kept.
    var hasServed = false
  }
  private var places: [Place]  // at most 1 + limit, the caller's target first
  private var index = 0

  init(_ target: TargetURI, mirrors: [TargetURI]) {
    places = [Place(target: target, needsDigest: false)]
    for mirror in mirrors { add(mirror, needsDigest: false) }
  }

  /// Where attempts begin at present.
  var target: TargetURI { places[index].target }

  /// It is the caller's target.
  var isAtOrigin: Bool { index == 0 }

  /// The caller's secrets are not for it.
  var isElsewhere: Bool { target.origin != places[0].target.origin }

  var present: State { places[index].state }

  /// Where it is in the list.
  var presentNumber: Int { index }

  /// Other places that may bring blocks of the content at the same time: only a digest makes them one.
  func besides(digestDecides: Bool) -> [(number: Int, target: TargetURI)] {
    guard digestDecides else { return [] }
    return places.indices.filter { $0 != index && places[$0].state == .usable }.map { ($0, places[$0].target) }
  }

  /// Adds one behind the others; a place that is there already is no other one.
  mutating func add(_ target: TargetURI, needsDigest: Bool) {
    guard places.count <= MirrorList.limit, !places.contains(where: { $0.target.text == target.text }) else { return }
    places.append(Place(target: target, needsDigest: needsDigest))
  }

  /// Whether another place could be tried.
  func hasOther(digestDecides: Bool) -> Bool { next(digestDecides: digestDecides) != nil }

  /// The present place is given up. False when it was the last usable one, and stays present.
  mutating func didFail(digestDecides: Bool) -> Bool {
    if places[index].state == .usable { places[index].state = .failed }
    guard let next = next(digestDecides: digestDecides) else { return false }
    index = next
    return true
  }

  /// Another place than the present one is given up.
  mutating func didFail(at number: Int) {
    precondition(number != index)
    if places[number].state == .usable { places[number].state = .failed }
  }

  /// Content was kept, from the present place or another.
  mutating func didServe(_ number: Int? = nil) { places[number ?? index].hasServed = true }

  /// Nothing of what was kept is left.
  mutating func didRestart() { for index in places.indices { places[index].hasServed = false } }

  /// What was kept is not what the digest says: whoever had a part in it is not asked again. They are given back.
  mutating func quarantine() -> [TargetURI] {
    var culprits: [TargetURI] = []
    for index in places.indices where places[index].hasServed {
      places[index].state = .quarantined
      culprits.append(places[index].target)
    }
    return culprits
  }

  /// In the order of the list, from the front: the present one is passed over.
  private func next(digestDecides: Bool) -> Int? {
    places.indices.first { candidate in
      let place = places[candidate]
      return candidate != index && place.state == .usable && (digestDecides || !place.needsDigest)
    }
  }
}
