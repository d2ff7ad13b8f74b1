internal import RawGet

/// What is to be downloaded, one after the other: the operands, then the lines of the lists. However long a list is,
/// a piece of it is in memory.
struct ItemSource: ~Copyable {
  enum Next {
    case item(Item)
    /// A line that does not read: it was passed over.
    case refused(UsageError)
    /// A list has no more to give now, and has not ended.
    case later
    case end
  }

  private let settings: Settings
  private var operands: ArraySlice<[UInt8]>
  private var lists: ArraySlice<[UInt8]>
  private var list: LineSource?

  init(_ settings: Settings) {
    self.settings = settings
    operands = settings.operands[...]
    lists = settings.lists[...]
  }

  /// Reads everything once before anything is begun, so that a mistake has no partial effect. What can't be read twice,
  /// as standard input and other pipes, is read as it comes.
  static func check(_ settings: Settings) throws(UsageError) {
    for operand in settings.operands { _ = try settings.request(for: try Item.target(operand)) }
    for path in settings.lists where !CommandInput.isStream(path) {
      var source = try LineSource(path)
      while case .line(let line) = try source.next() {
        do throws(UsageError) { _ = try Item.line(line, settings) } catch { throw .at(source.place, error) }
      }
    }
  }

  /// Waits for more of a list that had nothing to give, or until somebody wakes the loop.
  mutating func wait(orWoken loop: borrowing EventLoop) { list?.wait(orWoken: loop) }

  mutating func next() throws(UsageError) -> Next {
    if let operand = operands.popFirst() {
      return .item(Item(request: try settings.request(for: try Item.target(operand))))
    }
    while true {
      if list == nil {
        guard let path = lists.popFirst() else { return .end }
        list = try LineSource(path)
      }
      switch try list?.next() {
      case .line(let line):
        do throws(UsageError) {
          if let item = try Item.line(line, settings) { return .item(item) }
        } catch {
          return .refused(.at(list?.place ?? [], error))
        }
      case .later: return .later
      case .end, nil: list = nil
      }
    }
  }
}
