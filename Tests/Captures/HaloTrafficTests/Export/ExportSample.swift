import CaptureSupport
import HaloCapture
import HaloProtocol
import Testing

/// A capture to export.
struct ExportSample: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let capture: Capture

    private init(_ name: String, _ text: String) throws {
        testDescription = name
        capture = try Capture(reading: text)
    }

    /// Transcripts, every fixture of a characteristic, and samples of the remaining features.
    static let all: [ExportSample] = {
        do {
            return try fixtures("Sessions") + [characteristics, strap, everything]
        } catch {
            Issue.record("\(error)")
            return []
        }
    }()

    private static func fixtures(_ folder: String) throws -> [ExportSample] {
        let files = FixtureFolder(folder)
        return try files.names.map { name in
            try ExportSample("\(folder)/\(name)", files.text(name))
        }
    }

    /// Every value of every characteristic, transferred in the usual way: measurements are
    /// notified, others are read, and writes are acknowledged.
    static var characteristics: ExportSample {
        get throws {
            var lines: [CaptureLine] = []
            for packet in try fixtures("Characteristics").flatMap(\.capture.lines)
                .compactMap(\.packet)
            {
                let isMeasurement = packet.channel == .characteristic(BluetoothUUID(0x2A37))
                let isValue = packet.direction == .fromDevice
                if isValue, !isMeasurement {
                    lines.append(.event(.read(packet.channel), link: nil))
                }
                lines.append(
                    .packet(
                        isValue
                            ? packet : try CapturePacket(.write, packet.channel, packet.bytes)))
                if !isValue { lines.append(.event(.acknowledged(packet.channel), link: nil)) }
                lines.append(.elapsed(microseconds: 1_234_567))
            }
            return try ExportSample("characteristics", Capture(lines).text)
        }
    }

    /// A heart-rate strap with all values of its characteristic's fixture.
    static var strap: ExportSample {
        get throws {
            let text = try fixtures("Characteristics").first {
                $0.testDescription.hasSuffix("2a37.halo")
            }
            let packets = (text?.capture.lines ?? []).compactMap(\.packet)
            let lines = packets.map { "< 2a37 notified \(HexText.bytes($0.bytes))\n+ 1s\n" }
            return try ExportSample(
                "a strap",
                """
                halo-capture 2
                # clock: 2026-03-01 08:00:00 +01:00
                * advertised rssi -71
                < adv 02 01 06 03 03 0D 18
                < scan 06 09 53 74 72 61 70
                + 20ms
                * connected mtu 247
                * offers 180d 2a37 notify
                * offers 180d 2a38 read
                * offers 180d 2a39 write
                * offers 180f 2a19 read notify
                + 1.5ms
                * read 2a38
                + 31.25ms
                < 2a38 read 01
                * subscribed 2a37
                \(lines.joined())* unsubscribed 2a37
                > 2a39 write 01
                + 60ms
                * acknowledged 2a39
                > 2a39 write 07
                + 1us
                * refused 2a39 80
                * disconnected 13

                """)
        }
    }

    /// Long values, refusals, indications, other services, and two connections at once.
    static var everything: ExportSample {
        get throws {
            let long = (0..<300).map { HexText.byte(UInt8(0x41 + $0 % 26)) }.joined()
            return try ExportSample(
                "everything",
                """
                halo-capture 2
                # address: C1:22:33:44:55:66 (random)
                * connected
                * mtu 100
                * encrypted
                * offers 6e40fff0-b5a3-f393-e0a9-e50e24dcca9e \
                6e400002-b5a3-f393-e0a9-e50e24dcca9e command write
                * offers 6e40fff0-b5a3-f393-e0a9-e50e24dcca9e \
                6e400003-b5a3-f393-e0a9-e50e24dcca9e notify
                * offers 180a 2a29 read
                * offers fee7 fea2 read write indicate
                + 10ms
                * subscribed uart
                * subscribed fea2
                + 10ms
                > uart write 03 00 00 00 00 00 00 00 00 00 00 00 00 00 00 03
                + 10ms
                * acknowledged uart
                > 12345678 write \(long)
                < uart notified 03 4E 00 00 00 00 00 00 00 00 00 00 00 00 00 51
                + 5ms
                * acknowledged 12345678
                * read 2a29
                + 5ms
                < 2a29 read \(long)
                * read 2a29
                * left/connected mtu 23
                < left/2a37 notified 06 48
                + 5ms
                * refused 2a29 05
                > uart command 15 00 00 00 00 00 00 00 00 00 00 00 00 00 00 15
                < fea2 indicated 01 02 03
                + 1ms
                * confirmed fea2
                < fea2 indicated 04 05
                * confirmed fea2
                < left/00000017-4841-4c4f-0000-000000000000 notified
                * services-changed
                * offers 180f 2a19 read
                * read 2a19
                < 2a19 read 50
                < aabb notified \(long)
                * left/disconnected 08
                + 1s
                * disconnected

                """)
        }
    }
}
