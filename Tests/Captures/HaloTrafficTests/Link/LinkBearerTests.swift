import HaloCapture
import TestSupport
import Testing

@testable import HaloTraffic

/// Classic links, and links of an unknown kind.
@Suite(.computes) struct LinkBearerTests {
    @Test func classicLinksAreCountedAndLeftOut() {
        var feed = LinkFeed()
        feed.h4(HCISamples.classicConnected, .toHost)
        // A connection request for PSM 1 (SDP), then for PSM 0x1F (ATT), twice.
        feed.h4(HCISamples.acl(0x0B, 2, bytes("08 00 01 00 02 01 04 00 01 00 40 00")), .toHost)
        feed.h4(HCISamples.acl(0x0B, 2, bytes("08 00 01 00 02 02 04 00 1F 00 41 00")), .toHost)
        feed.h4(HCISamples.acl(0x0B, 2, bytes("08 00 01 00 02 03 04 00 1F 00 42 00")), .toHost)
        feed.h4(HCISamples.acl(0x0B, 2, HCISamples.l2cap(0x41, [0x1B, 3, 0])), .toHost)
        feed.h4(HCISamples.acl(0x0B, 2, HCISamples.l2cap(4, [0x1B, 3, 0])), .toHost)
        feed.h4("04 05 04 00 0B 00 13", .toHost)
        #expect(feed.lines == ["odd 17", "odd 12", "odd 5"])
    }

    @Test func enhancedBearersOfClassicLinksAreNotFollowed() {
        var feed = LinkFeed()
        feed.h4(HCISamples.classicConnected, .toHost)
        let channels = "10 00 01 00 17 01 0C 00 27 00 40 00 40 00 01 00 40 00 41 00"
        feed.h4(HCISamples.acl(0x0B, 2, bytes(channels)), .toHost)
        let lowEnergy = "0E 00 01 00 14 02 0A 00 27 00 40 00 05 02 BC 00 03 00"
        feed.h4(HCISamples.acl(0x0B, 2, bytes(lowEnergy)), .toHost)
        let answer = "0E 00 01 00 15 02 0A 00 43 00 05 02 BC 00 03 00 00 00"
        feed.h4(HCISamples.acl(0x0B, 0, bytes(answer)), .toController)
        feed.h4(HCISamples.acl(0x0B, 0, HCISamples.l2cap(0x40, [1, 0, 0x13])), .toController)
        #expect(feed.lines == ["odd 17", "odd 12"])
        #expect(feed.probe.violations == [])
    }

    /// Requests for channels with credits, as BlueZ 5.66 sends them, and as the specification says.
    @Test(arguments: [
        "14 01 0A 00 27 00 40 00 05 02 BC 00 03 00",
        "17 07 0E 00 27 00 40 00 40 00 01 00 50 00 51 00 52 00",
    ])
    func enhancedBearersAreNotFollowed(request: String) {
        var feed = LinkFeed()
        feed.h4(HCISamples.connected, .toHost)
        for _ in 0..<2 {
            feed.h4(HCISamples.acl(0x40, 2, HCISamples.l2cap(5, bytes(request))), .toHost)
        }
        feed.h4(HCISamples.acl(0x40, 0, HCISamples.l2cap(0x40, [1, 0, 0x13])), .toController)
        #expect(feed.lines == ["0 connected C1:22:33:44:55:66r remote", "0 odd 12"])
    }

    @Test func voiceIsNoLinkOfItsOwn() {
        var feed = LinkFeed()
        feed.h4("04 03 0B 00 0C 00 66 55 44 33 22 11 00 00", .toHost)
        feed.h4("03 0C 00 02 01 02", .toHost)
        #expect(feed.lines == [])
    }

    @Test(
        arguments: [
            (0x0004 as UInt16, ["0 connected - unknown", "0 > 0A"]), (5, ["0 connected - unknown"]),
            (6, ["0 connected - unknown"]), (1, ["odd 17"]), (2, ["odd 17"]), (7, ["odd 17"]),
            (0x40, []), (0x3F, []), (0, []),
        ] as [(UInt16, [String])])
    func theChannelDeterminesTheKindOfAnOpenLink(channel: UInt16, lines: [String]) {
        var feed = LinkFeed()
        feed.h4(HCISamples.acl(0x40, 0, HCISamples.l2cap(channel, [0x0A])), .toController)
        feed.finish()
        #expect(feed.lines == lines)
    }

    @Test func broadcastsAreOfNoConnection() {
        var feed = LinkFeed()
        feed.h4(HCISamples.acl(0x4040, 2, HCISamples.l2cap(4, [0x1B, 3, 0])), .toHost)
        #expect(feed.lines == [])
    }
}
