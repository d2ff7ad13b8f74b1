import Foundation

/// What this process has open, as /proc names it. A count would not do: other tests run at the same time.
enum OpenDescriptors {
  /// `socket:[12345]`, `pipe:[678]` or a path: a name that no later descriptor gets again, unless it is a path.
  static func name(of descriptor: Int32) -> String? {
    var target = [CChar](repeating: 0, count: 4_096)
    let count = readlink("/proc/self/fd/\(descriptor)", &target, target.count)
    guard count > 0 else { return nil }
    return String(decoding: target.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  static var names: [String] {
    let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return descriptors.compactMap { Int32($0).flatMap(name(of:)) }
  }

  /// Files and directories in the folder, the folder itself and removed files included.
  static func names(in folder: Folder) -> [String] { names.filter { $0.hasPrefix(folder.path) } }

  static func stillOpen(of wanted: Set<String>) -> [String] { names.filter { wanted.contains($0) } }
}
