internal import CRawGet
internal import RawGet

/// What the structures of the header have in common: their size comes first, as whoever made them knows it.
protocol SizedStructure {
  /// All members zero.
  init()
  var size: Int { get set }
}

extension rawget_options: SizedStructure {}
extension rawget_progress: SizedStructure {}
extension rawget_result: SizedStructure {}
extension rawget_event: SizedStructure {}

extension SizedStructure {
  /// No structure is larger, in any version to come: what claims to be was never given a size.
  private static var largest: Int { 4_096 }  // bytes

  /// Whether a caller's size is that of this version or a later one. The first version is the smallest.
  private static func isPlausible(_ size: Int) -> Bool { size >= MemoryLayout<Self>.size && size <= largest }

  /// What the caller passes.
  static func read(_ pointer: UnsafePointer<Self>?) throws(OptionError) -> Self {
    guard let pointer = unsafe pointer else { throw OptionError("there are no options") }
    let size = unsafe pointer.pointee.size
    guard isPlausible(size) else { throw OptionError("the size of the options is none") }
    let all = unsafe UnsafeRawBufferPointer(start: pointer, count: size)
    guard unsafe all[MemoryLayout<Self>.size...].allSatisfy({ $0 == 0 }) else {
      throw OptionError("an option is newer than this version of rawget", status: OptionError.unsupported)
    }
    return unsafe pointer.pointee
  }

  /// Hands it to a caller, whose members that are unknown here become zero; false when there is no room for it.
  func write(to pointer: UnsafeMutablePointer<Self>?) -> Bool {
    guard let pointer = unsafe pointer else { return false }
    let size = unsafe pointer.pointee.size
    guard Self.isPlausible(size) else { return false }
    let all = unsafe UnsafeMutableRawBufferPointer(start: pointer, count: size)
    for index in MemoryLayout<Self>.size..<size { unsafe all[index] = 0 }
    unsafe pointer.pointee = self
    unsafe pointer.pointee.size = size
    return true
  }
}
