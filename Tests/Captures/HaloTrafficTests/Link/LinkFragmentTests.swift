import CaptureSupport
import HaloCapture
import TestSupport
import Testing

@testable import HaloTraffic

@Suite(.computes) struct LinkFragmentTests {
    private var feed = Self.connected()

    private static let value = bytes("1B 03 00 69 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F 7D")
    private static let packet = HCISamples.l2cap(4, value)
    private static let told = "0 < " + spaced(value)

    private static func connected() -> LinkFeed {
        var feed = LinkFeed()
        feed.h4(HCISamples.connected, .toHost)
        feed.probe.lines = []
        return feed
    }

    @Test func joinsUnitsThatAreCutAnywhere() {
        for first in 0...Self.packet.count {
            for second in first...Self.packet.count {
                var feed = Self.connected()
                feed.h4(HCISamples.acl(0x40, 2, Array(Self.packet[..<first])), .toHost)
                feed.h4(HCISamples.acl(0x40, 1, Array(Self.packet[first..<second])), .toHost)
                feed.h4(HCISamples.acl(0x40, 1, Array(Self.packet[second...])), .toHost)
                // An empty fragment behind the end continues nothing.
                let told = feed.lines.filter { $0 != "0 odd 3" }
                #expect(told == [Self.told], "cut at \(first) and \(second)")
                #expect(feed.lines.count <= 3)
            }
        }
    }

    @Test mutating func joinsByteByByteOnTwoConnectionsBothWaysAtOnce() {
        feed.h4(HCISamples.connectedEnhanced2, .toHost)
        for index in Self.packet.indices {
            let byte = [Self.packet[index]]
            let further: UInt16 = index == 0 ? 0 : 1
            for handle in [0x40, 0x42] as [UInt16] {
                feed.h4(HCISamples.acl(handle, further == 0 ? 2 : 1, byte), .toHost)
                feed.h4(HCISamples.acl(handle, further, byte), .toController)
            }
        }
        let text = spaced(Self.value)
        #expect(
            feed.lines.dropFirst() == ["0 < \(text)", "0 > \(text)", "1 < \(text)", "1 > \(text)"])
    }

    @Test mutating func notesStrayFragments() {
        feed.h4(HCISamples.acl(0x40, 1, [1, 2, 3]), .toHost)
        feed.h4(HCISamples.fromController(0x40, Self.value), .toHost)
        #expect(feed.lines == ["0 odd 3", Self.told])
    }

    @Test mutating func notesUnfinishedPackets() {
        feed.h4(HCISamples.acl(0x40, 2, Array(Self.packet[..<9])), .toHost)
        feed.h4(HCISamples.fromController(0x40, Self.value), .toHost)
        feed.h4(HCISamples.acl(0x40, 2, Array(Self.packet[..<9])), .toHost)
        feed.finish()
        #expect(feed.lines == ["0 odd 4", Self.told, "0 odd 4"])
    }

    @Test mutating func refusesPacketsLongerThanTheirLength() {
        feed.h4(HCISamples.acl(0x40, 2, Self.packet + [0]), .toHost)
        feed.h4(HCISamples.acl(0x40, 2, Array(Self.packet[..<9])), .toHost)
        feed.h4(HCISamples.acl(0x40, 1, Array(Self.packet[9...]) + [0]), .toHost)
        feed.h4(HCISamples.acl(0x40, 1, [0]), .toHost)
        feed.h4(HCISamples.fromController(0x40, Self.value), .toHost)
        #expect(feed.lines == ["0 odd 3", "0 odd 3", "0 odd 3", Self.told])
    }

    @Test mutating func refusesLengthsThatLie() {
        var short = HCISamples.fromController(0x40, Self.value)
        short.removeLast()
        feed.h4(HCISamples.acl(0x40, 2, Array(Self.packet[..<9])), .toHost)
        feed.h4(short, .toHost)
        feed.h4(HCISamples.acl(0x40, 1, Array(Self.packet[9...])), .toHost)
        feed.h4(HCISamples.fromController(0x40, Self.value) + [0], .toHost)
        feed.h4(HCISamples.acl(0x40, 3, Self.packet), .toHost)
        feed.h4([2, 0x40], .toHost)
        feed.h4(HCISamples.fromController(0x40, []), .toHost)
        #expect(
            feed.lines == [
                "0 odd 0", "0 odd 4", "0 odd 3", "0 odd 16", "0 odd 5", "odd 0", "0 odd 0",
            ])
    }

    @Test func leavesOutOtherChannelsHoweverTheyAreCut() {
        let packet = HCISamples.l2cap(6, [UInt8](repeating: 7, count: 65))
        for cut in 0...packet.count {
            var feed = Self.connected()
            feed.h4(HCISamples.acl(0x40, 2, Array(packet[..<cut])), .toHost)
            feed.h4(HCISamples.acl(0x40, 1, Array(packet[cut...])), .toHost)
            feed.h4(HCISamples.fromController(0x40, Self.value), .toHost)
            #expect(feed.lines.filter { $0 != "0 odd 3" } == [Self.told], "cut at \(cut)")
        }
    }

    @Test mutating func longestPacketIsJoined() {
        let payload = [0x1B] + [UInt8](repeating: 1, count: 65534)
        let packet = HCISamples.l2cap(4, payload)
        for start in stride(from: 0, to: packet.count, by: 251) {
            let piece = Array(packet[start..<min(start + 251, packet.count)])
            feed.h4(HCISamples.acl(0x40, start == 0 ? 2 : 1, piece), .toHost)
        }
        #expect(feed.lines.count == 1)
        let length = 4 + 3 * 65535 - 1
        #expect(feed.lines.first?.count == length)
    }
}
