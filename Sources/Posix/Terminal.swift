internal import CPosix

/// What is known of the terminal behind a descriptor.
public enum Terminal {
  public static func isTerminal(_ descriptor: Int32) -> Bool { px_is_terminal(descriptor) }

  /// Its width; `nil`: not a terminal, or one that does not know.
  public static func columns(_ descriptor: Int32) -> Int? {
    let columns = px_terminal_columns(descriptor)
    return columns > 0 ? Int(columns) : nil
  }

  /// Its height; `nil`: not a terminal, or one that does not know.
  public static func rows(_ descriptor: Int32) -> Int? {
    let rows = px_terminal_rows(descriptor)
    return rows > 0 ? Int(rows) : nil
  }

  /// False while a shell has this process in the background: what it draws would get into somebody's way.
  public static func isForeground(_ descriptor: Int32) -> Bool { px_terminal_is_foreground(descriptor) }
}
