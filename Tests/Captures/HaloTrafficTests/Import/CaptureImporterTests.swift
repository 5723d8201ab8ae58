import CaptureSupport
import HaloCapture
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloTraffic

/// The capture of a file of traffic.
@Suite(.computes) struct CaptureImporterTests {
    private var script = SnoopScript()

    private static let discovered: SnoopScript = {
        var script = SnoopScript()
        script.connect()
        script.say("< 02 F7 00\n> 03 05 02")
        script.say(SnoopScript.discovery)
        script.encrypt()
        script.say(SnoopScript.conversation)
        script.time += 2_500_000
        script.disconnect()
        return script
    }()

    private static let service = RingServices.uart.description.lowercased()

    private static let expected = """
        halo-capture 2
        # source: imported from btsnoop
        # address: C1:22:33:44:55:66 (random)
        # clock: 2025-12-11 22:54:15 +00:00
        * connected
        * offers \(service) 6e400002-b5a3-f393-e0a9-e50e24dcca9e command write
        * offers \(service) 6e400003-b5a3-f393-e0a9-e50e24dcca9e notify
        + 2ms
        * mtu 247
        + 10ms
        * encrypted
        + 1ms
        * subscribed uart
        + 2ms
        > uart write 03 00 00 00 00 00 00 00 00 00 00 00 00 00 00 03
        + 1ms
        * acknowledged uart
        + 1ms
        < uart notified 03 40 01 00 00 00 00 00 00 00 00 00 00 00 00 44
        + 2.5s
        * disconnected 13

        """

    @Test func writesAConversation() throws {
        #expect(try ImportPasses.text(Self.discovered.bytes) == Self.expected)
    }

    @Test(arguments: [1, 2, 3, 7, 24, 64, 1000])
    func piecesDoNotMatter(length: Int) throws {
        #expect(try ImportPasses.text(Self.discovered.bytes, pieces: length) == Self.expected)
    }

    @Test mutating func reportsTheFactsOfAConnection() throws {
        script.connect()
        script.say("< 02 F7 00\n> 03 05 02\n< 1B 12 00 01\n> 0A 12 00\n< 01 0A 12 00 02")
        script.time += 2_500_000
        script.disconnect(reason: 0x08)
        let report = try ImportPasses.survey(script.bytes)
        let connection = try #require(report.connections.first)
        #expect(report.connections.count == 1 && connection.number == 1)
        #expect(connection.firstRecord == 1 && connection.lastRecord == 7)
        #expect(connection.firstMicroseconds == SnoopScript.start)
        #expect(connection.lastMicroseconds == SnoopScript.start + 2_505_000)
        #expect(connection.mtu == 247 && !connection.isEncrypted && connection.isReadable)
        #expect(connection.hasEnded && connection.endReason == 0x08)
        #expect(connection.attributes.map(\.refusalCount) == [1])
        #expect(report.microseconds == 2_505_000)

        // One record alone is the first and the last.
        var short = SnoopScript()
        short.connect()
        let only = try #require(try ImportPasses.survey(short.bytes).connections.first)
        #expect(only.firstMicroseconds == SnoopScript.start)
        #expect(only.lastMicroseconds == SnoopScript.start && !only.hasEnded)
        #expect(only.endReason == nil)
    }

    @Test func readsBackAsTheCapture() throws {
        let capture = try Capture(importing: Self.discovered.bytes)
        #expect(capture.text == Self.expected)
        #expect(try Capture(reading: Self.expected) == capture)
    }

    @Test mutating func writesTheGuesses() throws {
        script.say(SnoopScript.conversation)
        script.say("> 52 20 00 01 02 03")
        let text = try ImportPasses.text(script.bytes)
        #expect(
            text == """
                halo-capture 2
                # source: imported from btsnoop
                # clock: 2025-12-11 22:54:15 +00:00
                # guessed: handle 0x0010 is 6E400002-B5A3-F393-E0A9-E50E24DCCA9E, as its values look
                # guessed: handle 0x0012 is 6E400003-B5A3-F393-E0A9-E50E24DCCA9E, as its values look
                # guessed: handle 0x0013 switches notifications of 0x0012
                # guessed: handle 0x0020 is 2A26, where known rings have it
                * connected
                * subscribed uart
                + 2ms
                > uart write 03 00 00 00 00 00 00 00 00 00 00 00 00 00 00 03
                + 1ms
                * acknowledged uart
                + 1ms
                < uart notified 03 40 01 00 00 00 00 00 00 00 00 00 00 00 00 44
                + 1ms
                > 2a26 command 01 02 03

                """)
    }

    @Test mutating func aHandleWithoutANameKeepsItsNumber() throws {
        script.connect()
        script.say("< 1B 21 00 05")
        let capture = try Capture(importing: script.bytes)
        let packet = try #require(capture.lines.compactMap(\.packet).first)
        #expect(packet.channel == .characteristic(.unnamed(handle: 0x21)))
        #expect(BluetoothUUID.unnamed(handle: 0x21).unnamedHandle == 0x21)
        #expect(CharacteristicCatalog.batteryLevel.uuid.unnamedHandle == nil)
        #expect(capture.text.contains("< 00000021-4841-4c4f-0000-000000000000 notified 05"))
        #expect(capture.text.contains("# guessed: handle 0x0021 is not known"))
    }

    @Test mutating func theOptionsOverrideTheFile() throws {
        script.connect()
        script.say(SnoopScript.discovery)
        script.say("< 1B 12 00 00 48")
        var options = ImportOptions()
        options.handles = [0x12: CharacteristicCatalog.heartRateMeasurement.uuid]
        #expect(try ImportPasses.text(script.bytes, options).contains("< 2a37 notified 00 48\n"))
    }

    @Test mutating func anAppRemembersItsDiscovery() throws {
        script.connect()
        script.say(SnoopScript.discovery)
        script.disconnect()
        script.connect(0x41)
        script.say(SnoopScript.conversation, on: 0x41)
        let report = try ImportPasses.survey(script.bytes)
        #expect(report.connections.count == 2)
        let bases = report.connections[1].attributes.map(\.basis)
        #expect(bases == [.discoveredElsewhere, .discoveredElsewhere, .discoveredElsewhere])
        let text = try ImportPasses.text(script.bytes)
        #expect(text.contains("\n> uart write 03"))
        #expect(!text.contains("guessed"))
    }

    @Test mutating func connectionsAreKeptApart() throws {
        script.connect(0x40, address: 0x66)
        script.connect(0x41, address: 0x77)
        script.say(SnoopScript.conversation, on: 0x40)
        script.say("< 1B 30 00 01", on: 0x41)
        script.disconnect(0x40)
        script.connect(0x42, address: 0x66)
        script.say("< 1B 12 00 \(spaced(RingSamples.answer))", on: 0x42)
        var options = ImportOptions()
        options.device = .all
        let all = try ImportPasses.text(script.bytes, options)
        let packets = all.split(separator: "\n").filter { $0.first == "<" || $0.first == ">" }
        #expect(
            packets == [
                "> a/uart write \(spaced(RingSamples.question))",
                "< a/uart notified \(spaced(RingSamples.answer))",
                "< b/00000030-4841-4c4f-0000-000000000000 notified 01",
                "< a/uart notified \(spaced(RingSamples.answer))",
            ])
        #expect(all.contains("# address: C1:22:33:44:55:77 (random) on b\n"))
        options.device = .address(0xC122_3344_5577)
        #expect(try ImportPasses.text(script.bytes, options).contains("\n< 00000030-"))
        options.device = .connection(3)
        let third = try ImportPasses.text(script.bytes, options)
        #expect(third.split(separator: "\n").filter { $0.first == "<" }.count == 1)
        options.device = .connection(4)
        #expect(throws: TrafficError.self) { try ImportPasses.text(script.bytes, options) }
    }

    /// A read with a late response keeps its time, also between packets of other connections.
    @Test mutating func aReadKeepsItsTimeAmidOtherConnections() throws {
        script.connect(0x40, address: 0x66)
        script.connect(0x41, address: 0x77)
        script.say("> 0A 21 00", on: 0x40)
        script.time += 3_000_000
        script.say("< 1B 30 00 01", on: 0x41)
        script.say("< 0B 05", on: 0x40)
        var options = ImportOptions()
        options.device = .all
        let lines = try ImportPasses.text(script.bytes, options).split(separator: "\n")
        let read = "00000021-4841-4c4f-0000-000000000000"
        #expect(
            lines.suffix(6) == [
                "+ 1ms", "* a/read \(read)", "+ 3.001s",
                "< b/00000030-4841-4c4f-0000-000000000000 notified 01", "+ 1ms",
                "< a/\(read) read 05",
            ])
    }

    /// Of several devices the ring is imported; of several rings, none.
    @Test mutating func theOnlyRingIsMeant() throws {
        script.connect(0x40, address: 0x77)
        script.say("< 1B 30 00 01", on: 0x40)
        script.connect(0x41, address: 0x88)
        script.say("< 1B 30 00 02", on: 0x41)
        let none = #expect(throws: TrafficError.self) { try ImportPasses.text(script.bytes) }
        #expect(
            none?.description
                == "there are several devices, and none is known to be a ring: connections 1, 2; "
                + "--device selects one by its number or address, or all.")
        script.connect(0x42, address: 0x66)
        script.say(SnoopScript.conversation, on: 0x42)
        let text = try ImportPasses.text(script.bytes)
        #expect(text.contains("# address: C1:22:33:44:55:66 (random)\n"))
        #expect(text.contains("\n> uart write 03"))
        #expect(!text.contains("00000030-"))
        script.connect(0x43, address: 0x99)
        script.say(SnoopScript.conversation, on: 0x43)
        let many = #expect(throws: TrafficError.self) { try ImportPasses.text(script.bytes) }
        #expect(
            many?.description
                == "there are several rings: connections 3, 4; --device selects one by its number "
                + "or address, or all.")
    }

    /// Nordic's service has characteristics with the same UUIDs: frames decide, not the service.
    @Test mutating func aDeviceWithoutFramesIsNoRing() throws {
        script.connect()
        script.say(SnoopScript.discovery)
        script.say(SnoopScript.conversation)
        #expect(try ImportPasses.survey(script.bytes).connections.map(\.isRing) == [true])
        var other = SnoopScript()
        other.connect()
        let nordic = SnoopScript.discovery.replacing(
            "A3 B5 F0 FF 40 6E", with: "A3 B5 01 00 40 6E")
        other.say(nordic)
        other.say(SnoopScript.conversation)
        #expect(try ImportPasses.survey(other.bytes).connections.map(\.isRing) == [true])
        for discovery in [SnoopScript.discovery, nordic] {
            var modem = SnoopScript()
            modem.connect()
            modem.say(discovery)
            modem.say("> 52 10 00 41 54 0D\n< 1B 12 00 4F 4B 0D\n< 1B 12 00 4F 4B 0D")
            #expect(try ImportPasses.survey(modem.bytes).connections.map(\.isRing) == [false])
        }
    }

    /// A damaged frame among many makes no other device of a ring.
    @Test mutating func aRingWithADamagedFrameIsARing() throws {
        script.connect()
        script.say(SnoopScript.discovery)
        script.say(SnoopScript.conversation)
        script.say(SnoopScript.conversation)
        script.say(SnoopScript.conversation)
        script.say("< 1B 12 00 03 E4 00 00 00 00 00 00 00 00 00 00 00 00 00 00")
        #expect(try ImportPasses.survey(script.bytes).connections.map(\.isRing) == [true])
    }

    /// A computer with two adapters records a connection between them at both ends.
    @Test func aConnectionRecordedAtBothEndsIsOne() throws {
        let folder = FixtureFolder("Captures/Containers")
        let bytes = try folder.bytes("monitor.btsnoop")
        let report = try ImportPasses.survey(bytes)
        #expect(report.connections.map(\.role) == [.local, .remote])
        #expect(try report.conversations(.only).map(\.number) == [2])
        #expect(try report.conversations(.all).map(\.number) == [2])
        #expect(try report.conversations(.connection(1)).map(\.number) == [1])
    }

    @Test mutating func timeDoesNotRunBackwards() throws {
        script.connect()
        script.say("< 1B 21 00 01")
        script.time -= 5_000_000
        script.say("< 1B 21 00 02\n< 1B 21 00 03")
        let capture = try Capture(importing: script.bytes)
        let offsets = capture.lines.compactMap { line -> UInt64? in
            if case .elapsed(let microseconds) = line { microseconds } else { nil }
        }
        #expect(offsets == [1000, 1000])
    }

    /// Two clocks of one recorder differ by microseconds: the sum of the times stays right.
    @Test mutating func aSmallStepBackIsMadeUpFor() throws {
        script.connect()
        script.say("< 1B 21 00 01")
        script.time -= 1_106
        script.say("< 1B 21 00 02\n< 1B 21 00 03")
        let capture = try Capture(importing: script.bytes)
        let times = capture.timedLines.compactMap { line in
            line.line.packet == nil ? nil : line.moment.microseconds
        }
        #expect(times == [1000, 1000, 1894])
    }

    /// A longer step back is that of a clock that was set: later times count from there.
    @Test(arguments: [(100_000, 102_000), (100_001, 202_000)] as [(Int64, Int64)])
    mutating func aSmallStepBackHasALimit(step: Int64, last: Int64) throws {
        script.connect()
        script.say("< 1B 21 00 01")
        script.time -= 1000 + step
        script.say("< 1B 21 00 02")
        script.time += 200_000
        script.say("< 1B 21 00 03")
        let capture = try Capture(importing: script.bytes)
        #expect(capture.timedLines.map(\.moment.microseconds).last == last)
    }

    @Test mutating func aClockThatIsSetByDecadesPassesNoTime() throws {
        script.time = 0
        script.connect()
        script.say("< 1B 21 00 01")
        script.time = SnoopScript.start
        script.say("< 1B 21 00 02")
        let text = try ImportPasses.text(script.bytes)
        #expect(!text.contains("clock"))
        #expect(text.split(separator: "\n").filter { $0.first == "+" } == ["+ 1ms"])
    }

    /// A phone's log contains headsets and keyboards, whose links are classic.
    @Test mutating func classicLinksAreCountedAndNotImported() throws {
        script.h4(bytes(HCISamples.classicConnected), isReceived: true)
        script.say("> 12 10 00 01", on: 0x0B)
        script.connect()
        script.say("< 1B 21 00 05")
        let report = try ImportPasses.survey(script.bytes)
        #expect(report.connections.count == 1)
        #expect(report.connections.first?.address?.isRandom == true)
        #expect(report.findings.contains { $0.oddity == .classicLink && $0.count == 1 })
        #expect(try Capture(importing: script.bytes).lines.compactMap(\.packet).count == 1)
    }

    /// A file that is cut anywhere gives a capture of its complete packets, and an error.
    @Test func cutAnywhereTheRestIsKept() throws {
        let bytes = Self.discovered.bytes
        for count in 16..<bytes.count {
            var survey = try TrafficSurvey()
            var isWhole = true
            do throws(TrafficError) {
                try survey.read(ContiguousArray(bytes.prefix(count)).span)
                try survey.finish()
            } catch {
                isWhole = false
                #expect(error.offset <= count)
            }
            guard var importer = try? CaptureImporter(survey.report) else { continue }
            try? importer.read(ContiguousArray(bytes.prefix(count)).span)
            let isImported = (try? importer.finish()) != nil
            #expect(isImported == isWhole)
            let text = String(decoding: importer.drain(), as: UTF8.self)
            let capture = try Capture(reading: text)
            #expect(capture.lines.contains { $0.packet != nil } || text.contains("* "))
        }
    }

    @Test mutating func aConnectionWithoutValuesIsNoConversation() {
        #expect(throws: TrafficError.self) { try ImportPasses.text(script.bytes) }
        script.connect()
        script.disconnect()
        let error = #expect(throws: TrafficError.self) { try ImportPasses.text(script.bytes) }
        #expect(error?.kind == .noConversation)
        #expect(error?.hint != nil)
    }
}
