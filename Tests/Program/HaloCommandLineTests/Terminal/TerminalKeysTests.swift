import Testing

@testable import halo

/// Keys from bytes, in pieces of any size.
struct TerminalKeysTests {
    private static let sequences: [(bytes: String, keys: [TerminalKey])] = [
        ("q", [.character("q")]), ("\u{1B}[A", [.up]), ("\u{1B}[B", [.down]),
        ("\u{1B}[C", [.right]), ("\u{1B}[D", [.left]), ("\u{1B}OA", [.up]), ("\u{1B}[H", [.home]),
        ("\u{1B}[F", [.end]), ("\u{1B}[5~", [.pageUp]), ("\u{1B}[6~", [.pageDown]),
        ("\u{1B}[3~", [.delete]), ("\u{1B}[1;5A", [.up]), ("\u{C}", [.control("l")]),
        ("\u{3}", [.control("c")]), ("\r", [.enter]), ("\n", [.enter]), ("\t", [.tab]),
        ("\u{7F}", [.backspace]), ("é", [.character("é")]), ("日", [.character("日")]),
        ("👍", [.character("👍")]), ("\u{1B}[15~", []), ("\u{1B}[23~", []), ("\u{1B}[1;3~", [.home]),
        ("\u{1B}[[A", []), ("\u{1B}OP", []),
        ("\u{1B}[?2026;2$y", []), ("\u{1B}x", []), ("\u{1B}]11;rgb:0/0/0\u{1B}\\", []),
        ("\u{1B}]0;title\u{7}", []), ("\u{1B}P1$r0m\u{1B}\\", []),
        ("\u{1B}\u{1B}[A", [.escape, .up]),
        ("\u{1B}\r", [.escape, .enter]), ("\u{1B}[\u{3}", [.control("c")]),
        ("\u{1B}[1\u{1B}[B", [.down]), ("\u{85}", []), ("\u{1B}é", [.character("é")]),
        ("\u{1B}[99999999999999999999999999999999~", []), ("\u{1B}[M", []), ("\0", []),
    ]

    @Test func eachSequenceIsReadAtEachSplit() {
        for (text, expected) in Self.sequences {
            // The key behind it shows that nothing of it is left.
            let bytes = Array(text.utf8) + [UInt8(ascii: "q")]
            for cut in 0...bytes.count {
                var keys = TerminalKeys()
                let found = keys.receive(bytes[..<cut]) + keys.receive(bytes[cut...])
                #expect(found == expected + [.character("q")], "\(text.debugDescription) at \(cut)")
                #expect(!keys.isPending)
            }
            var keys = TerminalKeys()
            #expect(bytes.flatMap { keys.receive([$0]) } == expected + [.character("q")])
        }
    }

    @Test func aLoneEscapeIsAKeyOnceNothingFollows() {
        var keys = TerminalKeys()
        #expect(keys.receive([0x1B]) == [])
        #expect(keys.isPending)
        #expect(keys.flush() == [.escape])
        #expect(!keys.isPending)
        #expect(keys.flush() == [])
        #expect(keys.receive(Array("[A".utf8)) == [.character("["), .character("A")])
    }

    @Test func whatIsIncompleteEndsWithoutAKey() {
        for text in ["\u{1B}[", "\u{1B}[1;", "\u{1B}O", "\u{1B}]0;title"] {
            var keys = TerminalKeys()
            #expect(keys.receive(Array(text.utf8)) == [])
            #expect(keys.isPending)
            #expect(keys.flush() == [])
            #expect(keys.receive([UInt8(ascii: "q")]) == [.character("q")])
        }
    }

    @Test(
        arguments: [
            [0xFF], [0x80], [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
            [0xF4, 0x90, 0x80, 0x80],
            [0xC3], [0xE6, 0x97], [0xF0, 0x9F, 0x91], [0xF8, 0x88, 0x80, 0x80, 0x80],
        ] as [[UInt8]])
    func invalidUTF8IsNoKey(bytes: [UInt8]) {
        var keys = TerminalKeys()
        #expect(keys.receive(bytes + [UInt8(ascii: "q")]) == [.character("q")])
    }

    /// Alt-] begins a text for the program: the keys after it come back.
    @Test func aTextWithoutEndIsSkippedInPartOnly() {
        var keys = TerminalKeys()
        let found = keys.receive(
            Array("\u{1B}]".utf8) + Array(repeating: UInt8(ascii: "q"), count: 1000))
        #expect(found == Array(repeating: .character("q"), count: 1000 - 256))
    }

    @Test func randomBytesAreReadAlikeInAllPieces() {
        var noise = RepeatableNoise(seed: 7)
        let likely: [UInt8] = [
            0x1B, 0x5B, 0x4F, 0x5D, 0x41, 0x7E, 0x31, 0x3B, 0x07, 0x5C, 0xE6, 0x97,
        ]
        for _ in 0..<300 {
            let bytes = (0..<200).map { _ in
                Bool.random(using: &noise)
                    ? likely.randomElement(using: &noise) ?? 0
                    : UInt8.random(in: 0...255, using: &noise)
            }
            var (whole, single) = (TerminalKeys(), TerminalKeys())
            let keys = whole.receive(bytes)
            #expect(bytes.flatMap { single.receive([$0]) } == keys)
            #expect(keys.count <= bytes.count)
        }
    }
}
