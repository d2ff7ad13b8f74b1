import Testing

@testable import RawGet

/// A path, taken apart, and put together again.
struct FilePlaceTests {
  static let refused = [
    ("", "nothing"), ("/", "the root"), ("a/", "a directory"), (".", "this one"), ("..", "the one above"),
    ("a/.", "this one, elsewhere"), ("a/..", "the one above, elsewhere"), ("//", "the root twice"), ("a\0b", "NUL"),
    ("a\0/b", "NUL on the way"),
  ]

  @Test(arguments: refused) func refuses(_ path: String, because: String) {
    #expect(FilePlace(path: Array(path.utf8)) == nil, "\(because)")
  }

  static let accepted = [
    ("a", "", "a"), ("./a", "./", "a"), ("/a", "/", "a"), ("b/a", "b/", "a"), ("b//a", "b//", "a"),
    ("../a", "../", "a"),
    ("b/../a", "b/../", "a"), (".a", "", ".a"), ("...", "", "..."), ("-", "", "-"), ("a b\n", "", "a b\n"),
  ]

  @Test(arguments: accepted) func takesApart(_ path: String, directory: String, name: String) throws {
    let place = try #require(FilePlace(path: Array(path.utf8)))
    #expect(place.directory == Array(directory.utf8))
    #expect(place.name == Array(name.utf8))
    #expect(Destination.file(Array(path.utf8)).path(of: place.name) == Array(path.utf8), "S0-17: and back")
  }

  static let directories = [("", "x"), (".", "./x"), ("a", "a/x"), ("a/", "a/x"), ("/", "/x")]

  @Test("S0-18", arguments: directories) func inADirectory(_ directory: String, path: String) {
    #expect(Destination.directory(Array(directory.utf8)).path(of: Array("x".utf8)) == Array(path.utf8))
  }
}
