import TestSupport
import Testing

@testable import halo

/// Lines of text with styles.
@Suite(.computes) struct StyledTextTests {
    @Test func aSpanStandsBetweenItsSequences() {
        let text =
            StyledText("Rate ", .strong) + StyledText("72", [.red, .strong]) + StyledText(" bpm")
        #expect(
            text.rendered(colours: true) == "\u{1B}[1mRate \u{1B}[0m\u{1B}[1;31m72\u{1B}[0m bpm")
        #expect(text.rendered(colours: false) == "Rate 72 bpm")
        #expect(text.text == "Rate 72 bpm")
        #expect(text.columnCount == 11)
    }

    @Test func eachStyleHasItsParameter() {
        let styles: [(TextStyle, String)] = [
            (.strong, "1"), (.faint, "2"), (.red, "31"), (.green, "32"), (.yellow, "33"),
            (.blue, "34"), (.magenta, "35"), (.cyan, "36"),
        ]
        for (style, parameter) in styles {
            #expect(style.escapeSequence == "\u{1B}[\(parameter)m")
        }
        #expect(TextStyle.plain.escapeSequence == "")
    }

    @Test func nothingInItControlsTheTerminal() {
        let evil = "a\u{1B}[2Jb\nc\td\u{7}e\u{9B}m\u{202E}f\u{2028}g\u{200D}h\r\n\u{7F}"
        for text in [StyledText(evil), StyledText("ok", .red) + StyledText(evil, .red)] {
            let scalars = text.rendered(colours: false).unicodeScalars
            #expect(!scalars.contains { $0.value < 0x20 || 0x7F..<0xA0 ~= $0.value })
            #expect(!text.text.unicodeScalars.contains { $0.properties.generalCategory == .format })
        }
        #expect(StyledText("a\nb").text == "a\u{FFFD}b")
        #expect(StyledText("a\u{1B}[31m").columnCount == 6)
        #expect(StyledText("❤\u{FE0F} e\u{301}").text == "❤\u{FE0F} e\u{301}")
    }

    @Test func neighboursOfOneStyleAreOneSpan() {
        var text = StyledText("a", .red)
        text.append("b", .red)
        text.append("", .blue)
        text.append("c")
        #expect(text.spans.map(\.text) == ["ab", "c"])
        #expect(StyledText("").isEmpty)
        // The modifier is part of the hand before it.
        let hand = StyledText("👍") + StyledText("🏽")
        #expect(hand.columnCount == 2)
        #expect(hand == StyledText("👍🏽"))
    }

    @Test(arguments: GlyphSet.allCases) func truncatedTextFits(glyphs: GlyphSet) {
        let text =
            StyledText("日本", .red) + StyledText("e\u{301}👍🏽", .blue) + StyledText(" plain 🇩🇪")
        for columns in -1...20 {
            let short = text.truncated(toColumns: columns, glyphs: glyphs)
            #expect(short.columnCount <= max(columns, 0))
            #expect(short.columnCount == short.text.columnCount)
            #expect(short.text == text.text.truncated(toColumns: columns, glyphs: glyphs))
        }
        #expect(text.truncated(toColumns: .max) == text)
        #expect(text.truncated(toColumns: .min).isEmpty)
    }

    @Test func paddingHasNoStyle() {
        let text = StyledText("日", .red).padded(toColumns: 4)
        #expect(text.rendered(colours: true) == "\u{1B}[31m日\u{1B}[0m  ")
        #expect(StyledText("日").rightAligned(toColumns: 4).text == "  日")
        #expect(StyledText("日").padded(toColumns: .min).text == "日")
    }

    @Test func aTextIsSpelledInOtherGlyphs() {
        let text = StyledText("54–61", .red) + StyledText(" · é")
        #expect(text.plain(.ascii).rendered(colours: true) == "\u{1B}[31m54-61\u{1B}[0m | ?")
        #expect(text.plain(.braille) == text)
    }
}
