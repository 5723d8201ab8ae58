import HaloCapture
import HaloProtocol
import TestSupport
import Testing

@Suite(.computes) struct CaptureRoundTripTests {
    static let everything = """
        halo-capture 2
        # everything
        #

        @ pulse 12345678-1234-1234-1234-123456789ABC
        @ uart 6E400002-B5A3-F393-E0A9-E50E24DCCA9E
        * advertised rssi -60
        < adv 02 01 06
        < scan
        * advertised
        * connected mtu 247
        * left/connected
        * mtu 23
        * subscribed uart
        * unsubscribed bigdata
        * read 2a38
        < 2a38 03
        ! no
        > left/uart 03 00
        #  indented
        = Battery.Request()
        = more
        + 40ms
        + 1.5s
        + 250us
        + 1.25ms
        + 0us
        < pulse FF
        > ledstrip CC 23 33
        = é ☃ 𝄞
        * offers 180d 2a37 notify
        * left/offers 6e40fff0-b5a3-f393-e0a9-e50e24dcca9e 00000012-4841-4c4f-0000-000000000000
        * offers 180d 2a39 broadcast read command write notify indicate signed extended
        * acknowledged uart
        * refused 2a39 80
        * confirmed pulse
        * left/services-changed
        * encrypted
        * disconnected
        * left/disconnected 13

        """

    @Test func readsAndWritesEveryLine() throws {
        let capture = try Capture(reading: Self.everything)
        #expect(capture.text == Self.everything)
        #expect(try Capture(capture.lines) == capture)
    }

    /// A name is written from the line after its declaration on.
    @Test func aNameMayBeDeclaredBetweenPackets() throws {
        let uuid = "12345678-1234-1234-1234-123456789abc"
        let text = "< \(uuid) 01\n@ pulse \(uuid.uppercased())\n< pulse 02\n"
        #expect(try Capture(reading: text).text == text)
    }

    /// A text without a version has the same meaning.
    @Test func theVersionCanBeLeftOut() throws {
        let whole = try Capture(reading: Self.everything)
        #expect(whole.lines.first == .version)
        let bare = Self.everything.replacingFirst("halo-capture 2", "# nothing")
        #expect(try Capture(reading: bare).lines.dropFirst() == whole.lines.dropFirst())
    }

    @Test func readsAndWritesDescriptors() throws {
        let text = """
            halo-capture 2
            @ pulse 12345678-1234-1234-1234-123456789ABC
            * left/read pulse:2901
            < left/pulse:2901 read 48 69
            > 2a37:2902 write 04 00
            * refused 2a37:2902 80
            < 2a37:12345678-1234-1234-1234-123456789abc

            """
        let capture = try Capture(reading: text)
        let packets = capture.lines.compactMap(\.packet)
        let long = try BluetoothUUID(parsing: "12345678-1234-1234-1234-123456789ABC")
        let pulse = BluetoothUUID(0x2A37)
        #expect(
            packets.map(\.channel) == [
                .descriptor(BluetoothUUID(0x2901), of: long),
                .descriptor(BluetoothUUID(0x2902), of: pulse), .descriptor(long, of: pulse),
            ])
        #expect(capture.text == text)
    }

    @Test func descriptorsAreReadAndWrittenWithoutAnAction() throws {
        var actions = CaptureActions()
        let channel = CaptureChannel.descriptor(
            BluetoothUUID(0x2901), of: BluetoothUUID(0x2A37))
        #expect(actions.action(of: try CapturePacket(.toDevice, channel, [1])) == .write)
        #expect(actions.action(of: try CapturePacket(.fromDevice, channel, [1])) == .read)
        #expect(actions.action(of: try CapturePacket(.toDevice, .uart, [1])) == .command)
        #expect(actions.action(of: try CapturePacket(.fromDevice, .uart, [1])) == .notified)
    }

    @Test func readsAndWritesActions() throws {
        let text = """
            halo-capture 2
            @ read 12345678-1234-1234-1234-123456789ABC
            > uart write 03 00
            > left/bigdata command
            > 2a39 signed 01
            < read read FF
            < 2a37 notified
            < left/2a37 indicated 00 48
            < 2a37 00 49

            """
        let capture = try Capture(reading: text)
        let packets = capture.lines.compactMap(\.packet)
        #expect(capture.text == text)
        #expect(
            packets.map(\.action) == [.write, .command, .signed, .read, .notified, .indicated, nil])
        #expect(packets.map(\.bytes) == [[3, 0], [], [1], [0xFF], [], [0, 0x48], [0, 0x49]])
        var writer = CaptureWriter()
        for packet in packets {
            try writer.writePacket(
                packet.direction, action: packet.action, link: packet.link, packet.channel,
                ContiguousArray(packet.bytes).span)
        }
        let again = try Capture(reading: writer.drain()).lines.compactMap(\.packet)
        #expect(again == packets)
    }

    @Test(arguments: CaptureAction.allCases)
    func writesActionsOnlyWhereTheyAreAllowed(action: CaptureAction) throws {
        let packet = try CapturePacket(action, .uart, [1])
        #expect(packet.direction == action.direction && packet.action == action)
        #expect(try Capture([.packet(packet)]).lines.count == 1)
        let heard = try CapturePacket(action, .advertisement, [1])
        #expect(throws: CaptureError.self) { try Capture([.packet(heard)]) }
    }

    /// The inferred actions of lines without one.
    @Test func actionsOfLinesWithoutOne() throws {
        let capture = try Capture(
            reading: """
                halo-capture 2
                > uart 01
                * acknowledged uart
                < 2a19 01
                * read 2a19
                * left/read 2a19
                * read 2a19
                < 2a37 02
                * confirmed 2a37
                < 2a19 03
                < 2a19 04
                < 2a19 05
                * read 2a19
                * refused 2a19 02
                < 2a19 06
                < left/2a19 07
                * read 2a19
                * disconnected
                < 2a19 08

                """)
        var actions = CaptureActions()
        var found: [CaptureAction] = []
        for line in capture.lines {
            if case .event(let event, let link) = line { actions.note(event, link: link) }
            if let packet = line.packet { found.append(actions.action(of: packet)) }
        }
        #expect(
            found == [
                .command, .notified, .notified, .read, .read, .notified, .notified, .read,
                .notified,
            ])
    }

    @Test func acceptsOtherSpellings() throws {
        let loose = """
            \u{FEFF}#no space\r
            *\tconnected \t mtu   247  \r
            > uart 0300ff\tAb \r
            =\r
            @ p 12345678-1234-1234-1234-123456789abc\r
            < 12345678-1234-1234-1234-123456789ABC  01\r
            + 1000us\r
            + 010.500s\r

            """
        let strict = """
            # no space
            * connected mtu 247
            > uart 03 00 FF AB
            =
            @ p 12345678-1234-1234-1234-123456789ABC
            < p 01
            + 1ms
            + 10.5s

            """
        let capture = try Capture(reading: loose)
        #expect(capture.text == strict)
        #expect(try Capture(reading: strict) == capture)
    }

    @Test func readsTheSameInPiecesOfAnySize() throws {
        let bytes = ContiguousArray(Self.everything.utf8)
        let whole = try Capture(reading: bytes)
        for size in 1...bytes.count {
            var reader = CaptureReader()
            for start in stride(from: 0, to: bytes.count, by: size) {
                try reader.read(bytes[start..<min(start + size, bytes.count)])
            }
            #expect(try reader.finish() == whole, "in pieces of \(size)")
        }
    }

    @Test func keepsWholeLinesWhenCutAtAnyByte() throws {
        let bytes = Array(Self.everything.utf8)
        let whole = try Capture(reading: bytes)
        for length in bytes.indices {
            var reader = CaptureReader()
            try reader.read(bytes[..<length])
            let ends = bytes[..<length].count { $0 == UInt8(ascii: "\n") }
            let isAtEnd = length == 0 || bytes[length - 1] == UInt8(ascii: "\n")
            if isAtEnd {
                _ = try reader.finish()
            } else {
                let error = #expect(throws: CaptureError.self) { _ = try reader.finish() }
                #expect(error?.kind == .unfinishedLine)
                #expect(error?.line == ends + 1)
            }
            #expect(reader.capture.lines == Array(whole.lines[..<ends]))
        }
    }

    @Test func writesControlCharactersAsSpaces() throws {
        let text = CaptureText(" a\nb\r\u{0}\u{1F}\u{7F}~\t\u{1B} ")
        #expect(text.text == " a b    ~")
        #expect(CaptureText(text.text) == text)
        let capture = try Capture([.comment(text), .comment("")])
        #expect(try Capture(reading: capture.text) == capture)
    }

    @Test func cutsTextThatDoesNotFit() throws {
        let text = CaptureText(String(repeating: "é", count: 40_000))
        #expect(text.text.utf8.count == CaptureText.maximumLength)
        let capture = try Capture([.comment(text)])
        #expect(try Capture(reading: capture.text) == capture)
    }

    @Test(arguments: 0...5) func cutsBeforeACharacterThatDoesNotFit(room: Int) {
        let start = String(repeating: "a", count: CaptureText.maximumLength - room)
        #expect(CaptureText(start + "\u{1F48D}").text == start + (room < 4 ? "" : "\u{1F48D}"))
    }

    @Test func allowsAPacketOfAnyBytes() throws {
        let all = try CapturePacket(.toDevice, .uart, Array(0...255))
        let most = try CapturePacket(
            .fromDevice, .bigData, Array(repeating: 0xFF, count: CapturePacket.maximumLength))
        let capture = try Capture([.packet(all), .packet(most)])
        #expect(try Capture(reading: capture.text) == capture)
        #expect(throws: ValueError.self) {
            try CapturePacket(.fromDevice, .bigData, most.bytes + [0])
        }
    }

    @Test func writesTheLargestWholeUnit() throws {
        let times: [UInt64: String] = [
            0: "0us", 999: "999us", 1_000: "1ms", 1_001: "1.001ms", 999_999: "999.999ms",
            1_000_000: "1s", 61_000_001: "61.000001s",
        ]
        for (microseconds, text) in times {
            let capture = try Capture([.elapsed(microseconds: microseconds)])
            #expect(capture.text == "+ \(text)\n")
            #expect(try Capture(reading: capture.text) == capture)
        }
        // Longer than any that is read.
        var writer = CaptureWriter()
        writer.put(.elapsed(microseconds: .max))
        #expect(writer.drain() == "+ 18446744073709.551615s\n")
    }

    @Test func findsTagsInComments() {
        #expect(CaptureText("source: made by hand").tag == "source")
        #expect(CaptureText("source:  made: by hand").tagged == "made: by hand")
        #expect(CaptureText("means:").tagged == "")
        for text: CaptureText in ["no tag", ": none", "No: tag", "no tag: here", ""] {
            #expect(text.tag == nil)
            #expect(text.tagged == nil)
        }
    }

    @Test func writesOnlyReadableLines() throws {
        var writer = CaptureWriter()
        try writer.write(.version)
        #expect(throws: CaptureError.self) { try writer.write(.version) }
        #expect(throws: CaptureError.self) { try writer.write(.reading("of nothing")) }
        #expect(throws: CaptureError.self) { try writer.write(.event(.mtu(22), link: nil)) }
        #expect(writer.drain() == "halo-capture 2\n")
        #expect(writer.drain() == "")
        try writer.write(.blank)
        #expect(writer.drain() == "\n")
    }
}

extension String {
    /// The text with the first occurrence of some words replaced.
    fileprivate func replacingFirst(_ words: String, _ others: String) -> String {
        guard let range = firstRange(of: words) else { return self }
        return String(self[..<range.lowerBound]) + others + self[range.upperBound...]
    }
}
