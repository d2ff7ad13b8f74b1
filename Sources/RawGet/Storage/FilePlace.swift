/// A path taken apart: the directory that every operation is relative to, and one name in it.
struct FilePlace: Equatable {
  /// Empty for the current directory.
  let directory: [UInt8]
  let name: [UInt8]

  /// nil when the path ends in no name that a file could have.
  init?(path: [UInt8]) {
    let slash = UInt8(ascii: "/")
    guard !path.contains(0) else { return nil }
    if let last = path.lastIndex(of: slash) {
      directory = Array(path[...last])
      name = Array(path[(last + 1)...])
    } else {
      directory = []
      name = path
    }
    if name.isEmpty || name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8) { return nil }
  }
}
