import HaloCapture
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloTraffic

/// An exported conversation is imported as the same one.
@Suite(.computes) struct ExportRoundTripTests {
    /// A line without the additions of importing and exporting: the connection, and the maximum
    /// lengths, if the capture does not have them.
    private struct Said: Hashable {
        var time: Int64
        let link: Int
        let line: CaptureLine
    }

    private func said(_ capture: Capture) throws -> [Said] {
        var links: [CaptureName?: Int] = [:]
        var said: [Said] = []
        var actions = CaptureActions()
        for line in capture.timedLines {
            for (what, name) in try parts(line.line, &actions) {
                if what == said.last?.line, case .event(.advertised, _) = what { continue }
                let link = links[name] ?? links.count
                links[name] = link
                said.append(Said(time: line.moment.microseconds, link: link, line: what))
            }
        }
        // An imported capture begins with its first line.
        let start = said.first?.time ?? 0
        return said.map { Said(time: $0.time - start, link: $0.link, line: $0.line) }
    }

    /// A line in the form of the other capture, with its action. The RSSI of advertisements is
    /// tested elsewhere.
    private func parts(
        _ line: CaptureLine, _ actions: inout CaptureActions
    ) throws -> [(CaptureLine, CaptureName?)] {
        switch line {
        case .packet(let packet):
            guard [.scanResponse, .advertisement].contains(packet.channel) else {
                let action = actions.action(of: packet)
                let bare = try CapturePacket(action, packet.channel, packet.bytes)
                return [(.packet(bare), packet.link)]
            }
            let bare = try CapturePacket(packet.direction, packet.channel, packet.bytes)
            guard packet.channel == .scanResponse else { return [(.packet(bare), packet.link)] }
            // It was announced, with the advertisement or by itself.
            let announced = CaptureLine.event(.advertised(rssi: nil), link: nil)
            return [(announced, packet.link), (.packet(bare), packet.link)]
        case .event(let event, let link):
            actions.note(event, link: link)
            switch event {
            case .connected, .offers, .mtu: return []
            case .advertised: return [(.event(.advertised(rssi: nil), link: nil), link)]
            case .disconnected(nil): return [(.event(.disconnected(reason: 0x1F), link: nil), link)]
            default: return [(.event(event, link: nil), link)]
            }
        default:
            return []
        }
    }

    private func imported(_ bytes: [UInt8]) throws -> Capture {
        var options = ImportOptions()
        options.device = .all
        options.keepsAdvertisements = true
        return try Capture(importing: bytes, options)
    }

    @Test(arguments: ExportSample.all, ExportFormat.allCases)
    func keepsTheConversation(sample: ExportSample, format: ExportFormat) throws {
        let back = try imported(sample.capture.exported(as: format))
        let before = try said(sample.capture)
        let after = try said(back)
        #expect(before.count == after.count)
        for (one, other) in zip(before, after) {
            #expect(one == other, "\(sample)")
            if one != other { break }
        }
    }

    @Test func keepsOffersAndSignalStrength() throws {
        let back = try imported(ExportSample.strap.capture.exported(as: .pcapng))
        func events(_ capture: Capture) -> [CaptureEvent] {
            capture.lines.compactMap { line in
                if case .event(let event, _) = line { event } else { nil }
            }
        }
        func isOffer(_ event: CaptureEvent) -> Bool {
            if case .offers = event { true } else { false }
        }
        let before = try events(ExportSample.strap.capture)
        let after = events(back)
        #expect(before.filter(isOffer) == after.filter(isOffer))
        #expect(before.filter(isOffer).count == 4)
        #expect(after.contains(.mtu(247)) && after.contains(.advertised(rssi: -71)))
        #expect(back.text.contains("# clock: 2026-03-01 07:00:00 +00:00\n"))
        #expect(back.text.contains("# address: C0:00:00:00:00:01 (random)\n"))
    }

    /// A second round trip adds nothing: the exported import is imported to the same text.
    @Test(arguments: ExportSample.all)
    func settlesAfterOneRound(sample: ExportSample) throws {
        let once = try imported(sample.capture.exported(as: .btsnoop))
        let twice = try imported(once.exported(as: .btsnoop))
        #expect(once == twice, "\(sample)")
    }
}
