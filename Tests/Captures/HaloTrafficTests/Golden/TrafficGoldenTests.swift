import HaloCapture
import HaloProtocol
import HaloTesting
import TestSupport
import Testing

@testable import HaloTraffic

/// The events of generated packets, compared with a recording.
@Suite(.computes) struct TrafficGoldenTests {
    @Test func attributePacketsAreDecodedAsRecorded() throws {
        var table = GoldenTable("Attributes")
        for seed in 0..<60 as Range<UInt64> {
            var feed = AttributeFeed()
            for (direction, packet) in ATTRandomTests.packets(seed, count: 3_000) {
                feed.receive(direction, packet)
            }
            feed.end()
            let lines = zip(feed.probe.numbers, feed.probe.lines).map { "\($0) \($1)" }
            try table.add("seed \(seed)", lines)
        }
        try GoldenText("Golden/Captures/Attributes.txt").expect(table.lines)
    }

    @Test func recordsOfLinksAreDecodedAsRecorded() throws {
        var table = GoldenTable("Links")
        for seed in 0..<60 as Range<UInt64> {
            var choice = FuzzBytes(seed: seed, count: 3_000)
            var feed = LinkFeed()
            while choice.remaining > 0 {
                let samples = choice.flag() ? LinkFuzzTests.samples : LinkFuzzTests.airSamples
                var packet = choice.choice(of: samples) ?? []
                let fault = Int(choice.byte())
                if fault < packet.count, fault > 0 { packet[fault] = choice.byte() % 40 }
                if choice.byte() < 20 { packet.removeLast(min(packet.count, fault % 4)) }
                let time = Int64(choice.integer(UInt16.self))
                if packet.first == 0xA2 || packet.first == 0xD6 || choice.byte() < 20 {
                    feed.receive(LinkFuzzTests.kind(&choice), packet, at: time)
                } else {
                    let way: HCIDirection? = choice.flag() ? .toHost : nil
                    feed.h4(packet, way, adapter: UInt16(choice.byte() & 1))
                }
            }
            feed.finish()
            try table.add("seed \(seed)", feed.lines)
        }
        try GoldenText("Golden/Captures/Links.txt").expect(table.lines)
    }

    /// Advertising and data packets on the air, some of them lost, with pauses.
    @Test func theAirIsDecodedAsRecorded() throws {
        var table = GoldenTable("HeardAir")
        for seed in 0..<60 as Range<UInt64> {
            var choice = FuzzBytes(seed: ~seed, count: 2_000)
            var feed = LinkFeed()
            var time: Int64 = 0
            while choice.remaining > 0 {
                var packet = choice.choice(of: LinkFuzzTests.airSamples) ?? []
                let fault = Int(choice.byte())
                if fault < packet.count { packet[fault] ^= 1 << (choice.byte() % 8) }
                time += Int64(choice.byte()) * (choice.byte() % 30 == 0 ? 1_000_000 : 900)
                let ways: [Direction] = [.toDevice, .fromDevice]
                let reception = AirReception(
                    direction: choice.flag() ? nil : choice.choice(of: ways),
                    isIntact: [nil, true, true, false][Int(choice.byte() % 4)],
                    isDecrypted: choice.byte() % 8 == 0)
                feed.receive(.air(reception), packet, at: time)
            }
            feed.finish()
            try table.add("seed \(seed)", feed.lines)
        }
        try GoldenText("Golden/Captures/HeardAir.txt").expect(table.lines)
    }

    /// Whole files: links that begin and end, with advertisements, discoveries and conversations.
    @Test func madeUpFilesAreImportedAsRecorded() throws {
        var table = GoldenTable("MadeUpFiles")
        for seed in 0..<40 as Range<UInt64> {
            var choice = FuzzBytes(seed: seed, count: 300)
            var script = SnoopScript()
            while choice.remaining > 0 {
                let handle = 0x40 + UInt16(choice.byte() % 3)
                script.time += Int64(choice.byte()) * 900
                switch choice.byte() % 12 {
                case 0, 1: script.connect(handle, address: 0x60 + choice.byte() % 3)
                case 2: script.disconnect(handle, reason: choice.byte())
                case 3: script.encrypt()
                case 4:
                    let name: [UInt8] = [2, 1, 6, 4, 9, 0x52, 0x31, 0x30 + choice.byte() % 4]
                    script.advertise(name, address: 0x60 + choice.byte() % 3)
                case 5, 6: script.say(SnoopScript.discovery, on: handle)
                case 7, 8: script.say(SnoopScript.conversation, on: handle)
                default:
                    let packets = ATTRandomTests.packets(
                        seed &* 77 &+ UInt64(choice.byte()), count: 200)
                    for (direction, packet) in packets { script.say(direction, packet, on: handle) }
                }
            }
            for keeps in [true, false] {
                var options = ImportOptions()
                options.device = .all
                options.keepsAdvertisements = keeps
                try table.add(
                    "seed \(seed), \(keeps)", ImportGoldenTests.words(script.bytes, options))
            }
        }
        try GoldenText("Golden/Captures/MadeUpFiles.txt").expect(table.lines)
    }
}
