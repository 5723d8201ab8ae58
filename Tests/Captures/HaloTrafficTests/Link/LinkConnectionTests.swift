import HaloCapture
import TestSupport
import Testing

@testable import HaloTraffic

@Suite(.computes) struct LinkConnectionTests {
    private var feed = LinkFeed()

    @Test(arguments: [
        (HCISamples.connected, "0 connected C1:22:33:44:55:66r remote"),
        (HCISamples.connectedEnhanced, "0 connected 4A:00:00:00:00:01r local"),
        (HCISamples.connectedEnhanced2, "0 connected C1:22:33:44:55:66r remote"),
    ])
    mutating func emitsConnections(event: String, line: String) {
        feed.h4(event, .toHost)
        #expect(feed.lines == [line])
    }

    @Test mutating func emitsNoFailedAttempts() {
        feed.h4("04 3E 13 01 02 40 00 00 01 66 55 44 33 22 C1 18 00 00 00 2A 00 05", .toHost)
        feed.h4("04 05 04 02 40 00 13", .toHost)
        feed.h4(HCISamples.disconnected, .toHost)
        #expect(feed.lines == [])
    }

    @Test mutating func directionFollowsTheRole() {
        feed.h4(HCISamples.connected, .toHost)
        feed.h4(HCISamples.fromHost(0x40, [0x02, 0xF7, 0]), .toController)
        feed.h4(HCISamples.fromController(0x40, [0x03, 0x17, 0]), .toHost)
        feed.h4(HCISamples.connectedEnhanced, .toHost)
        feed.h4(HCISamples.fromHost(0x41, [0x1B, 3, 0, 7]), .toController)
        feed.h4(HCISamples.fromController(0x41, [0x52, 3, 0, 7]), .toHost)
        #expect(
            feed.lines == [
                "0 connected C1:22:33:44:55:66r remote", "0 > 02 F7 00", "0 < 03 17 00",
                "1 connected 4A:00:00:00:00:01r local", "1 < 1B 03 00 07", "1 > 52 03 00 07",
            ])
    }

    /// Without a recorded direction, the boundary bits determine it.
    @Test mutating func directionFollowsTheBoundaryBits() {
        feed.h4(HCISamples.connected, nil)
        let packet = HCISamples.l2cap(4, [0x1B, 3, 0, 7, 8, 9])
        feed.h4(HCISamples.fromHost(0x40, [0x02, 0xF7, 0]), nil)
        feed.h4(HCISamples.acl(0x40, 2, Array(packet[..<5])), nil)
        feed.h4(HCISamples.fromHost(0x40, [0x0A, 3, 0]), nil)
        feed.h4(HCISamples.acl(0x40, 1, Array(packet[5...])), nil)
        feed.h4(HCISamples.acl(0x40, 0, Array(packet[..<5])), nil)
        feed.h4(HCISamples.acl(0x40, 1, Array(packet[5...])), nil)
        #expect(
            feed.lines.dropFirst() == [
                "0 > 02 F7 00", "0 > 0A 03 00", "0 < 1B 03 00 07 08 09",
                "0 > 1B 03 00 07 08 09",
            ])
    }

    @Test mutating func reusedHandlesAreNewConnections() {
        feed.h4(HCISamples.connected, .toHost)
        feed.h4(HCISamples.disconnected, .toHost)
        feed.h4(HCISamples.connected, .toHost)
        feed.h4(HCISamples.connected, .toHost)
        feed.h4(HCISamples.disconnected, .toHost)
        feed.h4(HCISamples.fromController(0x40, [0x1B, 3, 0]), .toHost, at: 50_001)
        feed.finish()
        let connected = "connected C1:22:33:44:55:66r remote"
        #expect(
            feed.lines == [
                "0 \(connected)", "0 disconnected 13", "1 \(connected)", "1 disconnected -",
                "2 \(connected)", "2 disconnected 13", "3 connected - unknown", "3 < 1B 03 00",
            ])
        #expect(feed.probe.violations == [])
    }

    /// A controller passes on what it had received before the end.
    @Test mutating func packetsJustAfterTheEndAreOfNoNewConnection() {
        feed.h4(HCISamples.connected, .toHost)
        feed.h4(HCISamples.disconnected, .toHost)
        let late = HCISamples.fromController(0x40, [0x1B, 3, 0])
        feed.h4(late, .toHost, at: 50_000)
        #expect(feed.lines.dropFirst() == ["0 disconnected 13", "odd 19"])
        feed.h4(HCISamples.connected, .toHost, at: 50_000)
        feed.h4(late, .toHost, at: 50_000)
        #expect(feed.lines.last == "1 < 1B 03 00")
        feed.h4(HCISamples.disconnected, .toHost, at: 50_000)
        for _ in 0..<9 { feed.h4(late, .toHost, at: 50_000) }
        feed.finish()
        #expect(feed.lines.filter { $0 == "odd 19" }.count == 1 + 8)
        #expect(feed.lines.last == "2 < 1B 03 00")
    }

    /// A reset ends all connections at once. The last eight ends are remembered.
    @Test(arguments: [(8, "odd 19"), (9, "9 connected - unknown")])
    mutating func theLastEndsAreRemembered(count: Int, line: String) {
        for handle in 0x40..<0x40 + count {
            let event = HCISamples.connected.replacing(
                "00 40 00", with: "00 \(String(handle, radix: 16)) 00")
            feed.h4(event, .toHost)
        }
        feed.h4(HCISamples.reset, .toController)
        feed.h4(HCISamples.fromController(0x40, [0x1B, 3, 0]), .toHost)
        #expect(feed.lines.last == line)
    }

    /// On the device's host, reasons are converted to those of the app's side.
    @Test mutating func reasonsAreTheAppsOnes() {
        feed.h4(HCISamples.connectedEnhanced, .toHost)
        feed.h4("04 05 04 00 41 00 13", .toHost)
        feed.h4(HCISamples.connectedEnhanced, .toHost)
        feed.h4("04 05 04 00 41 00 16", .toHost)
        feed.h4(HCISamples.connectedEnhanced, .toHost)
        feed.h4("04 05 04 00 41 00 08", .toHost)
        let ends = feed.lines.filter { $0.contains("disconnected") }
        #expect(ends == ["0 disconnected 16", "1 disconnected 13", "2 disconnected 08"])
    }

    @Test(arguments: [
        HCISamples.encrypted, HCISamples.encryptedWithKeySize, HCISamples.keyRefreshed,
    ])
    mutating func emitsEncryptionOnce(event: String) {
        feed.h4(event, .toHost)
        feed.h4(HCISamples.connected, .toHost)
        feed.h4("04 08 04 00 40 00 00", .toHost)
        feed.h4("04 08 04 06 40 00 01", .toHost)
        feed.h4(event, .toHost)
        feed.h4(event, .toHost)
        feed.h4(HCISamples.fromController(0x40, [0x1B, 3, 0]), .toHost)
        #expect(feed.lines.dropFirst() == ["0 encrypted true", "0 < 1B 03 00"])
    }

    @Test mutating func encryptionIsEmittedWithTheConnectionThatWasOpen() {
        feed.h4(HCISamples.acl(0x40, 0, HCISamples.l2cap(0x40, [1])), .toController)
        feed.h4(HCISamples.encrypted, .toHost)
        #expect(feed.lines == [])
        feed.h4(HCISamples.fromController(0x40, [0x1B, 3, 0]), .toHost)
        feed.finish()
        #expect(
            feed.lines == ["0 connected - unknown", "0 encrypted true", "0 < 1B 03 00"])
    }

    @Test mutating func adaptersHaveTheirOwnHandlesAndResets() {
        feed.h4(HCISamples.connected, .toHost, adapter: 0)
        feed.h4(HCISamples.connected, .toHost, adapter: 1)
        feed.h4(HCISamples.reset, .toController, adapter: 0)
        feed.h4(HCISamples.fromController(0x40, [0x1B, 3, 0]), .toHost, adapter: 1)
        #expect(feed.lines.suffix(2) == ["0 disconnected -", "1 < 1B 03 00"])
    }

    @Test mutating func limitsAreNoted() {
        for adapter in 0..<UInt16(70) {
            feed.h4(HCISamples.connected, .toHost, adapter: adapter)
        }
        #expect(feed.lines.count { $0.contains("connected") } == 64)
        #expect(feed.lines.count { $0 == "odd 15" } == 6)
        feed.h4(HCISamples.fromController(0x40, [0x1B, 3, 0]), .toHost, adapter: 69)
        #expect(feed.lines.last == "odd 15")
        feed.h4(HCISamples.fromController(0x40, [0x1B, 3, 0]), .toHost, adapter: 7)
        #expect(feed.lines.last == "7 < 1B 03 00")
    }

    @Test mutating func undeterminedLinksMakeRoom() {
        for handle in 0..<UInt16(100) {
            let unknown = HCISamples.l2cap(0x40, [1])
            feed.h4(HCISamples.acl(0x100 + handle, 0, unknown), .toController)
        }
        feed.h4(HCISamples.connected, .toHost)
        #expect(feed.lines == ["0 connected C1:22:33:44:55:66r remote"])
    }

    @Test mutating func followsNoMoreThanSoManyConnections() {
        let most = ConnectionLimits.numbers
        for _ in 0...most { feed.h4(HCISamples.connected, .toHost) }
        #expect(feed.lines.last == "odd 15")
        feed.h4(HCISamples.fromController(0x40, [0x1B, 3, 0]), .toHost)
        #expect(feed.lines.count == 2 * most + 1)
        #expect(feed.probe.violations == [])
    }
}
