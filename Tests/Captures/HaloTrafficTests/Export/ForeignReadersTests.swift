import Foundation
import HaloCapture
import HaloProtocol
import TestSupport
import Testing

@testable import HaloTraffic

/// Wireshark and `btmon` read an export, and find the same content.
@Suite(.computes) struct ForeignReadersTests {
    @Suite(.enabled(if: ExternalProgram.tshark.isInstalled, "tshark is not installed"))
    struct TShark {
        private func fields(
            _ bytes: [UInt8], _ filter: String, _ names: [String]
        ) throws -> [[String]] {
            let outcome = try ExternalProgram.tshark.run(
                reading: bytes,
                ["-Y", filter, "-T", "fields", "-E", "separator=|"] + names.flatMap { ["-e", $0] })
            #expect(outcome.complaints == "")
            #expect(outcome.status == 0)
            return outcome.lines.map { line in
                line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            }
        }

        /// `true` if a message of Wireshark is about a value, not about the file around it.
        ///
        /// Wireshark takes the frames of a ring for text, since Nordic's service has the same
        /// characteristics. The fixtures include a reserved battery level, and certificates that
        /// are no list.
        private static func isAboutValue(_ message: String, _ sample: ExportSample) -> Bool {
            message == "Trailing stray characters"
                || sample.testDescription == "characteristics"
                    && ["Bad Data", "Malformed Packet (Exception occurred)"].contains(message)
        }

        @Test(arguments: ExportSample.all, ExportFormat.allCases)
        func hasNoComplaint(sample: ExportSample, format: ExportFormat) throws {
            let complaints = try fields(
                sample.capture.exported(as: format),
                "_ws.malformed or _ws.expert.severity >= 6291456 or _ws.short",
                ["frame.number", "_ws.expert.message"])
            let serious = complaints.filter { line in
                let messages = (line.last ?? "").split(separator: ",").map(String.init)
                return messages.isEmpty
                    || !messages.allSatisfy { Self.isAboutValue($0, sample) }
            }
            #expect(serious == [])
        }

        /// All packets of the attribute protocol, reassembled from their fragments, byte for byte.
        @Test(arguments: ExportSample.all, [ExportFormat.btsnoop, .pcapng])
        func seesTheSameAttributePackets(sample: ExportSample, format: ExportFormat) throws {
            let bytes = try sample.capture.exported(as: format)
            let ours = try ExportedTraffic(bytes, format).attributes
            let outcome = try ExternalProgram.tshark.run(
                reading: bytes, ["-Y", "btatt", "-T", "jsonraw", "-j", "btatt"])
            let packets = try #require(
                JSONSerialization.jsonObject(with: outcome.output) as? [[String: Any]])
            let theirs = packets.map { packet in
                let source = packet["_source"] as? [String: Any]
                let layers = source?["layers"] as? [String: Any]
                return (layers?["btatt_raw"] as? [Any])?.first as? String
            }
            #expect(theirs.count == ours.count)
            for (their, our) in zip(theirs, ours) {
                #expect(their?.uppercased() == HexText.bytes(our.bytes))
            }
        }

        @Test(arguments: ExportSample.all)
        func seesTheSameOpcodesHandlesAndTimes(sample: ExportSample) throws {
            let bytes = try sample.capture.exported(as: .pcapng)
            let ours = try ExportedTraffic(bytes, .pcapng).attributes
            let theirs = try fields(
                bytes, "btatt", ["btatt.opcode", "btatt.handle", "frame.time_epoch"])
            #expect(theirs.count == ours.count)
            for (their, our) in zip(theirs, ours) {
                #expect(UInt8(their[0].dropFirst(2), radix: 16) == our.bytes.first)
                if let handle = our.handle {
                    // The first one is the packet's, others may be in what Wireshark adds to it.
                    let first = their[1].prefix { $0 != "," }
                    #expect(UInt16(first.dropFirst(2), radix: 16) == handle)
                }
                let whole = our.time / 1_000_000
                let fraction = String(our.time % 1_000_000 + 1_000_000).dropFirst()
                #expect(their[2] == "\(whole).\(fraction)000")
            }
        }

        /// Every field of every fixture of the Heart Rate Measurement.
        @Test(arguments: [ExportFormat.btsnoop, .pcapng])
        func agreesOnEveryHeartRateMeasurement(format: ExportFormat) throws {
            let sample = try ExportSample.strap
            let measurements = try sample.capture.lines.compactMap(\.packet)
                .filter { $0.channel == .characteristic(BluetoothUUID(0x2A37)) }
                .map { try HeartRateMeasurement(decoding: $0.bytes) }
            let prefix = "btatt.heart_rate_measurement."
            let theirs = try fields(
                sample.capture.exported(as: format), prefix + "flags",
                [
                    "flags.value_16", "value.8", "value.16",
                    "flags.sensor_contact_status.support",
                    "flags.sensor_contact_status.contact", "flags.energy_expended",
                    "energy_expended", "flags.rr_interval", "rr_interval", "flags.reserved",
                    "flags",
                ].map { prefix + $0 })
            #expect(theirs.count == measurements.count && measurements.count > 10)
            for (their, our) in zip(theirs, measurements) { agree(their, our) }
        }

        private func agree(_ their: [String], _ our: HeartRateMeasurement) {
            let rate = String(our.beatsPerMinute)
            #expect(
                Array(their[0...2])
                    == (our.width == .twoBytes ? ["1", "", rate] : ["0", rate, ""]))
            switch our.contact {
            case .notSupported: #expect(their[3] == "0")
            case .notDetected: #expect(their[3] == "1" && their[4] == "0")
            case .detected: #expect(their[3] == "1" && their[4] == "1")
            }
            #expect(their[5] == (our.energyKilojoules == nil ? "0" : "1"))
            #expect(their[6] == (our.energyKilojoules.map(String.init) ?? ""))
            #expect((their[7] == "1") == ((our.bytes.first ?? 0) & 0x10 > 0))
            #expect(their[8] == our.rrIntervals.map(String.init).joined(separator: ","))
            #expect(their[9] == hexadecimal(our.reservedFlags >> 5))
            #expect(their[10] == hexadecimal(our.bytes.first ?? 0))
        }

        private func hexadecimal(_ byte: UInt8) -> String {
            "0x" + HexText.byte(byte).lowercased()
        }
    }

    @Suite(.enabled(if: ExternalProgram.btmon.isInstalled, "btmon is not installed"))
    struct BTMon {
        @Test(arguments: ExportSample.all)
        func printsEveryAttributePacket(sample: ExportSample) throws {
            let bytes = try sample.capture.exported(as: .btsnoop)
            let outcome = try ExternalProgram.btmon.run(reading: bytes, [])
            #expect(outcome.status == 0)
            #expect(outcome.complaints == "")
            let ours = try ExportedTraffic(bytes, .btsnoop)
            let packets = outcome.lines.filter { $0.hasPrefix("      ATT: ") }
            let codes = packets.map { line in
                line.split(separator: "(0x").last.flatMap { UInt8($0.prefix(2), radix: 16) }
            }
            #expect(codes == ours.attributes.map(\.bytes.first))
            let events = outcome.lines.filter { $0.hasPrefix("> HCI Event: ") }
            #expect(events.count == ours.events.count)
        }
    }
}
