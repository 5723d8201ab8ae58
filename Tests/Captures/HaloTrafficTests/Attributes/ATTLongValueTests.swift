import CaptureSupport
import HaloCapture
import HaloProtocol
import HaloTesting
import TestSupport
import Testing

@testable import HaloTraffic

/// Values that are read or written in pieces.
@Suite(.computes) struct ATTLongValueTests {
    private var feed = AttributeFeed()

    private static func value(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 1) }
    }

    private static func number(_ value: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
    }

    /// Creates a feed in which both sides have agreed on an MTU; the default is 23.
    private static func feed(_ mtu: Int) -> AttributeFeed {
        var feed = AttributeFeed()
        if mtu > 23 {
            feed.receive(.toDevice, [0x02] + number(mtu))
            feed.receive(.fromDevice, [0x03] + number(mtu))
            feed.probe = AttributeProbe()
        }
        return feed
    }

    /// An app that reads a value to its end, and the device's responses.
    private static func readAll(
        _ feed: inout AttributeFeed, _ value: [UInt8], mtu: Int, beginsWithBlob: Bool,
        asksBehindEnd: UInt8?
    ) {
        var offset = 0
        while true {
            if offset == 0, !beginsWithBlob {
                feed.receive(.toDevice, [0x0A, 3, 0])
            } else {
                feed.receive(.toDevice, [0x0C, 3, 0] + number(offset))
            }
            let piece = value.dropFirst(offset).prefix(mtu - 1)
            if piece.isEmpty, offset > 0, let code = asksBehindEnd {
                return feed.receive(.fromDevice, [0x01, 0x0C, 3, 0, code])
            }
            feed.receive(.fromDevice, [offset == 0 && !beginsWithBlob ? 0x0B : 0x0D] + piece)
            offset += piece.count
            if piece.count < mtu - 1, asksBehindEnd == nil || piece.isEmpty { return }
        }
    }

    @Test(arguments: [23, 24, 48, 185, 247, 512, 517], [false, true])
    func joinsLongReads(mtu: Int, beginsWithBlob: Bool) {
        for count in [0, 1, mtu - 2, mtu - 1, mtu, 2 * mtu - 2, 2 * mtu - 1, 512] {
            for code: UInt8? in [nil, 0x07, 0x0B] {
                var feed = Self.feed(mtu)
                let value = Self.value(min(count, 512))
                Self.readAll(
                    &feed, value, mtu: mtu, beginsWithBlob: beginsWithBlob, asksBehindEnd: code)
                feed.end()
                let bytes = spaced(value)
                #expect(
                    feed.probe.lines == [
                        "read 3", bytes == "" ? "answered 3" : "answered 3 \(bytes)",
                    ],
                    "\(count) bytes")
            }
        }
    }

    @Test mutating func aValueAsLongAsAnAnswerHasThePositionOfItsPacket() {
        let value = Self.value(22)
        feed.receive(.toDevice, [0x0A, 3, 0])
        feed.receive(.fromDevice, [0x0B] + value)
        feed.receive(.fromDevice, [0x1B, 9, 0, 1])
        feed.receive(.toDevice, [0x0A, 5, 0])
        feed.receive(.fromDevice, [0x0B, 1])
        #expect(
            feed.probe.lines == [
                "read 3", "notified 9 01", "answered 3 \(spaced(value))", "read 5", "answered 5 01",
            ])
        #expect(feed.probe.numbers == [1, 3, 2, 4, 5])
    }

    @Test mutating func aRefusalInTheMiddleIsOne() {
        feed.receive(.toDevice, [0x0A, 3, 0])
        feed.receive(.fromDevice, [0x0B] + Self.value(22))
        feed.receive(.toDevice, [0x0C, 3, 0, 22, 0])
        feed.receive(.fromDevice, [0x01, 0x0C, 3, 0, 0x05])
        feed.end()
        #expect(feed.probe.lines == ["read 3", "refused 3 05"])
    }

    @Test func aPieceWithoutAPredecessorIsAnOddity() {
        let lines = AttributeFeed.lines("> 0C 03 00 16 00\n< 0D 01 02")
        #expect(lines == ["odd: a fragment continues nothing"])
    }

    @Test mutating func joinsAValueFoundByItsType() {
        feed.receive(.toDevice, bytes("08 01 00 FF FF 00 2A"))
        feed.receive(.fromDevice, [0x09, 21, 3, 0] + Self.value(19))
        feed.receive(.toDevice, [0x0C, 3, 0, 19, 0])
        feed.receive(.fromDevice, [0x0D] + Self.value(25).suffix(6))
        feed.end()
        #expect(
            feed.probe.lines == [
                "descriptor 2A00 3", "read 3", "answered 3 \(spaced(Self.value(25)))",
            ]
        )
    }

    /// An app may discover something between two pieces; a second request ends the value.
    @Test func aDiscoveryMayComeBetweenTwoPieces() {
        let request: [UInt8] = [0x10, 1, 0, 0xFF, 0xFF, 0, 0x28]
        let refusal: [UInt8] = [0x01, 0x10, 1, 0, 0x0A]
        for count in 1...2 {
            var feed = AttributeFeed()
            feed.receive(.toDevice, [0x0A, 3, 0])
            feed.receive(.fromDevice, [0x0B] + Self.value(22))
            for _ in 0..<count {
                feed.receive(.toDevice, request)
                feed.receive(.fromDevice, refusal)
            }
            feed.receive(.toDevice, [0x0C, 3, 0, 22, 0])
            feed.receive(.fromDevice, [0x0D] + Self.value(25).suffix(3))
            feed.end()
            let value = Self.value(count == 1 ? 25 : 22)
            #expect(feed.probe.lines.prefix(2) == ["read 3", "answered 3 \(spaced(value))"])
        }
    }

    @Test mutating func aValueWithoutEndIsGivenUp() {
        feed.receive(.toDevice, [0x0A, 3, 0])
        feed.receive(.fromDevice, [0x0B] + Self.value(22))
        for piece in 1...200 {
            feed.receive(.toDevice, [0x0C, 3, 0] + Self.number(22 * piece))
            feed.receive(.fromDevice, [0x0D] + Self.value(22))
        }
        #expect(feed.decoder.read.bytes.count <= CapturePacket.maximumLength)
        #expect(feed.probe.lines.contains { $0.hasPrefix("odd: more") })
        #expect(!feed.probe.lines.contains { $0.hasPrefix("answered") })
    }

    /// A capture has no line for a longer value.
    @Test(arguments: [(2048, "notified 3 07 07"), (2049, "odd: more")])
    mutating func aValueHasALimit(count: Int, expected: String) {
        feed.receive(.fromDevice, [0x1B, 3, 0] + [UInt8](repeating: 7, count: count))
        #expect(feed.probe.lines.count == 1)
        #expect(feed.probe.lines.first?.hasPrefix(expected) == true)
    }

    @Test func joinsPreparedWrites() {
        let packets = """
            > 16 10 00 00 00 01 02
            < 17 10 00 00 00 01 02
            > 16 12 00 00 00 0A
            < 17 12 00 00 00 0A
            > 16 10 00 02 00 03
            < 17 10 00 02 00 03
            > 18 01
            < 19
            """
        #expect(
            AttributeFeed.lines(packets) == [
                "written 16 prepared 01 02 03", "written 18 prepared 0A", "acknowledged 16",
                "acknowledged 18",
            ])
    }

    @Test func aCancelledWriteIsNone() {
        let packets = "> 16 10 00 00 00 01 02\n< 17 10 00 00 00 01 02\n> 18 00\n< 19"
        #expect(AttributeFeed.lines(packets) == [])
    }

    @Test func aPieceThatIsRefusedIsNotWritten() {
        let packets = """
            > 16 10 00 00 00 01 02
            < 17 10 00 00 00 01 02
            > 16 10 00 02 00 03
            < 01 16 10 00 0D
            > 18 01
            < 01 18 10 00 0D
            """
        #expect(
            AttributeFeed.lines(packets) == [
                "refused 16 0D", "written 16 prepared 01 02", "refused 16 0D",
            ])
    }

    @Test func aPieceWithAGapIsOdd() {
        let packets = "> 16 10 00 05 00 01\n< 17 10 00 05 00 01\n> 18 01\n< 19"
        #expect(AttributeFeed.lines(packets) == ["odd: a fragment continues nothing"])
    }

    @Test mutating func preparedWritesHaveAnEnd() {
        for _ in 0..<300 {
            feed.receive("> 16 10 00 00 00 01 02\n< 17 10 00 00 00 01 02")
        }
        #expect(feed.decoder.prepared.values.count == PreparedWrites.maximumCount)
        #expect(feed.probe.lines.count == 300 - PreparedWrites.maximumCount)
        for piece in 1...200 {
            let offset = Self.number(2 + 18 * (piece - 1))
            let packet = [0x10, 0] + offset + Self.value(18)
            feed.receive(.toDevice, [0x16] + packet)
            feed.receive(.fromDevice, [0x17] + packet)
        }
        let longest = feed.decoder.prepared.values.map(\.bytes.count).max() ?? 0
        #expect(longest <= CapturePacket.maximumLength)
    }

    /// Random packets do not trap, and the stored state is bounded.
    @Test func noiseIsDecodedWithoutTraps() {
        for seed in 0..<300 as Range<UInt64> {
            var choice = FuzzBytes(seed: seed, count: 8192)
            var feed = AttributeFeed()
            while choice.remaining > 0 {
                var packet = choice.bytes(choice.length(upTo: 40))
                let opcode = choice.choice(of: ATTOpcode.allCases)
                if choice.byte() > 20, !packet.isEmpty, let opcode { packet[0] = opcode.rawValue }
                // Few handles, so that packets belong together.
                if packet.count > 2 {
                    packet[1] &= 3
                    packet[2] = 0
                }
                feed.receive(choice.flag() ? .toDevice : .fromDevice, packet)
            }
            feed.end()
            #expect(feed.decoder.prepared.values.count <= PreparedWrites.maximumCount)
            let kept = feed.probe.lines.map(\.utf8.count).max() ?? 0
            #expect(kept < 4 * CapturePacket.maximumLength)
        }
    }
}
