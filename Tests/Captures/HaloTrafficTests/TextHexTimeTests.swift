import HaloCapture
import HaloProtocol
import TestSupport
import Testing

@testable import HaloTraffic

/// The time at the beginning of a log line; no part of it is taken for data.
@Suite(.computes) struct TextHexTimeTests {
    private static let packed = TextHexLineTests.packed
    /// 2025-12-11 in UTC, its time of 22:54:15.123, and both together, in microseconds.
    private static let day: Int64 = 1_765_411_200_000_000
    private static let timeOfDay = TextHexLineTests.timeOfDay
    private static let moment = TextHexLineTests.moment

    private static func read(_ text: String) -> TextSink {
        TextSink.read(Array(text.utf8), HexLineParser())
    }

    /// An arrow without a shaft counts only if no part of the time is left before it.
    @Test(arguments: [
        "22:54:15.123 ", "22:54:15.123", "  22:54:15.123 ", "\t22:54:15.123\t", "[22:54:15.123] ",
        "(22:54:15.123) ", "[22:54:15.123]", "(22:54:15.123)", "[ 22:54:15.123] ",
        "( 22:54:15.123) ", "22:54:15.123: ", "22:54:15.123, ", "22:54:15.123:", "22:54:15.123,",
        "[22:54:15.123]: ", "(22:54:15.123), ", "! 22:54:15.123 ", "! [22:54:15.123] ",
        "I\t22:54:15.123\t", "D 22:54:15.123 ", "I\t 22:54:15.123\t", "12-11 22:54:15.123 ",
        "12/11 22:54:15.123 ", "12/11/2025 22:54:15.123 ", "12-11  22:54:15.123 ",
        "22:54:15,123 ", "22:54:15.123000 ", "22:54:15.1230009 ",
    ])
    func noDigitOfATimeOfDaySurvives(before: String) {
        for (arrow, sign) in [("> ", ">"), ("<", "<"), (">>", ">"), ("<< ", "<")] {
            let sink = Self.read("\(before)\(arrow)\(Self.packed)\n")
            #expect(sink.values == ["\(sign) uart \(TextHexLineTests.reply)"], "\(before)")
            #expect(sink.records.map(\.microseconds) == [Self.timeOfDay], "\(before)")
        }
    }

    @Test(arguments: [
        "2025-12-11 22:54:15.123 ", "2025-12-11T22:54:15.123 ", "2025-12-11, 22:54:15.123 ",
        "2025-12-11  22:54:15.123 ", "[2025-12-11 22:54:15.123] ",
        "(2025-12-11 22:54:15.123): ", "2025-12-11T22:54:15.123Z ", "2025-12-11T22:54:15.123Z",
        "2025-12-12T06:54:15.123+08:00 ", "2025-12-12T06:54:15.123+0800 ",
        "2025-12-12T22:53:15.123+23:59 ", "2025-12-11T22:53:15.123-00:01 ",
        "1765493655.123 ", "1765493655123 ", "1765493655123000 ", "[1765493655.123] ",
        "(1765493655123): ", "1765493655.123, ",
    ])
    func noDigitOfAMomentSurvives(before: String) {
        let sink = Self.read("\(before)> \(Self.packed)\n")
        #expect(sink.values == ["> uart \(TextHexLineTests.reply)"])
        #expect(sink.records.map(\.microseconds) == [Self.moment])
    }

    /// Numbers that are no time are not skipped, so the arrow is not at the beginning.
    @Test(arguments: [
        "24:00:00 ", "22:60:15 ", "22:54:61 ", "2:54:15 ", "22:54 ", "12 ", "12345678.5 ",
        "123456789.5 ", "12345678901.5 ", "1765493655123.5 ", "1765493655123000.5 ",
        "12345678901234567 ", "12.5x ", "2025-13-11 22:54:15 ", "2025-12-11 ", "22:54:15.123] ] ",
        "[[22:54:15.123] ", "II\t22:54:15.123\t", "I22:54:15.123 ", "12-11-2025 22:54:15 ",
        "12-11", "12/11/25 22:54:15 ",
    ])
    func wordsThatAreNoTimeStay(before: String) {
        let sink = Self.read("\(before)> \(Self.packed)\n")
        #expect(sink.values == [] && sink.error?.kind == .unknownFormat)
    }

    /// The bounds of times, in microseconds; a second may be a leap second.
    @Test(
        arguments: [
            ("00:00:00", 0), ("23:59:59", 86_399_000_000), ("23:59:60", 86_400_000_000),
            ("00:00:00.1", 100_000), ("00:00:00.000001", 1), ("00:00:00.0000019", 1),
            ("00:00:00.123456789", 123_456), ("00:00:00,5", 500_000), ("01:00:00", 3_600_000_000),
            ("00:01:00", 60_000_000), ("00:00:01", 1_000_000), ("1.5", 1_500_000),
            ("1234567.25", 1_234_567_250_000), ("1000000000", 1_000_000_000_000_000),
            ("1000000000.5", 1_000_000_000_500_000), ("1000000000000", 1_000_000_000_000_000),
            ("1000000000000000", 1_000_000_000_000_000),
            ("1970-01-02T00:00:00+01:00", 82_800_000_000),
            ("1970-01-01T00:00:00-01:30", 5_400_000_000),
        ] as [(String, Int64)])
    func timesAreRead(text: String, microseconds: Int64) {
        let sink = Self.read("\(text) > \(Self.packed)\n")
        #expect(sink.records.map(\.microseconds) == [microseconds])
    }

    /// An invalid zone is no part of the time, but of the line.
    @Test(arguments: ["+24:00", "+08:60", "-24:00", "+8", "+08"])
    func aZoneThatCannotBeIsNone(zone: String) {
        let sink = Self.read("2025-12-11T22:54:15.123\(zone) rx \(Self.packed)\n")
        #expect(sink.records.map(\.microseconds) == [Self.moment])
    }

    @Test(arguments: ["ts", "time", "timestamp", "t"])
    func objectsHaveATime(key: String) {
        for value in ["1765493655.123", " 1765493655123", "\"2025-12-11T22:54:15.123Z\""] {
            let sink = Self.read(
                "{\"\(key)\":\(value), \"dir\": \"rx\", \"hex\": \"\(Self.packed)\"}\n")
            #expect(sink.values == [TextHexLineTests.back], "\(value)")
            #expect(sink.records.map(\.microseconds) == [Self.moment], "\(value)")
        }
        let other = Self.read("{\"at\": 1765493655.123, \"rx\": \"\(Self.packed)\"}\n")
        #expect(other.records.map(\.microseconds) == [0])
    }

    /// A time of day that is more than half a day earlier belongs to the next day.
    @Test(
        arguments: [
            ("12:00:00", "00:00:00", 0), ("12:00:01", "00:00:00", 86_400_000_000),
            ("23:00:00", "11:00:00", 39_600_000_000), ("23:00:01", "11:00:00", 126_000_000_000),
            ("10:00:00", "09:00:00", 32_400_000_000),
        ] as [(String, String, Int64)])
    func daysBeginWhereTheTimeFallsByHalfADay(first: String, second: String, expected: Int64) {
        let sink = Self.read("\(first) > \(Self.packed)\n\(second) > \(Self.packed)\n")
        #expect(sink.records.last?.microseconds == expected)
        #expect(sink.records.count == 2)
    }

    /// A day at the end of a line is that of the following times.
    @Test(arguments: ["nRF Connect, 2025-12-11", ", 2025-12-11"])
    func aLineSetsTheDay(line: String) {
        let sink = Self.read("\(line)\n22:54:15.123 > \(Self.packed)\n")
        #expect(sink.records.map(\.microseconds) == [Self.moment])
        for other in ["nRF Connect 2025-12-11", "nRF Connect, 2025-12-11.", "2025-12-11"] {
            let sink = Self.read("\(other)\n22:54:15.123 > \(Self.packed)\n")
            #expect(sink.records.map(\.microseconds) == [Self.timeOfDay], "\(other)")
        }
        let dated = Self.read(
            "2025-12-11 00:00:00 > \(Self.packed)\n22:54:15.123 > \(Self.packed)\n")
        #expect(dated.records.map(\.microseconds) == [Self.day, Self.moment])
    }

    // MARK: Words and numbers

    private func cursor(_ text: String) -> TextCursor { TextCursor(Array(text.utf8)[...]) }

    private func rest(_ cursor: TextCursor) -> String {
        String(decoding: cursor.rest, as: UTF8.self)
    }

    @Test(
        arguments: [
            ("", nil, ""), ("x", nil, "x"), ("0", 0, ""), ("12x", 12, "x"), (" 1", nil, " 1"),
            ("999999999999999999", 999_999_999_999_999_999, ""),
            ("1000000000000000000", nil, "1000000000000000000"),
        ] as [(String, Int?, String)])
    func decimalNumbersHaveEighteenDigits(text: String, value: Int?, left: String) {
        var cursor = cursor(text)
        #expect(cursor.decimal() == value)
        #expect(rest(cursor) == left)
    }

    @Test(
        arguments: [
            ("", nil, 0, ""), ("g", nil, 0, "g"), ("0", 0, 1, ""), ("1Fg", 0x1F, 2, "g"),
            ("00a", 10, 3, ""), ("FFFFFFFFFFFFFFFF", UInt64.max, 16, ""),
            ("0FFFFFFFFFFFFFFFF", nil, 0, "0FFFFFFFFFFFFFFFF"),
        ] as [(String, UInt64?, Int, String)])
    func hexadecimalNumbersHaveSixteenDigits(
        text: String, value: UInt64?, digits: Int, left: String
    ) {
        var cursor = cursor(text)
        let found = cursor.hexadecimal()
        #expect(found?.value == value && (found?.digits ?? 0) == digits)
        #expect(rest(cursor) == left)
    }

    @Test(
        arguments: [
            ("", nil, ""), ("1", nil, "1"), ("1F", 0x1F, ""), ("1f2", 0x1F, "2"),
            ("1g", nil, "1g"), ("g1", nil, "g1"), ("A0B", 0xA0, "B"),
        ] as [(String, UInt8?, String)])
    func bytesHaveTwoDigits(text: String, value: UInt8?, left: String) {
        var cursor = cursor(text)
        #expect(cursor.byte() == value)
        #expect(rest(cursor) == left)
    }

    @Test func wordsAreSkippedWhereTheyCome() {
        var words = cursor("aab aabc")
        var found: [String] = []
        func note(_ isFound: Bool) { found.append("\(isFound) \(rest(words))") }
        note(words.skip("ab"))
        note(words.skip(""))
        note(words.skip("aa"))
        note(words.skip(past: "abd"))
        note(words.contains("abc"))
        note(words.contains("x"))
        note(words.skip(past: "ab"))
        note(words.skip(past: ""))
        note(words.skip(past: "c"))
        note(words.skip(past: "c"))
        #expect(
            found == [
                "false aab aabc", "true aab aabc", "true b aabc", "false b aabc", "true b aabc",
                "false b aabc", "true c", "true c", "true ", "false ",
            ])
    }
}
