import TestSupport
import Testing

@testable import halo

/// What a terminal shows after the bytes of a screen.
@Suite(.computes) struct ScreenTests {
    private static let pieces = [
        "a", "heart rate", " ", "日本", "e\u{301}", "👍🏽", "🇩🇪", "⣷⠋", "█▄", "–", "ที่", "❤\u{FE0F}",
        "\u{1B}[5;5H", "\n", "", "72",
    ]
    private static let styles: [TextStyle] = [.plain, .red, .strong, [.faint, .cyan]]

    private func line(_ noise: inout RepeatableNoise) -> StyledText {
        var line = StyledText()
        for _ in 0..<Int.random(in: 0...8, using: &noise) {
            line.append(
                Self.pieces.randomElement(using: &noise) ?? "",
                Self.styles.randomElement(using: &noise) ?? .plain)
        }
        return line
    }

    /// The rows that a terminal has to show.
    private func expected(_ frame: [StyledText], _ screen: Screen) -> [String] {
        let shown = frame.prefix(screen.rows).map { line in
            var text = line.plain(screen.glyphs)
                .truncated(toColumns: screen.columns, glyphs: screen.glyphs).text[...]
            while text.last == " " { text.removeLast() }
            return String(text)
        }
        return shown + Array(repeating: "", count: screen.rows - shown.count)
    }

    @Test(arguments: GlyphSet.allCases) func alwaysShowsExactlyTheFrame(glyphs: GlyphSet) {
        for seed in UInt64(1)...60 {
            var noise = RepeatableNoise(seed: seed)
            var screen = Screen(columns: 12, rows: 5, colours: seed % 2 == 0, glyphs: glyphs)
            var terminal = TerminalEmulator(columns: 12, rows: 5)
            terminal.receive(Screen.enter())
            var frame: [StyledText] = []
            for _ in 0..<40 {
                switch Int.random(in: 0..<10, using: &noise) {
                case 0:
                    let columns = Int.random(in: 1...25, using: &noise)
                    let rows = Int.random(in: 1...8, using: &noise)
                    terminal.resize(columns: columns, rows: rows)
                    screen.resize(columns: columns, rows: rows)
                case 1...4 where !frame.isEmpty:
                    frame[Int.random(in: 0..<frame.count, using: &noise)] = line(&noise)
                default:
                    frame = (0..<Int.random(in: 0...9, using: &noise)).map { _ in line(&noise) }
                }
                terminal.receive(screen.draw(frame))
                #expect(terminal.lines == expected(frame, screen), "seed \(seed)")
                #expect(terminal.faults == [], "seed \(seed)")
                #expect(!terminal.isUpdating)
            }
        }
    }

    @Test func anUnchangedFrameIsNoBytes() {
        var screen = Screen(columns: 80, rows: 24, colours: true, glyphs: .braille)
        let frame = [StyledText("a", .red), StyledText(), StyledText("b")]
        #expect(!screen.draw(frame).isEmpty)
        #expect(screen.draw(frame) == [])
        #expect(screen.draw(frame + [StyledText()]) == [])
        screen.invalidate()
        #expect(!screen.draw(frame).isEmpty)
    }

    @Test func onlyChangedLinesAreWritten() {
        var screen = Screen(columns: 80, rows: 24, colours: true, glyphs: .braille)
        _ = screen.draw([StyledText("a"), StyledText("b"), StyledText("c")])
        let bytes = screen.draw([StyledText("a"), StyledText("x", .red)])
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == "\u{1B}[?2026h\u{1B}[2;1H\u{1B}[31mx\u{1B}[0m\u{1B}[K\u{1B}[3;1H\u{1B}[K"
                + "\u{1B}[?2026l")
    }

    @Test func aFullLineKeepsItsLastCharacter() {
        var screen = Screen(columns: 4, rows: 1, colours: false, glyphs: .braille)
        var terminal = TerminalEmulator(columns: 4, rows: 1)
        for text in ["abcd", "efgh", "日本", "xy", "abcde"] {
            terminal.receive(screen.draw([StyledText(text)]))
            #expect(terminal.lines == [text.truncated(toColumns: 4)])
        }
        #expect(terminal.faults == [])
    }

    @Test func leavingRestoresTheScreenOfBefore() {
        var terminal = TerminalEmulator(columns: 20, rows: 3)
        terminal.receive(Array("$ halo live".utf8))
        terminal.receive(Screen.enter())
        #expect(terminal.isAlternate && !terminal.isCursorVisible && !terminal.wraps)
        #expect(terminal.lines == ["", "", ""])
        var screen = Screen(columns: 20, rows: 3, colours: true, glyphs: .braille)
        // The program ends in the middle of a frame, at the end of a sequence.
        let bytes = screen.draw([StyledText("72 bpm", .red)])
        terminal.receive(Array(bytes.dropLast("\u{1B}[?2026l".utf8.count)))
        #expect(terminal.isUpdating)
        terminal.receive(Screen.leave())
        #expect(!terminal.isAlternate && terminal.isCursorVisible && terminal.wraps)
        #expect(!terminal.isUpdating)
        #expect(terminal.lines == ["$ halo live", "", ""])
        #expect(terminal.faults == [])
    }

    @Test func noSizeIsWrong() {
        for size in [Int.min, -1, 0, 1, .max] {
            for other in [Int.min, 0, 1, 80, .max] {
                var screen = Screen(columns: size, rows: other, colours: true, glyphs: .ascii)
                let bytes = screen.draw([StyledText("♥ 72 bpm", .red), StyledText("b")])
                #expect(bytes.isEmpty == (size < 1 || other < 1))
                screen.resize(columns: other, rows: size)
                #expect(screen.draw([StyledText("a")]).isEmpty == (size < 1 || other < 1))
            }
        }
    }

    @Test func aTerminalOfASCIIGetsASCII() {
        var screen = Screen(columns: 20, rows: 2, colours: true, glyphs: .ascii)
        let bytes = screen.draw([StyledText("♥ 54–61 日本 é", .red)])
        #expect(bytes.allSatisfy { $0 < 0x80 })
    }
}
