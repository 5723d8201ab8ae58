import CaptureSupport
import HaloCapture
import Testing

@testable import HaloTraffic

/// Attributes on channels with credits. The commands are from a recording of BlueZ 5.66, except
/// those that request several channels.
@Suite struct LinkEnhancedBearerTests {
    private static let connected = "0 connected C1:22:33:44:55:66r remote"
    private static let deviceAsks = "14 01 0A 00 27 00 40 00 05 02 BC 00 03 00"
    private static let hostAnswers = "15 01 0A 00 43 00 05 02 BC 00 03 00 00 00"

    private static func signal(_ text: String, _ way: HCIDirection, _ feed: inout LinkFeed) {
        feed.h4(
            HCISamples.acl(0x40, way == .toHost ? 2 : 0, HCISamples.l2cap(5, bytes(text))), way)
    }

    private static func packet(
        _ channel: UInt16, _ payload: String, _ way: HCIDirection, _ feed: inout LinkFeed
    ) {
        let packet = HCISamples.l2cap(channel, bytes(payload))
        feed.h4(HCISamples.acl(0x40, way == .toHost ? 2 : 0, packet), way)
    }

    /// A link whose channel is 0x43 to the host, and 0x40 from it.
    private static func opened() -> LinkFeed {
        var feed = LinkFeed()
        feed.h4(HCISamples.connected, .toHost)
        signal(deviceAsks, .toHost, &feed)
        signal(hostAnswers, .toController, &feed)
        feed.probe.lines = []
        return feed
    }

    @Test func bearersCarryAttributesBothWays() {
        var feed = Self.opened()
        Self.packet(0x40, "05 00 12 0B 00 02 00", .toController, &feed)
        Self.packet(0x43, "01 00 13", .toHost, &feed)
        // The same numbers the other way are other channels.
        Self.packet(0x40, "01 00 13", .toHost, &feed)
        Self.packet(0x43, "01 00 13", .toController, &feed)
        #expect(feed.lines == ["0 > 12 0B 00 02 00", "0 < 13"])
    }

    @Test func severalChannelsAreOpenedAtOnceAndSomeRefused() {
        var feed = LinkFeed()
        feed.h4(HCISamples.connected, .toHost)
        Self.signal(
            "17 07 0E 00 27 00 40 00 40 00 01 00 50 00 51 00 52 00", .toController, &feed)
        Self.signal("18 07 0E 00 40 00 40 00 01 00 04 00 60 00 00 00 62 00", .toHost, &feed)
        Self.packet(0x60, "02 00 0A 01", .toController, &feed)
        Self.packet(0x51, "02 00 0B 02", .toHost, &feed)
        Self.packet(0x52, "02 00 0B 03", .toHost, &feed)
        #expect(feed.lines == [Self.connected, "0 > 0A 01", "0 < 0B 03"])
    }

    @Test func fiveChannelsOfARequestAreRemembered() {
        var feed = LinkFeed()
        feed.h4(HCISamples.connected, .toHost)
        let start = "07 14 00"
        Self.signal(
            "17 \(start) 27 00 40 00 40 00 01 00 50 00 51 00 52 00 53 00 54 00 55 00",
            .toController, &feed)
        Self.signal(
            "18 \(start) 40 00 40 00 01 00 00 00 60 00 61 00 62 00 63 00 64 00 65 00", .toHost,
            &feed)
        Self.packet(0x64, "02 00 0A 01", .toController, &feed)
        Self.packet(0x65, "02 00 0A 02", .toController, &feed)
        #expect(feed.lines == [Self.connected, "0 > 0A 01"])
    }

    @Test(arguments: [(4, ["0 > 13"]), (5, [])] as [(UInt8, [String])])
    func fourRequestsAreRemembered(count: UInt8, lines: [String]) {
        var feed = Self.opened()
        for number in 1...count {
            let (identifier, source) = (spaced([number]), spaced([0x50 + number]))
            Self.signal(
                "14 \(identifier) 0A 00 27 00 \(source) 00 05 02 BC 00 03 00", .toHost, &feed)
        }
        Self.signal("15 01 0A 00 60 00 05 02 BC 00 03 00 00 00", .toController, &feed)
        Self.packet(0x51, "01 00 13", .toController, &feed)
        #expect(feed.lines == lines)
    }

    @Test(arguments: [
        "14 01 0A 00 80 00 40 00 05 02 BC 00 03 00", "14 02 0A 00 27 00 40 00 05 02 BC 00 03 00",
        "14 01 02 00 27 00", "12 01 08 00 06 00 0C 00 00 00 C8 00", "",
    ])
    func otherChannelsAreNoBearers(request: String) {
        var feed = LinkFeed()
        feed.h4(HCISamples.connected, .toHost)
        Self.signal(request, .toHost, &feed)
        Self.signal(Self.hostAnswers, .toController, &feed)
        Self.packet(0x40, "01 00 13", .toController, &feed)
        #expect(feed.lines == [Self.connected])
    }

    /// A response may replace bearers, while packets of them wait for the role.
    @Test func replacedBearersAreDecodedFirst() {
        var feed = LinkFeed()
        let answers = ["43", "44", "44"]
        for (index, source) in ["40", "41", "40"].enumerated() {
            let number = "0\(index + 1)"
            if index == 2 { Self.packet(0x44, "03 00 02 F7 00", .toHost, &feed) }
            Self.signal(
                "14 \(number) 0A 00 27 00 \(source) 00 05 02 BC 00 03 00", .toHost, &feed)
            Self.signal(
                "15 \(number) 0A 00 \(answers[index]) 00 05 02 BC 00 03 00 00 00", .toController,
                &feed)
        }
        feed.finish()
        #expect(feed.lines == ["0 connected - unknown", "0 < 02 F7 00"])
    }

    @Test func unitsAreJoinedAtEveryCut() {
        let unit = bytes("09 00 1B 0B 00 01 02 03 04 05 06")
        for cut in 2...unit.count {
            var feed = Self.opened()
            Self.packet(0x43, spaced(Array(unit[..<cut])), .toHost, &feed)
            Self.packet(0x40, "01 00 13", .toController, &feed)
            if cut < unit.count { Self.packet(0x43, spaced(Array(unit[cut...])), .toHost, &feed) }
            #expect(
                Set(feed.lines) == ["0 > 13", "0 < 1B 0B 00 01 02 03 04 05 06"], "cut at \(cut)")
        }
    }

    @Test func fragmentsOfBearersAreJoinedAtEveryCut() {
        let packet = HCISamples.l2cap(0x43, bytes("09 00 1B 0B 00 01 02 03 04 05 06"))
        for cut in packet.indices {
            var feed = Self.opened()
            feed.h4(HCISamples.acl(0x40, 2, Array(packet[..<cut])), .toHost)
            feed.h4(HCISamples.acl(0x40, 1, Array(packet[cut...])), .toHost)
            #expect(feed.lines == ["0 < 1B 0B 00 01 02 03 04 05 06"], "cut at \(cut)")
        }
    }

    /// The first fragment came when the channel was not decoded, and was not kept.
    @Test func packetsThatBeganBeforeTheirBearerAreNoValues() {
        let packet = HCISamples.l2cap(0x43, bytes("09 00 1B 0B 00 01 02 03 04 05 06"))
        for cut in 5..<packet.count {
            var feed = LinkFeed()
            feed.h4(HCISamples.connected, .toHost)
            Self.signal(Self.deviceAsks, .toHost, &feed)
            feed.h4(HCISamples.acl(0x40, 2, Array(packet[..<cut])), .toHost)
            Self.signal(Self.hostAnswers, .toController, &feed)
            feed.h4(HCISamples.acl(0x40, 1, Array(packet[cut...])), .toHost)
            feed.finish()
            #expect(feed.lines == [Self.connected], "cut at \(cut)")
        }
    }

    @Test func lengthsThatLieAreNoted() {
        var feed = Self.opened()
        Self.packet(0x43, "02 00 1B 0B 00", .toHost, &feed)
        Self.packet(0x43, "02", .toHost, &feed)
        Self.packet(0x43, "00 00", .toHost, &feed)
        Self.packet(0x43, "04 00 1B 0B", .toHost, &feed)
        Self.packet(0x43, "04 00 1B 0B", .toHost, &feed)
        Self.packet(0x43, "02 00 1B 0B", .toHost, &feed)
        Self.packet(0x43, "04 00 1B 0B", .toHost, &feed)
        feed.finish()
        #expect(
            feed.lines == [
                "0 odd 3", "0 odd 3", "0 odd 0", "0 odd 3", "0 < 1B 0B", "0 odd 4",
            ])
    }

    @Test(arguments: [
        ("06 09 04 00 40 00 43 00", HCIDirection.toController),
        ("06 09 04 00 43 00 40 00", .toHost),
    ])
    func endedBearersHaveNoPackets(command: String, way: HCIDirection) {
        var feed = Self.opened()
        Self.packet(0x43, "04 00 1B 0B", .toHost, &feed)
        Self.signal(command, way, &feed)
        Self.packet(0x43, "01 00 13", .toHost, &feed)
        Self.packet(0x40, "01 00 13", .toController, &feed)
        #expect(feed.lines == ["0 odd 4"])
    }

    @Test func bearersAreLimited() {
        var feed = Self.opened()
        for identifier in 2..<40 as Range<UInt8> {
            let own = spaced([identifier, 1])
            let other = spaced([identifier + 0x40, 1])
            let id = spaced([identifier])
            Self.signal("14 \(id) 0A 00 27 00 \(own) 05 02 BC 00 03 00", .toHost, &feed)
            Self.signal("15 \(id) 0A 00 \(other) 05 02 BC 00 03 00 00 00", .toController, &feed)
        }
        #expect(feed.lines == [String](repeating: "0 odd 15", count: 38 - 15))
    }
}
