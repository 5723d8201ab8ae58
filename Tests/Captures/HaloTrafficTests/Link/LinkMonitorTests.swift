import HaloCapture
import TestSupport
import Testing

@testable import HaloTraffic

/// The format of Linux's monitor.
@Suite(.computes) struct LinkMonitorTests {
    /// Records 3, 5, 6, 8, 39, 40, 58, 61 and some up to 97, of a recording that `btmon -w` made of
    /// two virtual adapters with a link between them. The expected result is the output of `btmon`:
    /// hci1 (00:AA:01:01:00:01) is the peripheral, with the name R02_TEST.
    @Test func followsBothEndsOfOneLink() {
        var feed = LinkFeed()
        feed.monitor(0, "00 00 01 00 01 01 AA 00 68 63 69 31 00 00 00 00", adapter: 1)
        feed.monitor(10, "01 00 01 01 AA 00 F1 05", adapter: 1)
        feed.monitor(0, "00 00 00 00 00 01 AA 00 68 63 69 30 00 00 00 00", adapter: 0)
        feed.monitor(10, "00 00 00 01 AA 00 F1 05", adapter: 0)
        feed.monitor(
            2, "06 20 0F 00 08 00 08 00 00 00 00 00 00 00 00 00 07 00", adapter: 1)
        feed.monitor(
            3,
            "3E 28 02 01 00 00 01 00 01 01 AA 00 1C 02 01 04 11 07 9E CA DC 24 0E E5 A9 E0 93 F3 "
                + "A3 B5 F0 FF 40 6E 06 FF FF FF 01 02 03 7F", adapter: 0)
        feed.monitor(
            3, "3E 16 02 01 04 00 01 00 01 01 AA 00 0A 09 09 52 30 32 5F 54 45 53 54 7F",
            adapter: 0)
        feed.monitor(
            3, "3E 13 01 00 2A 00 01 00 00 00 00 01 AA 00 28 00 00 00 2A 00 00", adapter: 1)
        feed.monitor(
            3, "3E 13 01 00 2A 00 00 00 01 00 01 01 AA 00 28 00 00 00 2A 00 00", adapter: 0)
        feed.monitor(3, "3E 0C 04 00 2A 00 0B 00 00 00 00 00 00 00", adapter: 1)
        feed.monitor(4, "2A 00 07 00 03 00 04 00 02 05 02", adapter: 1)
        feed.monitor(5, "2A 20 07 00 03 00 04 00 02 05 02", adapter: 0)
        feed.monitor(4, "2A 00 07 00 03 00 04 00 02 05 02", adapter: 0)
        feed.monitor(5, "2A 20 07 00 03 00 04 00 02 05 02", adapter: 1)
        feed.monitor(3, "05 04 00 2A 00 13", adapter: 0)
        feed.monitor(9, "", adapter: 1)
        #expect(
            feed.lines == [
                "adv 00:AA:01:01:00:01p - 02 01 04 11 07 9E CA DC 24 0E E5 A9 E0 93 F3 A3 B5 F0 FF "
                    + "40 6E 06 FF FF FF 01 02 03",
                "scan 00:AA:01:01:00:01p - 09 09 52 30 32 5F 54 45 53 54",
                "0 connected 00:AA:01:01:00:01p local",
                "1 connected 00:AA:01:01:00:01p remote",
                "0 < 02 05 02", "1 < 02 05 02", "1 > 02 05 02", "0 > 02 05 02",
                "1 disconnected 13", "0 disconnected -",
            ])
    }

    @Test func theOwnAddressIsEmittedOnlyIfKnown() {
        let connected = "04 3E 13 01 00 40 00 01 00 66 55 44 33 22 11 18 00 00 00 2A 00 05"
        let public_ = "01 06 20 0F 00 08 00 08 00 00 00 00 00 00 00 00 00 07 00"
        let random = "01 06 20 0F 00 08 00 08 00 01 00 00 00 00 00 00 00 07 00"
        let extendedRandom =
            "01 36 20 19 00 13 00 00 08 00 00 08 00 07 01 00 00 00 00 00 00 00 00 7F 01 00 01 00 00"
        let address = "04 0E 0A 01 09 10 00 01 00 01 01 AA 00"
        let randomAddress = "01 05 20 06 03 02 01 00 00 C0"
        func connection(after packets: [String], _ event: String? = nil) -> String? {
            var feed = LinkFeed()
            for packet in packets + [event ?? connected] { feed.h4(packet, nil) }
            return feed.lines.last
        }
        let nobody = "0 connected - local"
        #expect(connection(after: []) == nobody)
        #expect(connection(after: [address]) == nobody)
        #expect(connection(after: [random]) == nobody)
        #expect(connection(after: [address, public_]) == "0 connected 00:AA:01:01:00:01p local")
        #expect(
            connection(after: [address, randomAddress, random])
                == "0 connected C0:00:00:01:02:03r local")
        #expect(connection(after: [address, randomAddress, extendedRandom]) == nobody)
        let extendedPublic = extendedRandom.replacing("07 01 00", with: "07 00 01")
        #expect(
            connection(after: [address, randomAddress, extendedPublic])
                == "0 connected 00:AA:01:01:00:01p local")
        // A controller that has generated no address of its own.
        let enhanced = HCISamples.connectedEnhanced.replacing(
            "01 00 00 00 00 4A", with: "00 00 00 00 00 00")
        #expect(
            connection(after: [address, public_], enhanced)
                == "0 connected 00:AA:01:01:00:01p local")
        #expect(connection(after: [address, public_, HCISamples.reset]) == nobody)
    }

    /// The addresses of sixteen adapters are remembered, until an adapter is closed.
    @Test func adaptersHaveTheirOwnAddresses() {
        let connected = "3E 13 01 00 2A 00 01 00 00 00 00 01 AA 00 28 00 00 00 2A 00 00"
        var feed = LinkFeed()
        for adapter in 0...16 as ClosedRange<UInt16> {
            feed.monitor(10, "01 00 01 01 AA 00 F1 05", adapter: adapter)
            feed.monitor(
                2, "06 20 0F 00 08 00 08 00 00 00 00 00 00 00 00 00 07 00", adapter: adapter)
            feed.monitor(3, connected, adapter: adapter)
        }
        let known = (0..<16).map { "\($0) connected 00:AA:01:01:00:01p local" }
        #expect(feed.lines == known + ["16 connected - local"])
        feed.monitor(9, "", adapter: 1)
        feed.monitor(3, connected, adapter: 1)
        #expect(feed.lines.suffix(2) == ["1 disconnected -", "17 connected - local"])
    }

    @Test func leavesOutLinesThatAreNoPackets() {
        var feed = LinkFeed()
        for opcode in [6, 7, 8, 11, 12, 13, 14, 15, 16, 17, 18, 19] as [UInt16] {
            feed.monitor(opcode, "01 02 03")
        }
        #expect(feed.lines == [])
        feed.monitor(20, "01 02 03")
        #expect(feed.lines == ["odd 5"])
    }

    /// The addresses of sixteen adapters are remembered.
    @Test func addressesOfSoManyAdaptersAreKnown() {
        var feed = LinkFeed()
        for adapter in 0...UInt16(AdapterTable.mostAdapters) {
            feed.monitor(0, "00 01 01 00 00 00 00 4A 68 63 69 30 00 00 00 00", adapter: adapter)
            feed.monitor(
                2, "06 20 0F 00 08 00 08 00 00 00 00 00 00 00 00 00 07 00", adapter: adapter)
            feed.monitor(
                3, "3E 13 01 00 40 00 01 00 66 55 44 33 22 11 18 00 00 00 2A 00 05",
                adapter: adapter)
        }
        #expect(feed.lines.count { $0.contains("connected 4A:00:00:00:00:01p local") } == 16)
        #expect(feed.lines.last == "16 connected - local")
    }
}
