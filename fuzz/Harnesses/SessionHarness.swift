/// A hostile server against plan, landing, part and disk, through several connections, kills and power cuts
/// (`Session/SessionStory.swift` says what the bytes decide): the part is at every instant the beginning of one of the
/// served representations, and success means equal to one.
extension Harness {
  static let session = Harness("session") { input in
    var story = SessionStory(input)
    _ = try story.tell()
  }
}
