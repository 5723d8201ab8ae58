import TestSupport
import Testing

@testable import halo

/// The columns of characters, and layout by columns.
@Suite(.computes) struct CharacterWidthTests {
    @Test func aCharacterOfASCIITakesOneColumn() {
        for value in UInt8(0x20)..<0x7F {
            #expect(Character(Unicode.Scalar(value)).columnCount == 1)
        }
        #expect("halo, 72 bpm".columnCount == 12)
    }

    @Test func aControlCharacterTakesNone() {
        for value in Array(UInt8(0)..<0x20) + Array(0x7F..<0xA0) {
            #expect(Character(Unicode.Scalar(value)).columnCount == 0)
        }
        #expect("\u{2028}".columnCount == 0)
        #expect("a\r\nb".columnCount == 2)
    }

    @Test(arguments: [
        ("é", 1), ("e\u{301}", 1), ("a\u{20DD}", 1), ("ß", 1), ("°", 1), ("ä̤", 1),
        ("日本", 4), ("ハロー", 6), ("ﾊﾛｰ", 3), ("Ａ", 2), ("한", 2), ("\u{1112}\u{1161}\u{11AB}", 2),
        ("…", 1), ("–", 1), ("┤", 1), ("⣷", 1), ("█", 1), ("•", 1), ("♥", 1), ("₂", 1),
        ("\u{FFFD}", 1), ("\u{E000}", 1), ("\u{10FFFF}", 1), ("𠀀", 2), ("", 0),
    ])
    func aLetterTakesTheColumnsOfItsScript(text: String, columns: Int) {
        #expect(text.columnCount == columns)
    }

    @Test(arguments: [
        ("👍", 2), ("👍🏽", 2), ("👨‍👩‍👧", 2), ("🇩🇪", 2), ("🇩🇪🇫🇷", 4), ("❤", 1), ("❤\u{FE0F}", 2),
        ("☝🏽", 2), ("🏳️‍🌈", 2), ("1\u{FE0F}\u{20E3}", 2), ("#\u{20E3}", 1), ("⌚", 2), ("🫨", 2),
        ("\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", 2),
        ("❤\u{FE0F}\u{200D}🔥", 2), ("©", 1), ("©\u{FE0F}", 2),
    ])
    func anEmojiSequenceTakesTwoColumns(text: String, columns: Int) {
        #expect(text.columnCount == columns)
    }

    @Test(arguments: [
        ("\u{200B}", 0), ("a\u{200B}b", 2), ("\u{200D}", 0), ("\u{202E}", 0), ("\u{FEFF}", 0),
        ("\u{AD}", 1), ("so\u{AD}ft", 5), ("\u{301}", 0),
    ])
    func anInvisibleCharacterTakesNoneExceptTheSoftHyphen(text: String, columns: Int) {
        #expect(text.columnCount == columns)
    }

    @Test func marksOfThaiTakeNone() {
        #expect("ที่".columnCount == 1)
        #expect("นี้".columnCount == 1)
    }

    private static let mixed = "a日e\u{301}👨‍👩‍👧🇩🇪ที่\u{AD}本é…z"

    @Test(arguments: GlyphSet.allCases) func truncatedTextFits(glyphs: GlyphSet) {
        for columns in 0...30 {
            let text = Self.mixed.truncated(toColumns: columns, glyphs: glyphs)
            #expect(text.columnCount <= columns)
            if columns >= Self.mixed.columnCount { #expect(text == Self.mixed) }
            let kept = Array(text.dropLast(glyphs.ellipsis.count))
            if text != Self.mixed {
                #expect(kept == Array(Self.mixed.prefix(kept.count)))
                #expect(glyphs.ellipsis.hasPrefix(String(text.suffix(columns == 0 ? 0 : 1))))
            }
            // A wide character leaves at most one column.
            #expect(text.columnCount >= min(columns, Self.mixed.columnCount) - 1)
        }
    }

    @Test func truncatedTextEndsWithAnEllipsis() {
        #expect("heart rate".truncated(toColumns: 6) == "heart…")
        #expect("heart rate".truncated(toColumns: 6, glyphs: .ascii) == "hea...")
        #expect("heart rate".truncated(toColumns: 2, glyphs: .ascii) == "..")
        #expect("heart rate".truncated(toColumns: 1, glyphs: .ascii) == ".")
        #expect("日本語".truncated(toColumns: 4) == "日…")
        #expect("日本語".truncated(toColumns: -1) == "")
        #expect("日本語".truncated(toColumns: .min) == "")
        #expect("日本語".truncated(toColumns: .max) == "日本語")
    }

    @Test func paddingCountsColumns() {
        #expect("日本".padded(toColumns: 6) == "日本  ")
        #expect("日本".rightAligned(toColumns: 6) == "  日本")
        #expect("日本".padded(toColumns: 3) == "日本")
        #expect("日本".padded(toColumns: .min) == "日本")
        #expect("a".padded(toColumns: .max).count == 10_000)
    }
}
