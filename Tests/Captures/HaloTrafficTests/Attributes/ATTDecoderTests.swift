import HaloCapture
import HaloProtocol
import Testing

@testable import HaloTraffic

/// The events of attribute protocol packets.
@Suite struct ATTDecoderTests {
    /// Packets, and their events.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var packets: String
        var told: [String]

        init(_ name: String, _ packets: String, _ told: [String]) {
            testDescription = name
            self.packets = packets
            self.told = told
        }
    }

    static let exchanges = [
        Case("a read", "> 0A 03 00\n< 0B 64 65", ["read 3", "answered 3 64 65"]),
        Case("an empty value", "> 0A 03 00\n< 0B", ["read 3", "answered 3"]),
        Case("a read that is refused", "> 0A 03 00\n< 01 0A 03 00 02", ["read 3", "refused 3 02"]),
        Case("a write", "> 12 10 00 01 02\n< 13", ["written 16 request 01 02", "acknowledged 16"]),
        Case(
            "a write that is refused", "> 12 10 00 01\n< 01 12 10 00 0D",
            ["written 16 request 01", "refused 16 0D"]),
        Case("a command", "> 52 10 00 AB", ["written 16 command AB"]),
        Case(
            "a signed command", "> D2 10 00 AB 00 01 02 03 04 05 06 07 08 09 0A 0B",
            ["written 16 signed AB"]),
        Case("a notification", "< 1B 12 00 01 02", ["notified 18 01 02"]),
        Case("an empty notification", "< 1B 12 00", ["notified 18"]),
        Case("an indication", "< 1D 12 00 07\n> 1E", ["indicated 18 07", "confirmed 18"]),
        Case(
            "many notifications", "< 23 12 00 02 00 01 02 13 00 00 00 14 00 01 00 09",
            ["notified 18 01 02", "notified 19", "notified 20 09"]),
        Case(
            "many notifications, the last one empty", "< 23 12 00 02 00 01 02 13 00 00 00",
            ["notified 18 01 02", "notified 19"]),
        Case("a transfer unit", "> 02 05 02\n< 03 F7 00", ["mtu 247"]),
        Case("a transfer unit too small", "> 02 05 02\n< 03 05 00", ["mtu 23"]),
        Case("the device asks for one", "< 02 F7 00\n> 03 05 02", ["mtu 247"]),
        Case(
            "both ask for one", "< 02 F7 00\n> 02 05 02\n> 03 05 02\n< 03 F7 00", ["mtu 247"]),
        Case(
            "many values at once", "> 20 03 00 05 00\n< 21 01 00 64 02 00 01 02",
            ["read 3", "answered 3 64", "read 5", "answered 5 01 02"]),
        Case(
            "many values at once, the last one empty", "> 20 03 00 05 00\n< 21 01 00 64 00 00",
            ["read 3", "answered 3 64", "read 5", "answered 5"]),
        Case(
            "many values, refused", "> 20 03 00 05 00\n< 01 20 05 00 02",
            ["read 5", "refused 5 02"]),
        Case(
            "values that nobody can divide", "> 0E 03 00 05 00\n< 0F 01 02 03",
            ["odd: several values came as one, and cannot be told apart"]),
        Case(
            "a value by its type", "> 08 01 00 FF FF 00 2A\n< 09 06 03 00 52 30 32 5F",
            ["descriptor 2A00 3", "read 3", "answered 3 52 30 32 5F"]),
        Case(
            "values by their type", "> 08 01 00 FF FF 19 2A\n< 09 03 03 00 64 07 00 32",
            [
                "descriptor 2A19 3", "read 3", "answered 3 64", "descriptor 2A19 7", "read 7",
                "answered 7 32",
            ]),
        Case("no value of a type", "> 08 01 00 FF FF 00 2A\n< 01 08 01 00 0A", []),
        Case(
            "a value by its type, refused", "> 08 01 00 FF FF 00 2A\n< 01 08 03 00 05",
            ["descriptor 2A00 3", "read 3", "refused 3 05"]),
    ]

    static let discoveries = [
        Case(
            "services", "> 10 01 00 FF FF 00 28\n< 11 06 01 00 05 00 00 18 06 00 09 00 0A 18",
            ["service 1800 1-5", "service 180A 6-9"]),
        Case(
            "a long service",
            "> 10 01 00 FF FF 00 28\n"
                + "< 11 14 0E 00 13 00 9E CA DC 24 0E E5 A9 E0 93 F3 A3 B5 F0 FF 40 6E",
            ["service 6E40FFF0-B5A3-F393-E0A9-E50E24DCCA9E 14-19"]),
        Case(
            "secondary services", "> 10 01 00 FF FF 01 28\n< 11 06 01 00 05 00 00 18",
            ["service 1800 1-5 secondary"]),
        Case("the end of services", "> 10 0A 00 FF FF 00 28\n< 01 10 0A 00 0A", []),
        Case(
            "a service by its number", "> 06 01 00 FF FF 00 28 0D 18\n< 07 20 00 25 00",
            ["service 180D 32-37"]),
        Case("something else by its value", "> 06 01 00 FF FF 00 2A 0D 18\n< 07 20 00 25 00", []),
        Case(
            "characteristics",
            "> 08 01 00 FF FF 03 28\n< 09 07 02 00 02 03 00 00 2A 04 00 12 05 00 37 2A",
            ["characteristic 2A00 3 02", "characteristic 2A37 5 12"]),
        Case(
            "includes", "> 08 01 00 FF FF 02 28\n< 09 08 02 00 20 00 25 00 0D 18",
            ["service 180D 32-37 secondary"]),
        Case("includes of long services", "> 08 01 00 FF FF 02 28\n< 09 06 02 00 20 00 25 00", []),
        Case(
            "descriptors", "> 04 06 00 08 00\n< 05 01 06 00 02 29 07 00 01 29",
            ["descriptor 2902 6", "descriptor 2901 7"]),
        Case(
            "declarations among them",
            "> 04 01 00 08 00\n< 05 01 01 00 00 28 02 00 03 28 03 00 00 2A",
            ["descriptor 2A00 3"]),
        Case(
            "a long descriptor",
            "> 04 06 00 08 00\n< 05 02 06 00 FB 34 9B 5F 80 00 00 80 00 10 00 00 37 2A 00 00",
            ["descriptor 2A37 6"]),
    ]

    static let faults = [
        Case("nothing", ">", ["odd: a packet is shorter than it has to be"]),
        Case("an unknown packet", "> 2A 01", ["odd: a packet of no known type"]),
        Case(
            "an unknown packet, refused", "> 2A 01\n< 01 2A 00 00 06",
            ["odd: a packet of no known type"]),
        Case("an answer to nothing", "< 0B 01", ["odd: a response that nobody asked for"]),
        Case("an error to nothing", "< 01 0A 03 00 02", ["odd: a response that nobody asked for"]),
        Case(
            "another answer", "> 0A 03 00\n< 13\n< 0B 01",
            ["read 3", "odd: a response that nobody asked for", "answered 3 01"]),
        Case(
            "a request without an answer", "> 0A 03 00\n> 0A 05 00\n< 0B 01",
            ["read 3", "odd: a request that nobody answered", "read 5", "answered 5 01"]),
        Case(
            "an end without an answer", "> 0A 03 00",
            ["read 3", "odd: a request that nobody answered"]),
        Case("a confirmation of nothing", "> 1E", ["odd: a response that nobody asked for"]),
        Case(
            "an indication without one", "< 1D 12 00 07\n< 1D 12 00 08\n> 1E",
            [
                "indicated 18 07", "odd: a request that nobody answered", "indicated 18 08",
                "confirmed 18",
            ]
        ),
        Case(
            "the device asks", "< 10 01 00 FF FF 00 28\n> 11 06 01 00 05 00 00 18",
            ["odd: the device asked for the other side's attributes"]),
        Case(
            "the device is refused", "< 0A 01 00\n> 01 0A 01 00 05",
            ["odd: the device asked for the other side's attributes"]),
        Case("the app answers nothing", "> 0B 01", ["odd: a response that nobody asked for"]),
        Case(
            "the app notifies", "> 1B 12 00 01",
            ["odd: the device asked for the other side's attributes"]),
        Case(
            "a length that lies", "< 23 12 00 02 00 01 02 13 00 09 00 01",
            ["notified 18 01 02", "odd: a packet is shorter than it has to be"]),
        Case(
            "a service of another length", "> 10 01 00 FF FF 00 28\n< 11 07 01 00 05 00 00 18 00",
            ["odd: a packet is shorter than it has to be"]),
        Case(
            "a service the wrong way round", "> 10 01 00 FF FF 00 28\n< 11 06 05 00 01 00 00 18",
            ["odd: a packet is shorter than it has to be"]),
        Case(
            "an entry of no length", "> 08 01 00 FF FF 00 2A\n< 09 00 03 00",
            ["odd: a packet is shorter than it has to be"]),
        Case(
            "a format of no kind", "> 04 06 00 08 00\n< 05 03 06 00 02 29",
            ["odd: a packet is shorter than it has to be"]),
        Case(
            "a value cut off", "> 20 03 00 05 00\n< 21 01 00 64 02 00 01",
            ["read 3", "answered 3 64", "odd: a packet is shorter than it has to be"]),
    ]

    @Test(arguments: exchanges + discoveries + faults)
    func tells(_ example: Case) {
        #expect(AttributeFeed.lines(example.packets) == example.told)
    }

    @Test(arguments: ATTOpcode.allCases)
    func refusesShortBlocks(opcode: ATTOpcode) {
        for length in 1..<opcode.minimumLength {
            for direction in Direction.allCases {
                var feed = AttributeFeed()
                feed.receive(
                    direction, [opcode.rawValue] + [UInt8](repeating: 1, count: length - 1))
                #expect(feed.probe.lines == ["odd: a packet is shorter than it has to be"])
            }
        }
    }

    /// Values of any lengths, some of them empty: each value is reported once.
    @Test func emitsEveryNotificationOfAPacket() {
        for number in 0..<256 {
            let lengths = (0..<4).map { (number >> ($0 * 2)) & 3 }
            for count in 1...4 {
                var packet: [UInt8] = [0x23]
                var told: [String] = []
                for (index, length) in lengths.prefix(count).enumerated() {
                    let value = [UInt8](repeating: UInt8(index), count: length)
                    packet += [UInt8(index + 1), 0, UInt8(length), 0] + value
                    told.append("notified \(index + 1)" + value.map { " 0\($0)" }.joined())
                }
                for extra in 0..<4 {
                    var feed = AttributeFeed()
                    feed.receive(.fromDevice, packet + [UInt8](repeating: 9, count: extra))
                    let odd = extra == 0 ? [] : ["odd: a packet is shorter than it has to be"]
                    #expect(feed.probe.lines == told + odd, "\(lengths.prefix(count)) \(extra)")
                }
            }
        }
    }

    /// Truncated packets make no event with more bytes than they have.
    @Test(arguments: exchanges + discoveries)
    func keepsPacketsThatAreCut(_ example: Case) {
        let lines = example.packets.split(separator: "\n").map(String.init)
        for (index, line) in lines.enumerated() {
            let whole = bytes(String(line.dropFirst()))
            for count in 0..<whole.count {
                var feed = AttributeFeed()
                for before in lines[..<index] { feed.receive(before) }
                feed.receive(
                    line.first == ">" ? .toDevice : .fromDevice, Array(whole.prefix(count)))
                for after in lines[(index + 1)...] { feed.receive(after) }
                feed.end()
                #expect(feed.probe.lines.count <= 12)
            }
        }
    }
}
