import HaloCapture
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloTraffic

/// The lines of a capture for events without a literal equivalent.
@Suite(.computes) struct ConversationWriterTests {
    private var script = SnoopScript()

    /// A switch is a subscription when it is requested. Its refusal names the same channel.
    @Test mutating func switchesAreSubscriptionsThatMayBeRefused() throws {
        script.connect()
        script.say(SnoopScript.discovery)
        script.say("> 12 13 00 01 00\n< 01 12 13 00 05\n> 12 13 00 02 00\n< 1B 12 00 01\n< 13")
        script.say("> 12 13 00 00 00\n< 01 12 13 00 0E\n> 12 13 00 01 00")
        let text = try ImportPasses.text(script.bytes)
        #expect(
            text.hasSuffix(
                """
                * subscribed uart
                + 1ms
                * refused uart 05
                + 1ms
                * subscribed uart
                + 1ms
                < uart notified 01
                + 2ms
                * unsubscribed uart
                + 1ms
                * refused uart 0E
                + 1ms
                * subscribed uart

                """), "\(text)")
    }

    /// The descriptor of the switch holds other values as well, which are no switches.
    @Test mutating func otherValuesOfTheSwitchAreThoseOfADescriptor() throws {
        script.connect()
        script.say(SnoopScript.discovery)
        script.say("> 12 13 00 01 00 00\n< 13\n> 0A 13 00\n< 0B 01 00\n> 12 13 00 07 00")
        script.say("< 01 12 13 00 0D")
        let text = try ImportPasses.text(script.bytes)
        let channel = "6e400003-b5a3-f393-e0a9-e50e24dcca9e:2902"
        #expect(
            text.hasSuffix(
                """
                > \(channel) write 01 00 00
                + 1ms
                * acknowledged \(channel)
                + 1ms
                * read \(channel)
                + 1ms
                < \(channel) read 01 00
                + 1ms
                > \(channel) write 07 00
                + 1ms
                * refused \(channel) 0D

                """), "\(text)")
    }

    /// A response is for the request of its handle, whatever was sent in between.
    @Test mutating func responsesAreForTheirOwnHandle() throws {
        script.connect()
        script.say(SnoopScript.discovery)
        script.say("> 12 13 00 01 00\n> 52 10 00 03\n< 01 12 13 00 05\n> 12 13 00 01 00\n< 13")
        script.say("> 16 10 00 00 00 01\n< 01 16 10 00 03")
        let text = try ImportPasses.text(script.bytes)
        #expect(
            text.hasSuffix(
                """
                * subscribed uart
                + 1ms
                > uart command 03
                + 1ms
                * refused uart 05
                + 1ms
                * subscribed uart
                + 3ms
                * refused uart 03

                """), "\(text)")
    }

    /// The options decide what an attribute behind a value is.
    @Test mutating func aNamedAttributeIsNoDescriptor() throws {
        script.connect()
        script.say(SnoopScript.discovery)
        script.say("> 04 14 00 14 00\n< 05 01 14 00 F0 FF\n> 0A 14 00\n< 0B 48")
        #expect(try ImportPasses.text(script.bytes).contains(":fff0 read 48\n"))
        var options = ImportOptions()
        options.handles = [0x14: BluetoothUUID(0x2A37)]
        #expect(try ImportPasses.text(script.bytes, options).contains("< 2a37 read 48\n"))
    }

    /// Descriptors belong to the characteristic before them. Behind a characteristic, even types
    /// that are not assigned to descriptors are descriptors, unless they send values.
    @Test mutating func descriptorsAreOfTheCharacteristicBeforeThem() throws {
        script.connect()
        script.say(SnoopScript.discovery)
        script.say("> 04 14 00 19 00\n< 05 01 14 00 01 29 15 00 F0 FF 16 00 F1 FF 18 00 04 29")
        script.say("> 0A 14 00\n< 0B 48\n> 0A 15 00\n< 0B 01\n< 1B 16 00 02\n> 0A 18 00")
        script.say("< 01 0A 18 00 02\n> 04 30 00 30 00\n< 05 01 30 00 01 29\n> 0A 30 00\n< 0B 49")
        let text = try ImportPasses.text(script.bytes)
        let notify = "6e400003-b5a3-f393-e0a9-e50e24dcca9e"
        #expect(
            text.hasSuffix(
                """
                * read \(notify):2901
                + 1ms
                < \(notify):2901 read 48
                + 1ms
                * read \(notify):fff0
                + 1ms
                < \(notify):fff0 read 01
                + 1ms
                < fff1 notified 02
                + 1ms
                * read \(notify):2904
                + 1ms
                * refused \(notify):2904 02
                + 3ms
                * read 00000030-4841-4c4f-0000-000000000000:2901
                + 1ms
                < 00000030-4841-4c4f-0000-000000000000:2901 read 49

                """), "\(text)")
    }

    @Test mutating func readsAndIndicationsAreWritten() throws {
        script.connect()
        script.say("> 0A 03 00\n< 0B 64\n> 0A 05 00\n< 01 0A 05 00 02\n< 1D 07 00 01\n> 1E")
        let text = try ImportPasses.text(script.bytes)
        func channel(_ handle: Int) -> String { "0000000\(handle)-4841-4c4f-0000-000000000000" }
        #expect(
            text.hasSuffix(
                """
                * read \(channel(3))
                + 1ms
                < \(channel(3)) read 64
                + 1ms
                * read \(channel(5))
                + 1ms
                * refused \(channel(5)) 02
                + 1ms
                < \(channel(7)) indicated 01
                + 1ms
                * confirmed \(channel(7))

                """))
    }

    /// A value of the ring's characteristic for writes belongs to `uart` in one direction only.
    @Test mutating func aRefusedReadNamesTheChannelOfTheRead() throws {
        script.connect()
        script.say(SnoopScript.discovery)
        script.say("> 0A 10 00\n< 01 0A 10 00 02\n> 12 10 00 03\n< 01 12 10 00 03")
        let text = try ImportPasses.text(script.bytes)
        let write = "6e400002-b5a3-f393-e0a9-e50e24dcca9e"
        #expect(text.contains("* read \(write)\n+ 1ms\n* refused \(write) 02\n"), "\(text)")
        #expect(text.hasSuffix("> uart write 03\n+ 1ms\n* refused uart 03\n"), "\(text)")
    }

    @Test mutating func anErrorEndsTheTextAsTheEndOfTheFileDoes() throws {
        script.connect()
        script.say(SnoopScript.discovery)
        script.say("> 12 13 00 01 00")
        var importer = try CaptureImporter(ImportPasses.survey(script.bytes))
        try importer.read(ContiguousArray(script.bytes + [0, 0, 0]).span)
        #expect(throws: TrafficError.self) { try importer.finish() }
        let text = String(decoding: importer.drain(), as: UTF8.self)
        #expect(text.hasSuffix("* subscribed uart\n"), "\(text)")
    }

    @Test mutating func changedServicesAreWritten() throws {
        script.connect()
        script.say(SnoopScript.discovery)
        script.say("< 1D 03 00 01 00 FF FF\n> 1E\n< 1B 12 00 01")
        var options = ImportOptions()
        options.handles = [0x0003: AttributeUUIDs.serviceChanged]
        let lines = try ImportPasses.text(script.bytes, options).split(separator: "\n")
        let offers = lines.filter { $0.hasPrefix("* offers") }.prefix(lines.count / 2)
        #expect(!offers.isEmpty && offers.count.isMultiple(of: 2))
        let once = offers.prefix(offers.count / 2)
        let expected = ["* services-changed"] + once + ["+ 2ms", "< uart notified 01"]
        #expect(Array(lines.suffix(expected.count)) == expected)
    }

    @Test mutating func aNotificationIsNotTheAnswerToARead() throws {
        script.connect()
        script.say("> 0A 12 00\n< 1B 12 00 01\n< 0B 02\n> 0A 12 00\n< 1B 13 00 03\n> 0A 14 00")
        let text = try ImportPasses.text(script.bytes)
        func channel(_ handle: Int) -> String { "000000\(handle)-4841-4c4f-0000-000000000000" }
        let expected = """
            * connected
            + 1ms
            * read \(channel(12))
            + 1ms
            < \(channel(12)) notified 01
            + 1ms
            < \(channel(12)) read 02
            + 1ms
            * read \(channel(12))
            + 1ms
            < \(channel(13)) notified 03
            + 1ms
            * read \(channel(14))

            """
        #expect(text.hasSuffix(expected), "\(text)")
    }

    @Test mutating func advertisementsAreKeptIfAskedFor() throws {
        for _ in 0..<100 { script.advertise([0x04, 0x09, 0x52, 0x30, 0x32]) }
        script.advertise([0x02, 0x01, 0x06], address: 0x01)
        script.connect()
        script.say("< 1B 21 00 01")
        script.advertise([0x02, 0x01, 0x06])
        let without = try ImportPasses.text(script.bytes)
        #expect(!without.contains("adv"))
        #expect(without.contains("# name: R02\n"))
        var options = ImportOptions()
        options.keepsAdvertisements = true
        let text = try ImportPasses.text(script.bytes, options)
        let count = text.split(separator: "\n").filter { $0 == "< adv 04 09 52 30 32" }.count
        #expect(count == ImportOptions.advertisementLimit)
        #expect(text.contains("* advertised rssi -60\n"))
        #expect(!text.contains("< adv 02 01 06"))
    }
}
