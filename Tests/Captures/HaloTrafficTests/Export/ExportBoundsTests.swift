import HaloCapture
import HaloProtocol
import HaloTransport
import TestSupport
import Testing

@testable import HaloTraffic

/// Any capture: an export does not trap, is bounded, and is readable.
@Suite(.computes) struct ExportBoundsTests {
    private struct Dice {
        var state: UInt64

        mutating func roll(_ sides: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % sides
        }
    }

    private func line(_ dice: inout Dice) throws -> CaptureLine {
        let channels: [CaptureChannel] = [
            .uart, .bigData, .family(.ledStrip), .advertisement, .scanResponse,
            .characteristic(BluetoothUUID(0x2A37)), .characteristic(BluetoothUUID(0x2A05)),
            .characteristic(BluetoothUUID(UInt32(dice.roll(50)))),
        ]
        let channel = channels[dice.roll(channels.count)]
        let names: [CaptureName?] = [nil, try CaptureName("left"), nil, nil]
        let link = names[dice.roll(names.count)]
        let lengths = [0, 1, 2, 16, 20, 21, 244, 512, 515, CapturePacket.maximumLength]
        let event: CaptureEvent
        switch dice.roll(24) {
        case 0: event = .connected(mtu: nil)
        case 1: event = .connected(mtu: UInt16(23 + dice.roll(495)))
        case 2: event = .mtu(UInt16(23 + dice.roll(495)))
        case 3: event = .subscribed(channel)
        case 4: event = .unsubscribed(channel)
        case 5, 6: event = .read(channel)
        case 7, 8: event = .acknowledged(channel)
        case 9: event = .refused(channel, code: UInt8(dice.roll(256)))
        case 10: event = .confirmed(channel)
        case 11:
            event = .offers(
                service: BluetoothUUID(UInt32(dice.roll(3))),
                characteristic: channel.uuid(.fromDevice) ?? BluetoothUUID(1),
                GATTProperties(rawValue: UInt8(dice.roll(256))))
        case 12: event = .servicesChanged
        case 13: event = .encrypted
        case 14: event = .disconnected(reason: nil)
        case 15: event = .advertised(rssi: Int8(dice.roll(100)))
        case 16: return .elapsed(microseconds: UInt64(dice.roll(40_000_000)))
        default:
            return .packet(
                try CapturePacket(
                    dice.roll(2) == 0 ? .toDevice : .fromDevice, link: link, channel,
                    [UInt8](repeating: 7, count: lengths[dice.roll(lengths.count)])))
        }
        return .event(event, link: link)
    }

    @Test func writesAnyCaptureSoThatItCanBeRead() throws {
        var dice = Dice(state: 1)
        for _ in 0..<Thoroughness.scaled(60) {
            var capture = Capture()
            for _ in 0..<dice.roll(120) { try capture.append(try line(&dice)) }
            let format = ExportFormat.allCases[dice.roll(3)]
            let traffic = try capture.traffic(format)
            #expect(traffic.times == traffic.times.sorted())
            // One request at a time, and no answer without one.
            var asked: [UInt16: Int] = [:]
            for packet in traffic.attributes {
                guard let opcode = packet.opcode else {
                    Issue.record("\(packet)")
                    continue
                }
                switch opcode {
                case .notification, .indication, .confirmation, .writeCommand: break
                case _ where opcode.isFromServer:
                    #expect(asked[packet.connection] == 1, "\(opcode) in\n\(capture)")
                    asked[packet.connection] = 0
                default: asked[packet.connection] = 1
                }
            }
        }
    }

    @Test func exportsAValueOfAnyLength() throws {
        for count in [511, 512, 513, 514, 515, 516, 1000, CapturePacket.maximumLength] {
            let value = [UInt8](repeating: 1, count: count)
            for direction in [Direction.toDevice, .fromDevice] {
                for channel in [CaptureChannel.uart, .advertisement, .scanResponse] {
                    let packet = try CapturePacket(direction, channel, value)
                    let traffic = try Capture([.packet(packet)]).traffic()
                    #expect(traffic.times.count > 0)
                }
            }
        }
    }

    @Test func refusesMoreAttributesThanThereAreHandles() throws {
        var exporter = CaptureExporter(.btsnoop)
        #expect(throws: ExportError.tooManyAttributes) {
            for number in 0..<UInt32(20_000) {
                let channel = CaptureChannel.characteristic(BluetoothUUID(number))
                try exporter.write(
                    .packet(try CapturePacket(.fromDevice, channel, [])), at: .origin)
                _ = exporter.drain()
            }
            try exporter.finish()
        }
    }

    @Test func holdsNoMoreOffersThanThereAreHandles() throws {
        var exporter = CaptureExporter(.btsnoop)
        let offer = CaptureEvent.offers(
            service: BluetoothUUID(1), characteristic: BluetoothUUID(2), .read)
        #expect(throws: ExportError.tooManyAttributes) {
            for _ in 0...0xFFFF { try exporter.write(.event(offer, link: nil), at: .origin) }
        }
    }

    @Test func refusesMoreNamesOfConnectionsThanItKeepsApart() throws {
        var exporter = CaptureExporter(.btsnoop)
        for number in 0..<CaptureExporter.maximumLinkCount {
            try exporter.write(
                .event(.encrypted, link: try CaptureName("link-\(number)")), at: .origin)
        }
        #expect(throws: ExportError.tooManyLinks) {
            try exporter.write(.event(.encrypted, link: try CaptureName("another")), at: .origin)
        }
    }

    @Test func countsConnectionsRoundAndRound() throws {
        var exporter = CaptureExporter(.btsnoop)
        for _ in 0..<5000 {
            try exporter.write(.event(.connected(mtu: nil), link: nil), at: .origin)
            try exporter.write(.event(.disconnected(reason: 0x13), link: nil), at: .origin)
        }
        try exporter.finish()
        let traffic = try ExportedTraffic(exporter.drain(), .btsnoop)
        #expect(traffic.events.count == 10_000)
    }

    @Test func holdsNoMoreBackThanItsWindow() throws {
        var exporter = CaptureExporter(.btsnoop)
        try exporter.write(
            .packet(try CapturePacket(.toDevice, .uart, [1])), at: .origin)
        let value = try CapturePacket(.fromDevice, .bigData, [2])
        for _ in 0..<1025 { try exporter.write(.packet(value), at: .origin) }
        let traffic = try ExportedTraffic(exporter.drain(), .btsnoop)
        #expect(traffic.attributes.contains { $0.opcode == .writeCommand })
        #expect(traffic.attributes.contains { $0.opcode == .notification })
    }

    @Test func allowsAnyMoment() throws {
        for format in ExportFormat.allCases {
            var exporter = CaptureExporter(format)
            let value = CaptureLine.packet(try CapturePacket(.fromDevice, .uart, [1]))
            let moments = [Int64.min, -1, 0, 1, .max].map(Moment.init(microseconds:))
            for moment in moments + moments.reversed() { try exporter.write(value, at: moment) }
            try exporter.finish()
            #expect(exporter.pendingCount > 0)
        }
    }

    @Test(arguments: [
        "", "today", "2025-12-11", "2025-13-11 22:54:15", "2025-12-11 25:54:15",
        "-2025-12-11 22:54:15", "99999999999999999999-12-11 22:54:15", "+-+ :::",
        "٢٠٢٥-12-11 1:1:1",
    ])
    func doesNotBelieveAnyClock(text: String) {
        #expect(WallClock(captureTag: text)?.microseconds == nil)
    }

    @Test func readsClocksAndAddresses() {
        #expect(WallClock(captureTag: "1970-01-02 00:00:00")?.microseconds == 86_400_000_000)
        #expect(WallClock(captureTag: "1970-01-02 01:00:00 +01:00")?.microseconds == 86_400_000_000)
        #expect(WallClock(captureTag: "1970-01-01 22:30:00 -01:30")?.microseconds == 86_400_000_000)
        let random = CaptureAddress("C1:22:33:44:55:66 (random)")
        #expect(random?.address == DeviceAddress(0xC122_3344_5566, isRandom: true))
        #expect(random?.link == nil)
        let linked = CaptureAddress("01:22:33:44:55:66 on left")
        #expect(linked?.address.isRandom == false && linked?.link?.text == "left")
        for text in [
            "", "C1:22:33:44:55", "C1:22:33:44:55:6", "C1:22:33:44:55:66 random", "::",
            "C1:22:33:44:55:66 on", "C1:22:33:44:55:66 on LEFT", "C1:22:33:44:55:66 on a b",
        ] { #expect(CaptureAddress(text) == nil, "\(text)") }
    }
}
