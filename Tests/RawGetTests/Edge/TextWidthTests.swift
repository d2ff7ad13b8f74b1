import Testing

@testable import RawGet

/// Columns of a terminal, and names that are shortened to fit.
struct TextWidthTests {
  static let widths: [(text: String, columns: Int, because: String)] = [
    ("", 0, "nothing"), ("file.bin", 8, "ASCII"), ("Größe", 5, "composed letters"),
    ("e\u{301}a\u{308}", 2, "combining marks take none"), ("片仮名", 6, "East Asian wide"), ("ｶﾞ", 2, "halfwidth kana"),
    ("ＡＢ", 4, "fullwidth letters"), ("한글", 4, "Hangul syllables"), ("😀", 2, "emoji"), ("…", 1, "an ellipsis"),
    ("━╸─", 3, "line drawing"), ("a\u{200B}b", 2, "zero width space"), ("\u{1F1FF}", 1, "a lone regional indicator"),
    ("עִבְרִית", 5, "points"), ("\u{3FFFD}", 2, "the last of the wide planes"), ("\u{40000}", 1, "beyond them"),
    ("\u{1B}[36m━━\u{1B}[0m", 2, "colours take none"),
  ]

  @Test(arguments: widths) func counts(_ row: (text: String, columns: Int, because: String)) {
    #expect(TextWidth.columns(of: Array(row.text.utf8)) == row.columns, "\(row.because)")
  }

  @Test func whatIsNotUTF8CountsAsItIsShown() {
    #expect(TextWidth.columns(of: [0x61, 0xFF, 0x62]) == 3)
  }

  static let shortenings: [(text: String, limit: Int, shown: String, because: String)] = [
    ("file.bin", 8, "file.bin", "it fits"), ("file.bin", 9, "file.bin", "it fits well"),
    ("ubuntu-26.04-desktop.iso", 14, "ubuntu-…op.iso", "the middle goes"), ("file.bin", 7, "fil…bin", "one too many"),
    ("abcdef", 2, "a…", "beginning first"), ("abcdef", 1, "…", "no room for more"), ("abcdef", 0, "", "no room"),
    ("abcdef", -1, "", "less than none"), ("片仮名平仮名", 7, "片…仮名", "a wide character is not halved"),
    ("片仮名平仮名", 6, "片…名", "nor at the end"),
    ("ab\u{301}cd\u{301}ef\u{301}", 4, "ab\u{301}…f\u{301}", "marks stay with theirs"),
    ("abcde\u{301}\u{302}", 3, "a…e\u{301}\u{302}", "all of them"),
  ]

  @Test(arguments: shortenings) func shortens(_ row: (text: String, limit: Int, shown: String, because: String)) {
    let shown = TextWidth.shortened(Array(row.text.utf8), to: row.limit)
    #expect(String(decoding: shown, as: UTF8.self) == row.shown, "\(row.because)")
  }

  /// Whatever is in a name, and however little room there is.
  @Test func neverTakesMoreThanThereIs() {
    let letters = Array("aé片e\u{301}😀\u{302}x\u{FE0F}한".unicodeScalars)
    var random = SeededGenerator(seed: 5)
    for _ in 0..<2_000 {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        letters.randomElement(using: &random).map { text.append($0) }
      }
      let limit = Int.random(in: 0...14, using: &random)
      let shown = TextWidth.shortened(Array(String(text).utf8), to: limit)
      #expect(TextWidth.columns(of: shown) <= limit, "\(String(text)) in \(limit)")
    }
  }
}
