import HaloCapture
import HaloProtocol
import Testing

@Suite struct CaptureErrorTests {
    struct Case: CustomTestStringConvertible {
        let text: String
        let kind: CaptureError.Kind
        let line: Int
        let column: Int

        init(_ text: String, _ kind: CaptureError.Kind, _ line: Int, _ column: Int) {
            self.text = text
            self.kind = kind
            self.line = line
            self.column = column
        }

        var testDescription: String { text.debugDescription }
    }

    static let packet = "> uart 03\n"
    static let uuid = "12345678-1234-1234-1234-123456789ABC"

    static let cases: [Case] = [
        Case("x\n", .unknownLine, 1, 1),
        Case("\n  # indented\n", .unknownLine, 2, 1),
        Case("halo\n", .unknownLine, 1, 1),
        Case("halo-capture\n", .missingWord, 1, 13),
        Case("halo-capture 3\n", .unknownVersion, 1, 14),
        Case("halo-capture 1\n> uart write 03\n", .notByte, 2, 8),
        Case("> uart written 03\n", .notByte, 1, 8),
        Case("> uart read 03\n", .wrongAction, 1, 8),
        Case("< uart command 03\n", .wrongAction, 1, 8),
        Case("< adv notified 01\n", .wrongAction, 1, 7),
        Case("halo-capture 1 1\n", .extraWord, 1, 16),
        Case("# first\nhalo-capture 1\n", .misplacedVersion, 2, 1),
        Case(">uart\n", .missingSpace, 1, 2),
        Case(">\n", .missingWord, 1, 2),
        Case("> \n", .missingWord, 1, 2),
        Case("> urat 03\n", .unknownChannel, 1, 3),
        Case("> UART 03\n", .unknownChannel, 1, 3),
        Case("> 2a3 03\n", .unknownChannel, 1, 3),
        Case("> 12345678-1234-1234-1234_123456789ABC 03\n", .unknownChannel, 1, 3),
        Case("> Left/uart 03\n", .wrongName, 1, 3),
        Case("> /uart 03\n", .wrongName, 1, 3),
        Case("> left/ 03\n", .unknownChannel, 1, 8),
        Case("> a/b/uart 03\n", .unknownChannel, 1, 5),
        Case("> uart:2901 03\n", .unknownChannel, 1, 3),
        Case("> a/:2901 03\n", .unknownChannel, 1, 5),
        Case("> 2a37: 03\n", .notUUID, 1, 8),
        Case("> 2a37:29 03\n", .notUUID, 1, 8),
        Case("> 2a37:2901:2902 03\n", .notUUID, 1, 8),
        Case("@ pulse 2A37\n> pulse:zzzz 03\n", .notUUID, 2, 9),
        Case("@ uart 6E400002-B5A3-F393-E0A9-E50E24DCCA9E\n> uart:2901\n", .unknownChannel, 2, 3),
        Case("halo-capture 1\n* read 2a37:2901\n", .unknownChannel, 2, 8),
        Case("* subscribed 2a37:2901\n", .unknownChannel, 1, 14),
        Case("* confirmed 2a37:2901\n", .unknownChannel, 1, 13),
        Case("< 2a37:2901 notified 48\n", .wrongAction, 1, 13),
        Case("halo-capture 1\n< 2a37:2901 48\n", .unknownChannel, 2, 3),
        Case("< uart 0\n", .notByte, 1, 9),
        Case("< uart 0 3\n", .notByte, 1, 9),
        Case("< uart 03 0G\n", .notByte, 1, 12),
        Case("< uart 03 é\n", .notByte, 1, 11),
        Case("< uart 03 # no\n", .notByte, 1, 11),
        Case("< uart 0x03\n", .notByte, 1, 9),
        Case("< adv " + String(repeating: "00", count: 2049) + "\n", .tooManyBytes, 1, 4103),
        Case("=reading\n", .missingSpace, 1, 2),
        Case("= reading\n", .withoutPacket, 1, 1),
        Case("! error\n", .withoutPacket, 1, 1),
        Case(packet + "+ 1s\n= late\n", .withoutPacket, 3, 1),
        Case(packet + "* mtu 23\n! late\n", .withoutPacket, 3, 1),
        Case(packet + "= a\n! b\n", .contradiction, 3, 1),
        Case(packet + "! a\n# between\n\n= b\n", .contradiction, 5, 1),
        Case(packet + "! a\n! b\n", .contradiction, 3, 1),
        Case("* \n", .missingWord, 1, 2),
        Case("* Connected\n", .unknownEvent, 1, 3),
        Case("* left/paired\n", .unknownEvent, 1, 8),
        Case("* connected mtu\n", .missingWord, 1, 16),
        Case("* connected rssi 3\n", .extraWord, 1, 13),
        Case("* connected mtu 22\n", .outOfRange, 1, 17),
        Case("* mtu 518\n", .outOfRange, 1, 7),
        Case("* mtu 65536\n", .outOfRange, 1, 7),
        Case("* mtu -23\n", .notNumber, 1, 7),
        Case("* mtu +23\n", .notNumber, 1, 7),
        Case("* mtu 23 24\n", .extraWord, 1, 10),
        Case("* read\n", .missingWord, 1, 7),
        Case("* read nothing\n", .unknownChannel, 1, 8),
        Case("* subscribed uart uart\n", .extraWord, 1, 19),
        Case("* advertised rssi -129\n", .outOfRange, 1, 19),
        Case("* advertised rssi -\n", .notNumber, 1, 19),
        Case("* disconnected 8\n", .notByte, 1, 17),
        Case("* disconnected 008\n", .notByte, 1, 18),
        Case("* acknowledged\n", .missingWord, 1, 15),
        Case("* acknowledged urat\n", .unknownChannel, 1, 16),
        Case("* acknowledged uart 05\n", .extraWord, 1, 21),
        Case("* confirmed left/uart\n", .unknownChannel, 1, 13),
        Case("* refused uart\n", .missingWord, 1, 15),
        Case("* refused uart 5\n", .notByte, 1, 17),
        Case("* refused uart 005\n", .notByte, 1, 18),
        Case("* refused 05 uart\n", .unknownChannel, 1, 11),
        Case("* refused uart 05 06\n", .extraWord, 1, 19),
        Case("* offers\n", .missingWord, 1, 9),
        Case("* offers 180d\n", .missingWord, 1, 14),
        Case("* offers 180 2a37\n", .notUUID, 1, 10),
        Case("* offers 180d pulse\n", .notUUID, 1, 15),
        Case("* offers 180d 2a37 notified\n", .unknownProperty, 1, 20),
        Case("* offers 180d 2a37 read notify read\n", .unknownProperty, 1, 32),
        Case("* left/offers 180d 2a37 Read\n", .unknownProperty, 1, 25),
        Case("* services-changed 1\n", .extraWord, 1, 20),
        Case("* encrypted now\n", .extraWord, 1, 13),
        Case("\u{FEFF}* encrypted now\n", .extraWord, 1, 13),
        Case("\u{FEFF}* mtu 22\n", .outOfRange, 1, 7),
        Case("+ 40\n", .notNumber, 1, 3),
        Case("+ ms\n", .notNumber, 1, 3),
        Case("+ -1ms\n", .notNumber, 1, 3),
        Case("+ 1.ms\n", .notNumber, 1, 3),
        Case("+ .5s\n", .notNumber, 1, 3),
        Case("+ 1.5us\n", .notNumber, 1, 3),
        Case("+ 1.0001ms\n", .notNumber, 1, 3),
        Case("+ 1.5.5s\n", .notNumber, 1, 3),
        Case("+ 40 ms\n", .extraWord, 1, 6),
        Case("+ 1min\n", .notNumber, 1, 3),
        Case("+ 10.5min\n", .notNumber, 1, 3),
        Case("+ 10.5mins\n", .notNumber, 1, 3),
        Case("+ 99999999999999999999s\n", .outOfRange, 1, 3),
        Case("+ 1000000000s\n+ 1us\n", .outOfRange, 2, 3),
        Case("@ Pulse \(uuid)\n", .wrongName, 1, 3),
        Case("@ beef \(uuid)\n", .notDeclarable, 1, 3),
        Case("@ uart \(uuid)\n", .notDeclarable, 1, 3),
        Case("@ pulse\n", .missingWord, 1, 8),
        Case("@ pulse 2a3\n", .notUUID, 1, 9),
        Case("@ pulse \(uuid) 2\n", .extraWord, 1, 46),
        Case("@ pulse \(uuid)\n@ pulse 2A37\n", .declaredTwice, 2, 3),
        Case("@ pulse \(uuid)\n@ other \(uuid)\n", .declaredTwice, 2, 3),
        Case("# a\0b\n", .controlCharacter, 1, 4),
        Case("# a\rb\n", .controlCharacter, 1, 4),
        Case("# \u{1B}[31m\n", .controlCharacter, 1, 3),
        Case("# é\u{7F}\n", .controlCharacter, 1, 5),
        Case("\n\u{FEFF}# late mark\n", .unknownLine, 2, 1),
        Case("\u{FEFF}\u{FEFF}# two marks\n", .unknownLine, 1, 1),
        Case("\u{FEFF}> urat\n", .unknownChannel, 1, 3),
        Case("# cut", .unfinishedLine, 1, 5),
        Case("\u{FEFF}# cut", .unfinishedLine, 1, 5),
        Case("> uart 03\n> uart 0", .unfinishedLine, 2, 8),
    ]

    @Test(arguments: cases)
    func namesLineAndColumn(_ malformed: Case) {
        var reader = CaptureReader()
        let error = CaptureError(
            malformed.kind, line: malformed.line, column: malformed.column)
        #expect(throws: error) {
            try reader.read(malformed.text.utf8)
            _ = try reader.finish()
        }
        #expect(reader.capture.lines.count == malformed.line - 1)
        #expect(throws: error) { try reader.read([0x0A]) }
        #expect(throws: error) { try reader.finish() }
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
    @Test(.timeLimit(.minutes(20))) func readsAndWritesManyNames() throws {
        var writer = CaptureWriter()
        for number in 0..<65_535 as Range<UInt32> {
            try writer.write(.name(CaptureName("n\(number)"), BluetoothUUID(number)))
        }
        #expect(throws: CaptureError(.tooManyNames, line: 65_536, column: 1)) {
            try writer.write(.name(CaptureName("another"), BluetoothUUID(65_535)))
        }
        let text = writer.drain()
        #expect(try Capture(reading: text).lines.count == 65_535)
        let error = #expect(throws: CaptureError.self) {
            try Capture(reading: text + "@ another ffff\n")
        }
        #expect(error == CaptureError(.tooManyNames, line: 65_536, column: 3))
    }

    @Test func refusesAVeryLongLineAtItsLimit() {
        let long = String(repeating: "#", count: 70_000) + "\n"
        let error = #expect(throws: CaptureError.self) { try Capture(reading: long) }
        #expect(error == CaptureError(.lineTooLong, line: 1, column: 65_537))
    }

    @Test func survivesEveryChangedByte() {
        let bytes = Array(CaptureRoundTripTests.everything.utf8)
        for index in bytes.indices {
            for change: UInt8 in [0x00, 0x0A, 0x20, 0x2F, 0x80, 0xFF] {
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
            try writer.write(.version(.current))
        }
        try writer.write(.reading(CaptureText("Battery")))
        try writer.writePacket(.fromDevice, .uart, value.span)
        try writer.write(.error(CaptureText("broken")))
        #expect(throws: CaptureError(.contradiction, line: 5, column: 1)) {
            try writer.write(.reading(CaptureText("Battery")))
        }
        try writer.writePacket(.fromDevice, .uart, value.span)
        try writer.writeElapsed(microseconds: 1)
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
        for choice in 0..<lines.count * lines.count * lines.count * lines.count {
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
