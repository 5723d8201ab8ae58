import HaloProtocol
import TestSupport
import Testing

@testable import HaloTraffic

/// Wireshark's exports as text and as JSON.
@Suite(.computes) struct WiresharkLogTests {
    private static func read(_ program: any LogReader.Type, _ text: String) -> TextSink {
        TextSink.read(Array(text.utf8), LogParser(program))
    }

    /// The packet as Wireshark prints its bytes.
    private static func dump(_ bytes: [UInt8]) -> String {
        stride(from: 0, to: bytes.count, by: 16).map { start in
            let row = bytes[start..<min(start + 16, bytes.count)].map { HexText.byte($0) }
            let offset = HexText.bytes([UInt8(start >> 8), UInt8(start & 0xFF)])
            return "\(offset)  \(row.joined(separator: " "))   ....\n"
        }
        .joined()
    }

    /// The length of a packet has two bytes; a dump of another length is not the packet.
    @Test(arguments: [4, 255, 256, 300])
    func theBytesDecideByTheirOwnLength(count: Int) {
        let value = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let packet = HCISamples.fromController(0x41, [0x1B, 0x12, 0x00] + value)
        let frame = "Frame 1: \(packet.count) bytes on wire (1 bits)\n\n"
        let sink = Self.read(WiresharkLog.self, frame + Self.dump(packet))
        #expect(sink.records.map(\.bytes) == [Array(packet.dropFirst())])
        let cut = Self.read(WiresharkLog.self, frame + Self.dump(packet.dropLast()))
        #expect(cut.records == [])
    }

    private static func object(_ members: [String]) -> String {
        let lines = members.map { "      \($0),\n" }.joined()
        return
            "{\n  \"_source\": {\n    \"layers\": {\n\(lines)      \"end\": \"\"\n    }\n  }\n},\n"
    }

    /// The direction as HCI's or as the link's; the bytes in one line or in the next one.
    @Test func membersOfJSON() {
        let notification = [
            #""bthci_acl.chandle": "0x0041""#, #""btatt.opcode": "0x1b""#,
            #""btatt.handle": "0x0012""#, #""btatt.value": "03:52""#,
        ]
        let change = [
            #""btatt.opcode": "0x12""#, #""btatt.handle": "0x0013""#,
            #""btatt.characteristic_configuration_client": "0x0001""#,
        ]
        let raw = HexText.bytes(HCISamples.fromHost(0x41, [0x52, 0x10, 0x00, 0x0A])).lowercased()
        let text =
            Self.object([#""frame.p2p_dir": "1""#] + notification)
            + Self.object([#""frame.p2p_dir": "0""#] + notification)
            + Self.object([#""hci_h4.direction": "0x01""#] + notification)
            + Self.object([#""hci_h4.direction": "0x00""#] + notification)
            + Self.object([#""bthci_acl.chandle": "0x0041""#] + change)
            + Self.object([#""frame_raw": ["\#(raw)", 0, 13, 0, 1]"#])
            + Self.object(["\"frame_raw\": [\n  \"\(raw)\",\n  0\n]"])
        let sink = Self.read(WiresharkJSON.self, text)
        let value = "09 00 05 00 04 00 1B 12 00 03 52"
        #expect(
            sink.values == [
                "< acl 41 20 \(value)", "> acl 41 00 \(value)", "< acl 41 20 \(value)",
                "> acl 41 00 \(value)", "> acl 41 00 09 00 05 00 04 00 12 13 00 01 00",
                "> acl 41 00 08 00 04 00 04 00 52 10 00 0A",
                "> acl 41 00 08 00 04 00 04 00 52 10 00 0A",
            ])
    }

    /// The type of a handle becomes a discovery, once, and not between a request and its response.
    @Test func typesAreDiscoveredBetweenRequests() {
        func object(_ opcode: String, _ more: [String] = []) -> String {
            Self.object(
                [#""bthci_acl.chandle": "0x0041""#, #""btatt.opcode": "\#(opcode)""#] + more)
        }
        let request = object(
            "0x12", [#""btatt.handle": "0x0010""#, #""btatt.value": "03""#])
        let notification = object(
            "0x1b",
            [#""btatt.handle": "0x0012""#, #""btatt.uuid16": "0xfee1""#, #""btatt.value": "03""#])
        let text = request + notification + object("0x13") + notification + notification
        let sink = Self.read(WiresharkJSON.self, text)
        let value = "< acl 41 20 08 00 04 00 04 00 1B 12 00 03"
        #expect(
            sink.values == [
                "> acl 41 00 08 00 04 00 04 00 12 10 00 03", value,
                "< acl 41 20 05 00 01 00 04 00 13",
                "> acl 41 00 09 00 05 00 04 00 04 12 00 12 00",
                "< acl 41 20 0A 00 06 00 04 00 05 01 12 00 E1 FE", value, value,
            ])
    }

    /// An app has one request at a time: a further one shows that the one before it is over.
    @Test func aFurtherRequestEndsTheOneBefore() {
        let link = #""bthci_acl.chandle": "0x0041""#
        let write = [link, #""btatt.opcode": "0x12""#, #""btatt.value": "03""#]
        let text =
            Self.object(write + [#""btatt.handle": "0x0010""#])
            + Self.object(
                write + [#""btatt.handle": "0x0012""#, #""btatt.uuid16": "0xfee1""#])
        #expect(
            Self.read(WiresharkJSON.self, text).values == [
                "> acl 41 00 08 00 04 00 04 00 12 10 00 03",
                "> acl 41 00 09 00 05 00 04 00 04 12 00 12 00",
                "< acl 41 20 0A 00 06 00 04 00 05 01 12 00 E1 FE",
                "> acl 41 00 08 00 04 00 04 00 12 12 00 03",
            ])
    }
}
