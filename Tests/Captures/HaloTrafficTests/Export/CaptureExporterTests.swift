import HaloCapture
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloTraffic

@Suite(.computes) struct CaptureExporterTests {
    private func traffic(_ text: String) throws -> ExportedTraffic {
        try Capture(reading: text).traffic()
    }

    /// The packets without discovery, in hexadecimal: `>` to the device, `<` from it.
    private func packets(_ text: String) throws -> [String] {
        try traffic(text).attributes.filter { !$0.isDiscovery }.map { packet in
            (packet.direction == .toDevice ? "> " : "< ")
                + HexText.bytes(packet.bytes, separator: " ")
        }
    }

    private func hexadecimal(_ text: String, _ format: ExportFormat) throws -> String {
        HexText.bytes(try Capture(reading: text).exported(as: format), separator: " ")
    }

    @Test func writesBTSnoopAsDescribed() throws {
        let text = "# clock: 1970-01-01 00:00:01\n+ 2us\n* advertised rssi -1\n< adv AA BB\n"
        #expect(
            try hexadecimal(text, .btsnoop)
                == "62 74 73 6E 6F 6F 70 00 00 00 00 01 00 00 03 EA "
                + "00 00 00 11 00 00 00 11 00 00 00 03 00 00 00 00 00 DC DD B3 0F 3E C2 42 "
                + "04 3E 0E 02 01 00 01 01 00 00 00 00 C0 02 AA BB FF")
    }

    @Test func writesPcapAsDescribed() throws {
        let text = "# clock: 1970-01-01 00:00:01\n+ 2us\n* advertised rssi -1\n< adv AA BB\n"
        #expect(
            try hexadecimal(text, .pcap)
                == "D4 C3 B2 A1 02 00 04 00 00 00 00 00 00 00 00 00 00 00 04 00 C9 00 00 00 "
                + "01 00 00 00 02 00 00 00 15 00 00 00 15 00 00 00 "
                + "00 00 00 01 04 3E 0E 02 01 00 01 01 00 00 00 00 C0 02 AA BB FF")
    }

    @Test func writesPcapNGAsDescribed() throws {
        let text = "# clock: 1970-01-01 00:00:01\n+ 2us\n* advertised rssi -1\n< adv AA BB\n"
        #expect(
            try hexadecimal(text, .pcapng)
                == "0A 0D 0D 0A 1C 00 00 00 4D 3C 2B 1A 01 00 00 00 "
                + "FF FF FF FF FF FF FF FF 1C 00 00 00 "
                + "01 00 00 00 14 00 00 00 C9 00 00 00 00 00 00 00 14 00 00 00 "
                + "06 00 00 00 38 00 00 00 00 00 00 00 00 00 00 00 42 42 0F 00 "
                + "15 00 00 00 15 00 00 00 "
                + "00 00 00 01 04 3E 0E 02 01 00 01 01 00 00 00 00 C0 02 AA BB FF 00 00 00 "
                + "38 00 00 00")
    }

    /// Advertisements longer than 31 bytes are extended ones (Bluetooth 5), in as many reports as
    /// needed.
    @Test(arguments: [32, 40, 100, 228, 229, 230, 458, 459, 1000], [false, true])
    func writesLongAdvertisementsAsDescribed(count: Int, isResponse: Bool) throws {
        let data = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let packet = try CapturePacket(
            .fromDevice, isResponse ? .scanResponse : .advertisement, data)
        let address = CaptureText("address: C1:22:33:44:55:66 (random)")
        let traffic = try Capture([
            .comment(address), .event(.advertised(rssi: -70), link: nil), .packet(packet),
        ]).traffic()
        let reports = traffic.events
        var joined: [UInt8] = []
        for (index, report) in reports.enumerated() {
            let isLast = index == reports.count - 1
            try #require(report.count > 28)
            let head: [UInt8] = [
                0x3E, UInt8(report.count - 2), 0x0D, 1,
                (isResponse ? 0x0A : 0x01) | (isLast ? 0 : 0x20), 0, 1,
                0x66, 0x55, 0x44, 0x33, 0x22, 0xC1, 1, 1, 0xFF, 0x7F, 0xBA, 0, 0, 0, 0, 0, 0, 0, 0,
                0, UInt8(report.count - 28),
            ]
            #expect(Array(report.prefix(28)) == head)
            joined += report.dropFirst(28)
        }
        #expect(joined == data)
        #expect(reports.count == (count + 228) / 229)
    }

    @Test func discoversOffersAndUsesAtOnce() throws {
        let text = """
            * connected
            * offers 180d 2a37 notify
            * offers 180f 2a19 read
            < uart 01

            """
        let traffic = try Capture(reading: text).traffic(.pcapng)
        let packets = traffic.attributes.map { HexText.bytes($0.bytes, separator: " ") }
        #expect(
            packets == [
                "10 01 00 FF FF 00 28", "11 06 01 00 04 00 0D 18 05 00 07 00 0F 18",
                "10 08 00 FF FF 00 28",
                "11 14 08 00 0B 00 9E CA DC 24 0E E5 A9 E0 93 F3 A3 B5 F0 FF 40 6E",
                "10 0C 00 FF FF 00 28", "01 10 0C 00 0A",
                "08 01 00 04 00 03 28", "09 07 02 00 10 03 00 37 2A",
                "08 04 00 04 00 03 28", "01 08 04 00 0A",
                "04 04 00 04 00", "05 01 04 00 02 29",
                "08 05 00 07 00 03 28", "09 07 06 00 02 07 00 19 2A",
                "08 08 00 0B 00 03 28",
                "09 15 09 00 10 0A 00 9E CA DC 24 0E E5 A9 E0 93 F3 A3 B5 03 00 40 6E",
                "08 0B 00 0B 00 03 28", "01 08 0B 00 0A",
                "04 0B 00 0B 00", "05 01 0B 00 02 29",
                "1B 0A 00 01",
            ])
    }

    /// A descriptor has a handle behind its characteristic's value, and is discovered with it.
    @Test func descriptorsAreDiscoveredAndUsed() throws {
        let text = """
            * connected
            * offers 180d 2a37 notify
            * read 2a37:2901
            < 2a37:2901 read 48
            > 2a37:2902 write 07 00
            * refused 2a37:2902 80
            * disconnected
            * connected
            > 2a37:2904 write 01
            * acknowledged 2a37:2904

            """
        let packets = try Capture(reading: text).traffic(.pcapng).attributes.map {
            HexText.bytes($0.bytes, separator: " ")
        }
        #expect(
            packets == [
                "10 01 00 FF FF 00 28", "11 06 01 00 06 00 0D 18",
                "10 07 00 FF FF 00 28", "01 10 07 00 0A",
                "08 01 00 06 00 03 28", "09 07 02 00 10 03 00 37 2A",
                "08 04 00 06 00 03 28", "01 08 04 00 0A",
                "04 04 00 06 00", "05 01 04 00 02 29 05 00 01 29 06 00 04 29",
                "0A 05 00", "0B 48", "12 04 00 07 00", "01 12 04 00 80",
            ] + packets.suffix(12))
        #expect(packets.suffix(2) == ["12 06 00 01", "13"])
        let again = try Capture(reading: text).exported(as: .btsnoop)
        let imported = try ImportPasses.text(again)
        #expect(imported.contains("< 2a37:2901 read 48\n"))
        #expect(imported.contains("> 2a37:2902 write 07 00\n* refused 2a37:2902 80\n"))
        #expect(imported.hasSuffix("> 2a37:2904 write 01\n* acknowledged 2a37:2904\n"))
    }

    /// A refusal answers a pending read or write; without one, the subscription.
    @Test func subscriptionsAreRefused() throws {
        #expect(
            try packets(
                "* subscribed 2a37\n* refused 2a37 05\n* subscribed 2a37\n* read 2a37\n"
                    + "* refused 2a37 02\n* unsubscribed 2a37\n* refused 2a37 0E\n")
                == [
                    "> 12 04 00 01 00", "< 01 12 04 00 05", "> 12 04 00 01 00", "< 13",
                    "> 0A 03 00", "< 01 0A 03 00 02", "> 12 04 00 00 00", "< 01 12 04 00 0E",
                ])
        let text =
            "* subscribed 2a37\n* refused 2a37 05\n* subscribed 2a37\n< 2a37 00 48\n"
            + "* refused 2a37 05\n"
        var exporter = CaptureExporter(.pcapng)
        for line in try Capture(reading: text).timedLines { try exporter.prepare(for: line) }
        for line in try Capture(reading: text).timedLines { try exporter.write(line) }
        try exporter.finish()
        #expect(exporter.omissionCount == 1)
    }

    /// A refusal is of a subscription only if nothing else can have been refused.
    @Test(arguments: [
        "* subscribed 2a39\n> 2a39 03\n* refused 2a39 80\n",
        "* subscribed 2a39\n* disconnected\n* mtu 23\n* refused 2a39 05\n",
        "* read 2a39\n* subscribed 2a39\n* acknowledged 2a39\n* refused 2a39 05\n",
    ])
    func subscriptionsAreNotRefusedForOthers(_ text: String) throws {
        let switches = try packets(text).drop { !$0.hasPrefix("> 12 04 00 01 00") }
        #expect(switches.dropFirst().first == "< 13", "\(switches)")
    }

    @Test func distinguishesRequestsFromCommands() throws {
        #expect(
            try packets(
                "> 2a39 write 01\n* acknowledged 2a39\n> 2a39 command 02\n> 2a39 write 03\n"
                    + "* refused 2a39 80\n")
                == [
                    "> 12 03 00 01", "< 13", "> 52 03 00 02", "> 12 03 00 03",
                    "< 01 12 03 00 80",
                ])
    }

    @Test func distinguishesAnswersAndIndicationsFromNotifications() throws {
        #expect(
            try packets(
                """
                * read 2a19
                < 2a37 notified 00 48
                < 2a19 read 50
                < 2a19 notified 51
                < 2a37 indicated 00 49
                * confirmed 2a37
                * read 2a19
                * refused 2a19 02

                """)
                == [
                    "> 0A 03 00", "< 1B 07 00 00 48", "< 0B 50", "< 1B 03 00 51",
                    "< 1D 07 00 00 49", "> 1E", "> 0A 03 00", "< 01 0A 03 00 02",
                ])
    }

    @Test func letsNoRequestsOverlap() throws {
        let traffic = try traffic(
            """
            > 2a39 write 01
            * read 2a38
            + 1s
            * acknowledged 2a39
            + 1s
            < 2a38 01

            """)
        let packets = traffic.attributes.filter { !$0.isDiscovery }
        #expect(
            packets.map(\.opcode) == [.writeRequest, .writeResponse, .readRequest, .readResponse])
        #expect(packets.map { $0.time - packets[0].time } == [0, 1_000_000, 1_000_000, 2_000_000])
    }

    @Test func letsARequestGoUnansweredWhenALaterOneIsAnswered() throws {
        #expect(
            try packets("* read 2a38\n* read 2a39\n< 2a39 01\n") == [
                "> 0A 03 00", "> 0A 05 00", "< 0B 01",
            ])
    }

    /// A log in text may have no response to any write: its lines keep their order.
    @Test func waitsForNoAnswerIfTheCaptureHasNone() throws {
        #expect(
            try packets("> 2a39 write 01\n< 2a37 00 48\n> 2a39 write 02\n< 2a37 00 49\n")
                .map { $0.suffix(2) } == ["01", "48", "02", "49"])
    }

    @Test func waitsForAnAnswerAsLongAsItCounts() throws {
        #expect(
            try packets("> 2a39 write 01\n+ 30s\n* read 2a38\n* acknowledged 2a39\n")
                .map { $0.prefix(4) } == ["> 12", "< 13", "> 0A"])
        #expect(
            try packets("> 2a39 write 01\n+ 30.000001s\n* read 2a38\n* acknowledged 2a39\n")
                .map { $0.prefix(4) } == ["> 12", "> 0A"])
    }

    /// The inferred actions of lines of version 1; later lines do not change them.
    @Test func valuesWithoutActionAreCommandsAnswersAndNotifications() throws {
        let text = """
            halo-capture 2
            > 2a39 01
            * acknowledged 2a39
            < 2a37 00 49
            * confirmed 2a37
            * read 2a19
            < 2a19 50
            < 2a19 51

            """
        #expect(
            try packets(text) == [
                "> 52 03 00 01", "< 1B 05 00 00 49", "> 0A 09 00", "< 0B 50", "< 1B 09 00 51",
            ])
        var exporter = CaptureExporter(.pcapng)
        for line in try Capture(reading: text).timedLines { try exporter.write(line) }
        try exporter.finish()
        #expect(exporter.omissionCount == 2)
    }

    @Test func writesTheMissingRequestOfAnAnswer() throws {
        #expect(try packets("< 2a19 read 50\n") == ["> 0A 03 00", "< 0B 50"])
    }

    @Test func signsSignedWrites() throws {
        let zeros = String(repeating: " 00", count: 12)
        #expect(try packets("> 2a39 signed 01\n") == ["> D2 03 00 01" + zeros])
    }

    @Test func refusesTheFirstRequest() throws {
        #expect(
            try packets("> 2a39 write 01\n* read 2a39\n* refused 2a39 03\n* refused 2a39 02\n")
                == [
                    "> 12 03 00 01", "< 01 12 03 00 03", "> 0A 03 00", "< 01 0A 03 00 02",
                ])
    }

    @Test func aNewConnectionHasNoOpenReads() throws {
        for end in ["disconnected", "connected"] {
            let text = """
                > 2a39 write 01
                < 2a37 indicated 00 49
                * \(end)
                * acknowledged 2a39
                * confirmed 2a37
                * confirmed 2a37

                """
            var exporter = CaptureExporter(.pcapng)
            for line in try Capture(reading: text).timedLines { try exporter.write(line) }
            try exporter.finish()
            #expect(exporter.omissionCount == 3)
        }
    }

    @Test func advertisementsHaveTheirStrength() throws {
        let traffic = try traffic(
            "< adv 01\n* advertised rssi -60\n* advertised rssi -70\n< adv 01\n< adv 01\n")
        #expect(traffic.events.map(\.last) == [0x7F, 0xC4, 0xBA, 0xBA])
        #expect(traffic.events.map { $0.count } == [15, 14, 15, 15])
    }

    @Test func writesWhenTheDecisionFallsInTheOrderOfTheLines() throws {
        let traffic = try traffic(
            "> 2a39 write 01\n+ 5ms\n< 2a37 00 48\n+ 5ms\n* acknowledged 2a39\n")
        let packets = traffic.attributes.filter { !$0.isDiscovery }
        #expect(packets.map(\.opcode) == [.writeRequest, .notification, .writeResponse])
        #expect(packets.map { $0.time - packets[0].time } == [0, 5000, 10_000])
    }

    @Test func readsAndWritesLongValuesInPieces() throws {
        let value = (0..<44).map { HexText.byte($0) }.joined(separator: " ")
        let packets = try packets(
            """
            * connected mtu 23
            > aabb write \(value)
            * acknowledged aabb
            * read aabb
            < aabb \(value)

            """
        )
        #expect(
            packets.map { $0.prefix(10) } == [
                "> 02 17 00", "< 03 17 00", "> 16 03 00", "< 17 03 00", "> 16 03 00",
                "< 17 03 00", "> 16 03 00", "< 17 03 00", "> 18 01", "< 19", "> 0A 03 00",
                "< 0B 00 01", "> 0C 03 00", "< 0D 16 17", "> 0C 03 00", "< 0D",
            ])
        #expect(packets[4].hasPrefix("> 16 03 00 12 00 12 13"))
        #expect(packets[12] == "> 0C 03 00 16 00" && packets[14] == "> 0C 03 00 2C 00")
    }

    @Test func agreesOnAnMTUWhereAValueNeedsIt() throws {
        let value = String(repeating: "00 ", count: 100)
        let whole = try packets("< 2a37 00 48\n< 2a37 \(value)\n")
        #expect(whole.prefix(2) == ["> 02 05 02", "< 03 05 02"])
        let named = try packets("* connected mtu 50\n< 2a37 00 48\n< 2a37 \(value)\n")
        #expect(named.prefix(2) == ["> 02 32 00", "< 03 32 00"])
        #expect(named.dropFirst(3).prefix(2) == ["> 02 05 02", "< 03 05 02"])
    }

    @Test func cutsLongPacketsIntoFragments() throws {
        let value = (0..<500).map { HexText.byte(UInt8($0 % 256)) }.joined()
        let traffic = try traffic("* connected mtu 517\n< 2a37 \(value)\n> 2a39 \(value)\n")
        #expect(traffic.fragmentCount == traffic.attributes.count + 4)
        #expect(traffic.attributes.last?.bytes.count == 503)
    }

    @Test func keepsConnectionsApart() throws {
        let traffic = try traffic(
            "* left/connected\n* right/connected\n< left/2a37 00 48\n< right/2a37 00 49\n"
                + "* left/disconnected 08\n* left/connected\n< left/2a37 00 4A\n")
        let values = traffic.attributes.filter { $0.opcode == .notification }
        #expect(values.map(\.connection) == [0x40, 0x41, 0x42])
        #expect(
            traffic.events.map { HexText.bytes($0.prefix(12)) } == [
                "3E1301004000000101000000", "3E1301004100000102000000", "050400400008",
                "3E1301004200000101000000",
            ])
    }

    @Test func beginsAConnectionThatWasThereBefore() throws {
        let traffic = try traffic("+ 3s\n< 2a37 00 48\n")
        #expect(traffic.events.count == 1)
        #expect(traffic.times.first == 1_767_225_603_000_000)
    }

    @Test func leavesOutResponsesWithoutARequest() throws {
        var exporter = CaptureExporter(.btsnoop)
        let capture = try Capture(
            reading: "* acknowledged uart\n* refused 2a37 01\n* confirmed 2a37\n< 2a37 00 48\n")
        for line in capture.timedLines { try exporter.write(line) }
        try exporter.finish()
        #expect(exporter.omissionCount == 3)
        let traffic = try ExportedTraffic(exporter.drain(), .btsnoop)
        #expect(traffic.attributes.last?.opcode == .notification)
    }

    @Test(arguments: ExportSample.all)
    func needsNoForesight(sample: ExportSample) throws {
        var exporter = CaptureExporter(.pcapng)
        var bytes: [UInt8] = []
        for line in sample.capture.timedLines {
            try exporter.write(line)
            bytes += exporter.drain()
        }
        try exporter.finish()
        bytes += exporter.drain()
        let alone = try ExportedTraffic(bytes, .pcapng)
        let foreseen = try sample.capture.traffic(.pcapng)
        // Handles and the moment of discovery differ, and where long values are cut.
        func said(_ traffic: ExportedTraffic) -> [[UInt8]] {
            traffic.attributes.filter { packet in
                let madeUp: [ATTOpcode] = [
                    .exchangeMTURequest, .exchangeMTUResponse, .readBlobRequest, .readBlobResponse,
                ]
                return !packet.isDiscovery && !madeUp.contains { $0 == packet.opcode }
            }.map { packet in
                packet.handle == nil
                    ? packet.bytes : Array(packet.bytes.prefix(1) + packet.bytes[3...])
            }
        }
        #expect(said(alone).count == said(foreseen).count)
        #expect(alone.events == foreseen.events)
    }
}
