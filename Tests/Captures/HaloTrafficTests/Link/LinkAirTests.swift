import CaptureSupport
import HaloCapture
import HaloProtocol
import TestSupport
import Testing

@testable import HaloTraffic

/// Packets on the air. Those in the constants were written by scapy 2.8.0, without their CRC.
@Suite(.computes) struct LinkAirTests {
    private var feed = LinkFeed()

    private static let advertisement = "D6 BE 89 8E 40 09 66 55 44 33 22 C1 02 01 06"
    private static let scanResponse = "D6 BE 89 8E 04 0B 66 55 44 33 22 11 04 09 52 30 32"
    private static let connect =
        "D6 BE 89 8E C5 22 00 11 22 33 44 55 66 55 44 33 22 C1 A2 4F 65 50 3C 2B 1D 01 07 00 18 00 "
        + "00 00 32 00 FF FF FF FF 1F 29"
    private static let mtuRequest = "A2 4F 65 50 02 07 03 00 04 00 02 F7 00"
    private static let connected = "0 connected C1:22:33:44:55:66r overheard"

    /// Makes a data packet of the connection.
    private func data(_ header: UInt8, _ payload: [UInt8]) -> [UInt8] {
        bytes("A2 4F 65 50") + [header, UInt8(payload.count)] + payload
    }

    private func air(
        _ direction: Direction?, isIntact: Bool? = true, isDecrypted: Bool = false
    ) -> RecordKind {
        .air(
            AirReception(
                direction: direction, strength: -50, isIntact: isIntact, isDecrypted: isDecrypted))
    }

    init() { feed.receive(air(nil), bytes(Self.connect)) }

    @Test func emitsAdvertisements() {
        var feed = LinkFeed()
        feed.receive(air(nil), bytes(Self.advertisement))
        feed.receive(air(nil), bytes(Self.scanResponse))
        #expect(
            feed.lines == [
                "adv C1:22:33:44:55:66r -50 02 01 06", "scan 11:22:33:44:55:66p -50 04 09 52 30 32",
            ])
    }

    /// A directed advertisement has the addressee in place of data.
    @Test func emitsDirectedAdvertisements() {
        var feed = LinkFeed()
        feed.receive(
            air(nil), bytes("D6 BE 89 8E C1 0C 66 55 44 33 22 C1 01 02 03 04 05 06"))
        #expect(feed.lines == ["adv C1:22:33:44:55:66r -50 "])
    }

    @Test mutating func connectionsAreEmittedWhenTheyAreUsed() {
        #expect(feed.lines == [])
        feed.receive(air(.toDevice), bytes(Self.mtuRequest))
        feed.receive(air(.fromDevice), data(0x06, HCISamples.l2cap(4, [0x03, 0x17, 0])))
        feed.receive(air(.fromDevice), bytes("A2 4F 65 50 0B 02 02 13"))
        #expect(
            feed.lines == [Self.connected, "0 > 02 F7 00", "0 < 03 17 00", "0 disconnected 13"])
        feed.receive(air(.fromDevice), bytes("A2 4F 65 50 0B 02 02 13"))
        #expect(feed.lines.count == 4)
    }

    @Test mutating func disconnectsByTheAppHaveItsReason() {
        feed.receive(air(.toDevice), bytes("A2 4F 65 50 0B 02 02 13"))
        #expect(feed.lines == [Self.connected, "0 disconnected 16"])
    }

    @Test mutating func repetitionsAreLeftOut() {
        let first = HCISamples.l2cap(4, [0x1B, 3, 0, 1])
        let second = HCISamples.l2cap(4, [0x1B, 3, 0, 2])
        feed.receive(air(.fromDevice), data(0x02, first))
        // Again, with other acknowledgement and more-data bits.
        feed.receive(air(.fromDevice), data(0x16, first))
        feed.receive(air(.fromDevice), data(0x0A, first))
        // The same number, another content: one between was missed.
        feed.receive(air(.fromDevice), data(0x0A, second))
        feed.receive(air(.fromDevice), data(0x01, []))
        feed.receive(air(.fromDevice), data(0x01, []))
        #expect(
            feed.lines == [
                Self.connected, "0 < 1B 03 00 01", "0 odd 9", "0 < 1B 03 00 01", "0 odd 10",
                "0 < 1B 03 00 02",
            ])
    }

    @Test mutating func wrongChecksumsAreLeftOut() {
        feed.receive(air(nil, isIntact: false), bytes(Self.advertisement))
        feed.receive(air(.toDevice, isIntact: false), bytes(Self.mtuRequest))
        feed.receive(air(.toDevice), bytes(Self.mtuRequest))
        feed.receive(air(.toDevice, isIntact: false), bytes(Self.mtuRequest))
        #expect(feed.lines == ["odd 8", "odd 8", Self.connected, "0 > 02 F7 00", "0 odd 8"])
    }

    @Test func fragmentsAreJoinedAtEveryCut() {
        let packet = HCISamples.l2cap(4, [0x1B, 3, 0, 7, 8, 9, 10, 11])
        for direction in [Direction.fromDevice, nil] {
            for cut in 5..<packet.count {
                var feed = self.feed
                feed.receive(air(direction), data(0x02, Array(packet[..<cut])), at: 0)
                feed.receive(air(direction), data(0x09, Array(packet[cut...])), at: 10_000)
                #expect(feed.lines == [Self.connected, "0 < 1B 03 00 07 08 09 0A 0B"], "\(cut)")
            }
        }
    }

    @Test mutating func timeDeterminesTheSenderWithoutOtherEvidence() {
        let unknown = HCISamples.l2cap(4, [0xEE])
        feed.receive(air(nil), data(0x02, unknown), at: 100_000)
        feed.receive(air(nil), data(0x02, unknown), at: 100_400)
        feed.receive(air(nil), data(0x0A, unknown), at: 100_800)
        feed.receive(air(nil), data(0x02, unknown), at: 130_000)
        feed.receive(air(nil), data(0x0A, unknown), at: 120_000)
        feed.receive(air(nil), data(0x0A, unknown), at: 122_999)
        feed.receive(air(nil), data(0x02, unknown), at: 125_999)
        #expect(
            feed.lines.dropFirst() == [
                "0 > EE", "0 < EE", "0 > EE", "0 > EE", "0 > EE", "0 < EE", "0 > EE",
            ])
    }

    @Test func connectionsThatStoodAreFoundByTheirPackets() {
        var feed = LinkFeed()
        feed.receive(air(.fromDevice), data(0x01, []))
        feed.receive(air(.fromDevice), data(0x03, [0x02, 0x13]))
        feed.receive(air(.fromDevice), data(0x01, [1, 2, 3]))
        feed.receive(air(.fromDevice), data(0x02, HCISamples.l2cap(0x40, [1])))
        #expect(feed.lines == ["odd 3", "odd 3"])
        feed.receive(air(.toDevice), bytes(Self.mtuRequest))
        #expect(feed.lines.dropFirst(2) == ["0 connected - overheard", "0 > 02 F7 00"])
    }

    @Test mutating func toneExtensionsAreSkipped() {
        feed.receive(
            air(.toDevice), bytes("A2 4F 65 50 22 07 14 03 00 04 00 02 F7 00"))
        #expect(feed.lines == [Self.connected, "0 > 02 F7 00"])
    }

    @Test mutating func newConnectionsUnderAnOldAddressEndTheOldOnes() {
        feed.receive(air(.toDevice), bytes(Self.mtuRequest))
        feed.receive(air(nil), bytes(Self.connect))
        feed.receive(air(.toDevice), bytes(Self.mtuRequest))
        #expect(feed.lines.dropFirst(2).first == "0 disconnected -")
        #expect(feed.lines.last == "1 > 02 F7 00")
        #expect(feed.probe.violations == [])
    }

    @Test mutating func theLastRequestForAnAddressCounts() {
        feed.receive(air(nil), bytes(Self.connect.replacing("22 C1", with: "22 C2")))
        feed.receive(air(.toDevice), bytes(Self.mtuRequest))
        #expect(feed.lines.first == "0 connected C2:22:33:44:55:66r overheard")
    }

    @Test mutating func oldRequestsAreForgotten() {
        for other in 0..<ConnectionLimits.requests {
            let address = "A2 4F 65 \(spaced([0x80 + UInt8(other)]))"
            feed.receive(air(nil), bytes(Self.connect.replacing("A2 4F 65 50", with: address)))
        }
        feed.receive(air(.toDevice), bytes(Self.mtuRequest))
        #expect(feed.lines == ["0 connected - overheard", "0 > 02 F7 00"])
    }

    @Test func endsAtEveryByte() {
        for text in [Self.advertisement, Self.connect, Self.mtuRequest] {
            let whole = bytes(text)
            for count in whole.indices {
                var feed = LinkFeed()
                feed.receive(air(nil), Array(whole[..<count]))
                #expect(feed.lines == ["odd 0"], "\(count) of \(text)")
            }
            var feed = LinkFeed()
            feed.receive(air(nil), whole + [0])
            #expect(feed.lines.first == "odd 16")
        }
    }
}
