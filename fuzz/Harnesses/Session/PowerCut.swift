@testable import RawGet

/// The files of a directory, as a system finds them when it starts.
struct DiskImage {
  struct File {
    var content: [UInt8]
    var mode: UInt32 = 0o600
    var modified: Int64 = 1  // seconds since 1970
  }
  var files: [String: File] = [:]

  subscript(_ name: String) -> [UInt8]? { files[name]?.content }
}

/// A disk whose power is cut after the first `count` operations of its log.
///
/// What was synchronised is there. Of the rest, POSIX promises nothing, and this is what file systems do: a change to the
/// directory is there or not, whatever became of the others; appended bytes are lost, there, or there in part; the length
/// is there and the bytes read as zeros, all of them or blocks in between.
struct PowerCut {
  /// What became of content that was not synchronised.
  enum Content: Equatable {
    case lost
    case kept
    /// The first `share` of what was appended, in 1/256.
    case torn(share: Int)
    /// All of the length, zeros behind the first `share`.
    case zeros(share: Int)
    /// All of the length, zeros in a run of blocks in the middle.
    case hole(share: Int)
  }
  /// One way in which it may have gone.
  struct Fate: Equatable {
    /// Which of the changes to the directory are there, the oldest in the lowest bit.
    var entries: UInt64
    var content: Content
    var attributesKept: Bool
  }
  private struct Stored {
    var durable = DiskImage.File(content: [])
    var pending: [SimulatedDisk.Operation] = []
  }
  private static let block = 4_096  // bytes

  private var entries: [String: Int] = [:]
  private var pendingEntries: [SimulatedDisk.Operation] = []
  private var inodes: [Int: Stored] = [:]

  /// Before the first operation on `image`.
  init(_ image: DiskImage) {
    for (index, name) in image.files.keys.sorted().enumerated() {
      entries[name] = index + 1  // as SimulatedDisk numbers them
      inodes[index + 1] = Stored(durable: image.files[name] ?? DiskImage.File(content: []))
    }
  }

  /// The next operation comes before the cut.
  mutating func advance(_ operation: SimulatedDisk.Operation) {
    switch operation {
    case .create(_, let inode):
      inodes[inode] = Stored()
      pendingEntries.append(operation)
    case .createNameless(let inode, let mode):
      inodes[inode] = Stored(durable: DiskImage.File(content: [], mode: mode))
    case .give, .rename, .remove: pendingEntries.append(operation)
    case .append(let inode, _), .truncate(let inode, _), .setMode(let inode, _), .setModified(let inode, _):
      inodes[inode]?.pending.append(operation)
    case .synchronize(let inode, let attributes): synchronize(inode, attributes: attributes)
    case .synchronizeDirectory:
      entries = settledEntries(.max)
      pendingEntries = []
    }
  }

  private mutating func synchronize(_ inode: Int, attributes: Bool) {
    guard let stored = inodes[inode] else { return }
    let fate = Fate(entries: 0, content: .kept, attributesKept: attributes)
    inodes[inode]?.durable = PowerCut.settled(stored, fate)
    inodes[inode]?.pending = attributes ? [] : stored.pending.filter { PowerCut.isAttribute($0) }
  }

  // MARK: What may be left

  /// How many ways there are for the directory.
  var entryFates: Range<UInt64> { 0..<(1 << UInt64(pendingEntries.count)) }

  /// Whether any content waits to be synchronised.
  var hasPendingContent: Bool { inodes.values.contains { $0.pending.contains { !PowerCut.isAttribute($0) } } }

  func image(_ fate: Fate) -> DiskImage {
    var image = DiskImage()
    for (name, inode) in settledEntries(fate.entries) {
      guard let stored = inodes[inode] else { continue }
      image.files[name] = PowerCut.settled(stored, fate)
    }
    return image
  }

  /// The names, with those of the pending changes that `mask` chooses; one that needs another which is lost is lost too.
  private func settledEntries(_ mask: UInt64) -> [String: Int] {
    var names = entries
    for (index, operation) in pendingEntries.enumerated() where mask >> UInt64(index) & 1 == 1 {
      switch operation {
      case .create(let name, let inode), .give(let name, let inode): names[name] = inode
      case .remove(let name): names[name] = nil
      case .rename(let from, let to, let inode):
        // An entry leads to the file that was renamed, never to an older one of that name.
        guard names[from] == inode else { continue }
        names[from] = nil
        names[to] = inode
      default: continue
      }
    }
    return names
  }

  private static func isAttribute(_ operation: SimulatedDisk.Operation) -> Bool {
    switch operation {
    case .setMode, .setModified: true
    default: false
    }
  }

  private static func settled(_ stored: Stored, _ fate: Fate) -> DiskImage.File {
    var file = stored.durable
    var untouched = file.content.count  // bytes before everything pending
    var whole = file.content
    for operation in stored.pending {
      switch operation {
      case .append(_, let bytes): whole += bytes
      case .truncate(_, let length):
        whole.removeSubrange(length...)
        untouched = min(untouched, length)
      case .setMode(_, let mode): if fate.attributesKept { file.mode = mode }
      case .setModified(_, let seconds): if fate.attributesKept { file.modified = seconds }
      default: continue
      }
    }
    let fresh = whole.count - untouched
    switch fate.content {
    case .lost: return file
    case .kept: break
    case .torn(let share): whole.removeSubrange((untouched + fresh * share / 256)...)
    case .zeros(let share): zero(&whole, (untouched + fresh * share / 256)..<whole.count)
    case .hole(let share):
      let start = min((untouched + fresh * share / 512 + block - 1) / block * block, whole.count)
      let end = min(start + max(fresh * share / 512 / block, 1) * block, whole.count)
      zero(&whole, start..<end)
    }
    file.content = whole
    return file
  }

  private static func zero(_ bytes: inout [UInt8], _ range: Range<Int>) {
    bytes.replaceSubrange(range, with: [UInt8](repeating: 0, count: range.count))
  }
}
