import TestSupport
import Testing

@testable import halo

/// The choice of glyphs, and texts in them.
@Suite(.computes) struct GlyphSetTests {
    @Test(arguments: [
        ("xterm-256color", "de_DE.UTF-8", GlyphSet.braille), ("xterm", "C.utf8", .braille),
        ("tmux", "en_US.Utf-8@euro", .braille), ("linux", "C.UTF-8", .blocks),
        ("linux-16color", "C.UTF-8", .blocks), ("xterm", "C", .ascii), ("xterm", "", .ascii),
        ("xterm", "de_DE.ISO-8859-1", .ascii), ("dumb", "C.UTF-8", .ascii),
        ("", "C.UTF-8", .ascii), ("unknown", "C.UTF-8", .ascii), ("linux", "POSIX", .ascii),
    ])
    func followTerminalAndLocale(term: String, locale: String, glyphs: GlyphSet) {
        #expect(GlyphSet.supported(term: term, locale: locale) == glyphs)
    }

    /// All glyphs of a set.
    private func all(_ glyphs: GlyphSet) -> [String] {
        [glyphs.ellipsis, glyphs.dash, glyphs.verticalLine, glyphs.valueTick, glyphs.timeTick]
    }

    @Test func theGlyphsOfASCIIAreASCII() {
        #expect(all(.ascii).allSatisfy { $0.utf8.allSatisfy { 0x20..<0x7F ~= $0 } })
    }

    @Test func theGlyphsOfTheConsoleAreInItsFonts() {
        let codePage = Set("│┤")
        for character in all(.blocks).joined() {
            #expect(character.isASCII || codePage.contains(character), "\(character)")
        }
    }

    @Test(arguments: GlyphSet.allCases) func aGlyphForOneColumnHasOne(glyphs: GlyphSet) {
        for glyph in all(glyphs) where glyph != glyphs.ellipsis {
            #expect(glyph.columnCount == 1)
        }
    }

    @Test func textIsSpelledInASCII() {
        #expect(
            GlyphSet.ascii.plain("♥ 54–61 bpm · SpO₂ ≥ 95 %…") == "* 54-61 bpm | SpO2 >= 95 %...")
        #expect(GlyphSet.ascii.plain("→ 36.5 °C × 2⁶") == "-> 36.5 C x 2?")
        #expect(GlyphSet.ascii.plain("Zoë 日本 👍🏽") == "Zo? ?? ?")
        for text in ["—←┤╵²≤−", "ё\u{301}", "\u{FFFD}", "", "plain"] {
            #expect(GlyphSet.ascii.plain(text).utf8.allSatisfy { $0 < 0x80 })
        }
    }

    @Test func theConsoleKeepsWhatItCanShow() {
        #expect(GlyphSet.blocks.plain("♥ 54–61 · SpO₂ é…") == "♥ 54-61 · SpO2 é...")
        #expect(GlyphSet.braille.plain("♥ 54–61 · SpO₂ é…") == "♥ 54–61 · SpO₂ é…")
    }
}
