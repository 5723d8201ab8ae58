import HaloCapture
import HaloProtocol
import TestSupport
import Testing

@Suite(.computes) struct CaptureErrorTests {
    /// Malformed captures with their errors. A capture is one line, with escapes as in Swift.
    private static let file = GoldenText("Golden/Captures/CaptureErrors.txt")

    private static let escapes = [
        "\\n": "\n", "\\r": "\r", "\\0": "\0", "\\u{1B}": "\u{1B}", "\\u{7F}": "\u{7F}",
        "\\u{FEFF}": "\u{FEFF}",
    ]

    @Test func namesLineAndColumn() throws {
        let rows = try Self.file.lines.map { row in
            let end = row.firstRange(of: " → ")?.lowerBound ?? row.endIndex
            let text = Self.escapes.reduce(String(row[..<end])) { text, escape in
                text.replacing(escape.key, with: escape.value)
            }
            return "\(row[..<end]) → \(try Self.error(of: text))"
        }
        #expect(rows.count > 100)
        try Self.file.expect(rows)
    }

    private static func error(of text: String) throws -> CaptureError {
        var reader = CaptureReader()
        let error = try #require(throws: CaptureError.self) {
            try reader.read(text.utf8)
            _ = try reader.finish()
        }
        #expect(reader.capture.lines.count == error.line - 1)
        #expect(throws: error) { try reader.read([0x0A]) }
        #expect(throws: error) { try reader.finish() }
        return error
    }

    @Test(arguments: [
        ([0x23, 0x20, 0xFF, 0x0A], 3),
        ([0x23, 0x20, 0xC3, 0xA9, 0xC3, 0x0A], 5),
        ([0x23, 0x20, 0xC0, 0x80, 0x0A], 3),
        ([0x23, 0x20, 0xED, 0xA0, 0x80, 0x0A], 3),
        ([0x23, 0x20, 0xF4, 0x90, 0x80, 0x80, 0x0A], 3),
        ([0x23, 0x00, 0x74, 0x00, 0x0A, 0x00], 2),
        ([0xFF, 0xFE, 0x23, 0x00, 0x0A, 0x00], 1),
    ])
    func refusesBytesThatAreNotText(_ bytes: [UInt8], column: Int) {
        let error = #expect(throws: CaptureError.self) { try Capture(reading: bytes) }
        #expect(error?.line == 1)
        #expect(error?.column == column)
    }

    /// Every control character but a tab and a line end.
    @Test(arguments: ["#", "# é"]) func refusesControlCharacters(before: String) {
        for byte in Array(0x00...0x1F as ClosedRange<UInt8>) + [0x7F] {
            if byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\n") { continue }
            let error = CaptureError(.controlCharacter, line: 1, column: before.utf8.count + 1)
            #expect(throws: error) {
                try Capture(reading: Array(before.utf8) + [byte] + Array("~\n".utf8))
            }
        }
    }

    @Test func countsTheLongestLineWithoutItsEnd() throws {
        let limits = CaptureReader.Limits(lineLength: 8, length: 100)
        for end in ["\n", "\r\n"] {
            var reader = CaptureReader(limits: limits)
            try reader.read(("# 345678" + end).utf8)
            #expect(reader.capture.lines == [.comment("345678")])
            let error = #expect(throws: CaptureError.self) {
                try reader.read("\n# 3456789".utf8)
            }
            #expect(error == CaptureError(.lineTooLong, line: 3, column: 9))
        }
    }

    @Test func holdsNoMoreThanItsLimits() throws {
        var reader = CaptureReader(limits: CaptureReader.Limits(lineLength: 1_000, length: 6))
        try reader.read("# 1\n# ".utf8)
        let error = #expect(throws: CaptureError.self) { try reader.read("2".utf8) }
        #expect(error == CaptureError(.fileTooLong, line: 2, column: 3))
        #expect(reader.capture.lines == [.comment("1")])
    }

    @Test func holdsNoMoreLinesThanItsLimit() throws {
        let limits = CaptureReader.Limits(lineLength: 10, length: 100, lineCount: 2)
        var reader = CaptureReader(limits: limits)
        try reader.read("\n\n".utf8)
        let error = #expect(throws: CaptureError.self) { try reader.read("# 3\n".utf8) }
        #expect(error == CaptureError(.fileTooLong, line: 3, column: 1))
        #expect(reader.capture.lines == [.blank, .blank])
    }

    /// The time grows with the number of lines, not with its square.
    @Test func readsAndWritesManyNames() throws {
        var writer = CaptureWriter()
        for number in 0..<65_535 as Range<UInt32> {
            try writer.write(.name(CaptureName("n\(number)"), BluetoothUUID(number)))
        }
        #expect(throws: CaptureError(.tooManyNames, line: 65_536, column: 1)) {
            try writer.write(.name(CaptureName("another"), BluetoothUUID(65_535)))
        }
        let text = writer.drain()
        var reader = CaptureReader()
        try reader.read(text.utf8)
        #expect(reader.capture.lines.count == 65_535)
        let error = #expect(throws: CaptureError.self) {
            try reader.read("@ another ffff\n".utf8)
        }
        #expect(error == CaptureError(.tooManyNames, line: 65_536, column: 3))
    }

    @Test func refusesLongLinesAndPacketsAtTheirLimit() {
        let long = String(repeating: "#", count: 70_000) + "\n"
        let error = #expect(throws: CaptureError.self) { try Capture(reading: long) }
        #expect(error == CaptureError(.lineTooLong, line: 1, column: 65_537))
        let packet = "< adv " + String(repeating: "00", count: 2049) + "\n"
        let other = #expect(throws: CaptureError.self) { try Capture(reading: packet) }
        #expect(other == CaptureError(.tooManyBytes, line: 1, column: 4103))
    }

    @Test func survivesEveryChangedByte() {
        let bytes = Array(CaptureRoundTripTests.everything.utf8)
        for index in bytes.indices {
            let changes: [UInt8] = [0x00, 0x0A, 0x20, 0x2F, 0x80, 0xFF]
            for change in Thoroughness.part(changes, every: 5, from: index) {
                var changed = bytes
                changed[index] = change
                guard let capture = try? Capture(reading: changed) else { continue }
                #expect((try? Capture(reading: capture.text)) == capture)
            }
        }
    }

    @Test func describesErrorsInOneLine() {
        let error = CaptureError(.unknownChannel, line: 3, column: 8)
        #expect(
            error.description
                == "3:8: there is no such channel, and no such name was declared.")
    }

    /// A packet that is written without a copy of its bytes is a line like any other, and so is a
    /// time.
    @Test func packetsWrittenWithoutACopyCount() throws {
        var writer = CaptureWriter()
        let value: ContiguousArray<UInt8> = [1]
        try writer.writePacket(.fromDevice, .uart, value.span)
        #expect(throws: CaptureError(.misplacedVersion, line: 2, column: 1)) {
            try writer.write(.version)
        }
        try writer.write(.reading(CaptureText("Battery")))
        try writer.writePacket(.fromDevice, .uart, value.span)
        try writer.write(.error(CaptureText("broken")))
        #expect(throws: CaptureError(.contradiction, line: 5, column: 1)) {
            try writer.write(.reading(CaptureText("Battery")))
        }
        try writer.writePacket(.fromDevice, .uart, value.span)
        try writer.write(.elapsed(microseconds: 1))
        #expect(throws: CaptureError(.withoutPacket, line: 7, column: 1)) {
            try writer.write(.reading(CaptureText("Battery")))
        }
        #expect(
            writer.drain()
                == "< uart 01\n= Battery\n< uart 01\n! broken\n< uart 01\n+ 1us\n")
    }

    /// A packet has readings or one error, also after other lines. No other line has any.
    @Test func readingsBelongToPackets() throws {
        let lines = [
            "> uart 01", "= Battery", "! broken", "# a comment", "", "+ 1s", "* encrypted",
        ]
        let choices = Array(0..<lines.count * lines.count * lines.count * lines.count)
        for choice in Thoroughness.part(choices, every: 5) {
            var rest = choice
            var chosen: [String] = []
            for _ in 0..<4 {
                chosen.append(lines[rest % lines.count])
                rest /= lines.count
            }
            // The subject of what is said: nothing, a packet, or what was said of it already.
            var subject: Character?
            var expected: CaptureError.Kind?
            for line in chosen where expected == nil {
                switch line.first {
                case ">": subject = ">"
                case "=":
                    expected = subject.map { $0 == "!" ? .contradiction : nil } ?? .withoutPacket
                    subject = "="
                case "!":
                    expected = subject.map { $0 == ">" ? nil : .contradiction } ?? .withoutPacket
                    subject = "!"
                case "+", "*": subject = nil
                default: break
                }
            }
            var found: CaptureError.Kind?
            do {
                _ = try Capture(reading: chosen.joined(separator: "\n") + "\n")
            } catch {
                found = error.kind
            }
            #expect(found == expected, "\(chosen)")
        }
    }
}
