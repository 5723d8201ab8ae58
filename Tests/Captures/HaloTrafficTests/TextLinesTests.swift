import CaptureSupport
import HaloCapture
import HaloProtocol
import TestSupport
import Testing

@testable import HaloTraffic

/// The lines of a log, and the channels of their bytes.
@Suite(.computes) struct TextLinesTests {
    private static func lines(_ file: [UInt8]) -> [String] {
        let bytes = ContiguousArray(file)
        return TextLines.lines(of: bytes.span).map { String(decoding: $0, as: UTF8.self) }
    }

    @Test(
        arguments: [
            ("a\nb\n", ["a", "b"]), ("a\r\nb", ["a", "b"]), ("a\r\r\n", ["a\r"]), ("\n", [""]),
            ("\n\na", ["", "", "a"]), ("a\rb\n", ["a\rb"]),
            ("\u{FEFF}a\n\u{FEFF}b", ["a", "\u{FEFF}b"]),
            ("", []), ("a", ["a"]),
        ] as [(String, [String])])
    func linesEndWithLineFeeds(text: String, expected: [String]) {
        #expect(Self.lines(Array(text.utf8)) == expected)
    }

    /// UTF-16 with and without a byte order mark, in both byte orders. Characters outside ASCII
    /// become question marks.
    @Test(
        arguments: [
            ([0xFF, 0xFE, 0x61, 0, 0x0A, 0, 0x62, 0], ["a", "b"]),
            ([0xFE, 0xFF, 0, 0x61, 0, 0x0A, 0, 0x62], ["a", "b"]),
            ([0x61, 0, 0x0A, 0], ["a"]), ([0, 0x61, 0, 0x0A], ["a"]),
            ([0xFF, 0xFE, 0x7F, 0, 0x80, 0, 0x61, 1], ["\u{7F}??"]),
            ([0x61, 0x62, 0, 0x0A], []),
        ] as [([UInt8], [String])])
    func wideTextIsRead(file: [UInt8], expected: [String]) {
        #expect(Self.lines(file) == expected)
    }

    /// A line of 65,536 bytes is kept; a longer one is cut, and marked as too long.
    @Test(arguments: [(65_535, false), (65_536, false), (65_537, true)])
    func longLinesAreCut(count: Int, isTooLong: Bool) throws {
        let file = ContiguousArray<UInt8>(repeating: 0x61, count: count) + [0x0A, 0x62, 0x0A]
        var lines = TextLines()
        let first = try lines.receive(file.span, at: 5)
        #expect(lines.isTooLong == isTooLong && lines.isWhole && lines.offset == 5)
        #expect(lines.text.count == min(count, 65_536))
        guard case .read(let length) = first else {
            Issue.record("\(first)")
            return
        }
        #expect(length == count + 1)
        _ = try lines.receive(file.span.extracting(length..<file.count), at: 5 + length)
        #expect(!lines.isTooLong && lines.isWhole && Array(lines.text) == [0x62])
        #expect(lines.offset == 6 + count)
        lines.removeLine()
        #expect(!lines.isWhole && lines.text.isEmpty)
    }

    /// An escape sequence ends with a letter or a character from `@` on.
    @Test(
        arguments: [
            ("plain", "plain"), ("\u{1B}[31mred\u{1B}[0m", "red"), ("\u{1B}@x", "x"),
            ("\u{1B}?@x", "x"), ("\u{1B}[?25hx", "x"), ("\u{1B}[[x", "x"), ("\u{1B}Ax", "x"),
            ("a\u{1B}", "a"), ("a\u{1B}[12", "a"), ("[a]\u{1B}[m[b]", "[a][b]"),
        ] as [(String, String)])
    func coloursAreLeftOut(text: String, expected: String) {
        let plain = TextLines.withoutColours(ContiguousArray(text.utf8))
        #expect(String(decoding: plain, as: UTF8.self) == expected)
    }

    // MARK: Channels

    /// Consecutive bytes from a device, and their inferred channels.
    @Test(
        arguments: [
            ([[0xBC, 0x27, 2, 0, 0, 0], [1], [2], [3]], [.bigData, .bigData, .bigData, nil]),
            ([[0xBC, 0x27, 2, 0, 0, 0], [1, 2], [3]], [.bigData, .bigData, nil]),
            ([[0xBC, 0x27, 2, 0, 0, 0], [1, 2, 3], [3]], [.bigData, .bigData, nil]),
            ([[0xBC, 0x27, 0, 0, 0, 0], [1]], [.bigData, nil]),
            ([[0xBC, 0x27, 0, 0, 0], [1]], [nil, nil]), ([[0xBB, 0x27, 2, 0, 0, 0]], [nil]),
            (
                [[0xBC, 0x27, 0, 1, 0, 0], [UInt8](repeating: 1, count: 255), [2], [3]],
                [.bigData, .bigData, .bigData, nil]
            ),
            (
                [
                    [UInt8](repeating: 1, count: 16), RingSamples.answer,
                    [UInt8](repeating: 1, count: 16), [UInt8](repeating: 1, count: 15),
                ],
                [nil, .uart, .uart, nil]
            ),
            (
                [[0xBC, 0x27, 20, 0, 0, 0], RingSamples.answer, [1], [2]],
                [.bigData, .uart, .bigData, .bigData]
            ),
        ] as [([[UInt8]], [CaptureChannel?])])
    func bytesDetermineTheirChannel(values: [[UInt8]], expected: [CaptureChannel?]) {
        var guess = ChannelGuess()
        let found = values.map { value in
            guess.channel(of: ContiguousArray(value).span, .fromDevice, named: nil)
        }
        #expect(found == expected)
        // The other way nothing is known of that.
        let other = guess.channel(
            of: ContiguousArray<UInt8>(repeating: 1, count: 16).span, .toDevice, named: nil)
        #expect(other == nil)
    }

    @Test func aNamedChannelOverridesTheBytes() {
        var guess = ChannelGuess()
        let strange = ContiguousArray<UInt8>(repeating: 1, count: 16)
        let lamp = CaptureChannel.characteristic(BluetoothUUID(0xFFE1))
        let frame = ContiguousArray(RingSamples.answer)
        let found = [
            guess.channel(of: frame.span, .toDevice, named: lamp),
            guess.channel(of: strange.span, .toDevice, named: nil),
            guess.channel(of: strange.span, .toDevice, named: .uart),
            guess.channel(of: strange.span, .toDevice, named: nil),
            guess.channel(of: frame.span, .toDevice, named: .bigData),
        ]
        #expect(found == [lamp, nil, .uart, .uart, .bigData])
    }
}
