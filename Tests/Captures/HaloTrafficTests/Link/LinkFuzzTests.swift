import HaloCapture
import HaloProtocol
import HaloTesting
import TestSupport
import Testing

@testable import HaloTraffic

/// Random records do not trap, and their events keep the rules.
@Suite(.computes) struct LinkFuzzTests {
    static let samples = [
        HCISamples.connected, HCISamples.connectedEnhanced, HCISamples.connectedEnhanced2,
        HCISamples.disconnected, HCISamples.encrypted, HCISamples.keyRefreshed,
        HCISamples.classicConnected, HCISamples.reset,
        "02 40 20 07 00 03 00 04 00 02 F7 00", "02 41 20 05 00 08 00 04 00 1B",
        "02 40 20 12 00 0E 00 05 00 14 01 0A 00 27 00 40 00 05 02 BC 00 03 00",
        "02 40 00 12 00 0E 00 05 00 15 01 0A 00 43 00 05 02 BC 00 03 00 00 00",
        "02 0B 20 12 00 0E 00 01 00 14 01 0A 00 27 00 40 00 05 02 BC 00 03 00",
        "02 0B 00 12 00 0E 00 01 00 15 01 0A 00 43 00 05 02 BC 00 03 00 00 00",
        "02 0B 20 09 00 05 00 43 00 03 00 1B 0B 00", "02 40 20 09 00 05 00 43 00 03 00 1B 0B 00",
        "02 40 00 09 00 05 00 40 00 05 00 1B 0B 00",
        "02 40 00 0C 00 08 00 05 00 06 02 04 00 40 00 43 00",
        "02 41 10 03 00 03 00 07", "02 0B 20 0C 00 08 00 01 00 02 02 04 00 1F 00 41 00",
    ].map(bytes)

    static let airSamples = [
        "D6 BE 89 8E C5 22 00 11 22 33 44 55 66 55 44 33 22 C1 A2 4F 65 50 3C 2B 1D 01 07 00 "
            + "18 00 00 00 32 00 FF FF FF FF 1F 29",
        "A2 4F 65 50 02 07 03 00 04 00 02 F7 00", "A2 4F 65 50 02 05 08 00 04 00 1B",
        "A2 4F 65 50 09 03 03 00 07", "A2 4F 65 50 0B 02 02 13", "A2 4F 65 50 03 01 05",
        "A2 4F 65 50 0B 0D 04 00 00 00 00 00 00 00 00 00 00 00 00", "A2 4F 65 50 01 00",
    ].map(bytes)

    static func kind(_ choice: inout FuzzBytes) -> RecordKind {
        let adapter = UInt16(choice.byte() & 1)
        let direction: HCIDirection? =
            choice.flag() ? nil : choice.choice(of: [.toController, .toHost])
        switch choice.byte() % 3 {
        case 0: return .monitor(opcode: UInt16(choice.byte() % 24), adapter: adapter)
        case 1:
            return .air(
                AirReception(
                    direction:
                        choice.flag() ? nil : choice.choice(of: [.toDevice, .fromDevice]),
                    isIntact: choice.flag() ? nil : choice.flag(),
                    isDecrypted: choice.flag()))
        default:
            let type = choice.choice(of: [HCIPacketType.command, .acl, .event, .synchronous])
            return .hci(type ?? .acl, direction, adapter: adapter)
        }
    }

    @Test func noiseKeepsTheRulesOfConnections() {
        for seed in 0..<UInt64(Thoroughness.scaled(80)) {
            var choice = FuzzBytes(seed: seed, count: 4096)
            var feed = LinkFeed()
            while choice.remaining > 0 {
                let kind = Self.kind(&choice)
                let length = choice.length(upTo: 60)
                feed.receive(kind, choice.bytes(length), at: Int64(choice.integer(UInt16.self)))
            }
            feed.finish()
            #expect(feed.probe.violations == [], "seed \(seed)")
            #expect(!feed.lines.contains { $0.contains("unexpected") })
        }
    }

    @Test func faultyPacketsKeepTheRulesOfConnections() {
        for seed in 0..<UInt64(Thoroughness.scaled(80)) {
            var choice = FuzzBytes(seed: seed, count: 2048)
            var feed = LinkFeed()
            while choice.remaining > 0 {
                var packet = choice.choice(of: Self.samples) ?? []
                let fault = Int(choice.byte())
                if fault < packet.count, fault > 0 { packet[fault] = choice.byte() }
                feed.h4(packet, choice.flag() ? .toHost : nil, adapter: UInt16(choice.byte() & 1))
            }
            feed.finish()
            #expect(feed.probe.violations == [], "seed \(seed)")
        }
    }

    @Test func faultyAirPacketsKeepTheRulesOfConnections() {
        for seed in 0..<UInt64(Thoroughness.scaled(80)) {
            var choice = FuzzBytes(seed: seed, count: 2048)
            var feed = LinkFeed()
            while choice.remaining > 0 {
                var packet = choice.choice(of: Self.airSamples) ?? []
                let fault = Int(choice.byte())
                if fault < packet.count { packet[fault] = choice.byte() }
                let reception = AirReception(
                    direction:
                        choice.flag() ? nil : choice.choice(of: [.toDevice, .fromDevice]),
                    isIntact: nil,
                    isDecrypted: choice.byte() % 8 == 0)
                feed.receive(.air(reception), packet, at: Int64(choice.integer(UInt16.self)))
            }
            feed.finish()
            #expect(feed.probe.violations == [], "seed \(seed)")
        }
    }
}
