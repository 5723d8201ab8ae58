import HaloCapture
import HaloProtocol
import HaloTraffic

/// The first packets of a capture as files of other programs: notifications and write commands of
/// one connection.
struct TrafficSeed {
    private let packets: [CapturePacket]

    /// Takes the first packets that fit into the files; `nil` if there is none.
    init?(_ capture: Capture) {
        packets = capture.lines.compactMap(\.packet).prefix(12)
            .filter { (1...200).contains($0.bytes.count) }
        if packets.isEmpty { return nil }
    }

    /// Returns a file of a format; `nil` for formats that are not written here.
    func bytes(as format: TrafficFormat) -> [UInt8]? {
        switch format {
        case .btsnoop: btsnoop
        case .pcap: pcap
        case .pcapng: pcapng
        case .packetLogger: packetLogger
        case .hexLines: hexLines
        case .ringFrames:
            packets.filter { $0.bytes.count == Frame.length }.flatMap { $0.bytes + [10] }
        default: log(format)
        }
    }

    private var btsnoop: [UInt8] {
        var file = Array("btsnoop\0".utf8) + big(1) + big(1002)
        for (index, packet) in packets.enumerated() {
            let data = [2] + acl(packet)
            file += big(data.count) + big(data.count) + big(packet.direction == .toDevice ? 0 : 1)
            file += big(0) + big(0x00E0_3AB4) + big(index * 1000) + data
        }
        return file
    }

    private var pcap: [UInt8] {
        var file = little(0xA1B2_C3D4) + [2, 0, 4, 0] + little(0) + little(0) + little(65535)
        file += little(201)
        for (index, packet) in packets.enumerated() {
            let data = big(packet.direction == .toDevice ? 0 : 1) + [2] + acl(packet)
            file += little(1_765_493_655 + index) + little(0) + little(data.count)
            file += little(data.count) + data
        }
        return file
    }

    private var pcapng: [UInt8] {
        let unknown = [UInt8](repeating: 0xFF, count: 8)
        let section = little(0x1A2B_3C4D) + [1, 0, 0, 0] + unknown
        let resolution: [UInt8] = [9, 0, 1, 0, 9, 0, 0, 0, 0, 0, 0, 0]
        var file = block(0x0A0D_0D0A, section) + block(1, [201, 0, 0, 0] + little(0) + resolution)
        for (index, packet) in packets.enumerated() {
            let data = big(packet.direction == .toDevice ? 0 : 1) + [2] + acl(packet)
            let header = little(0) + little(index) + little(0) + little(data.count)
            file += block(6, header + little(data.count) + data)
        }
        return file
    }

    private func block(_ type: Int, _ body: [UInt8]) -> [UInt8] {
        let padding = [UInt8](repeating: 0, count: (4 - body.count % 4) % 4)
        let length = little(body.count + padding.count + 12)
        return little(type) + length + body + padding + length
    }

    private var packetLogger: [UInt8] {
        var file: [UInt8] = []
        for (index, packet) in packets.enumerated() {
            let data = acl(packet)
            file += big(data.count + 9) + big(1_765_493_655) + big(index * 1000)
            file += [packet.direction == .toDevice ? 2 : 3] + data
        }
        return file
    }

    private var hexLines: [UInt8] {
        let lines = packets.map { packet in
            let sign = packet.direction == .toDevice ? "TX" : "RX"
            return "12:30:15.250 \(sign): \(HexText.bytes(packet.bytes, separator: " "))\n"
        }
        return Array(lines.joined().utf8)
    }

    /// A packet of attributes in one of L2CAP in one of the controller's, without its type.
    private func acl(_ packet: CapturePacket) -> [UInt8] {
        let opcode: UInt8 = packet.direction == .toDevice ? 0x52 : 0x1B
        let attribute = [opcode, 0x10, 0x00] + packet.bytes
        let logical = little16(attribute.count) + [4, 0] + attribute
        let handle: [UInt8] = packet.direction == .toDevice ? [0x40, 0x00] : [0x40, 0x20]
        return handle + little16(logical.count) + logical
    }

    private func little16(_ number: Int) -> [UInt8] { Array(little(number).prefix(2)) }

    private func little(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    private func big(_ number: Int) -> [UInt8] { little(number).reversed() }

    // MARK: Logs of programs

    /// The first packet of each direction as a log: texts are read slowly, and more packets only
    /// repeat the forms.
    private func log(_ format: TrafficFormat) -> [UInt8]? {
        guard let form = Self.logForms.first(where: { $0.format == format }) else { return nil }
        return Direction.allCases.flatMap { direction in
            packets.first { $0.direction == direction }.map { Array(form.lines($0).utf8) } ?? []
        }
    }

    /// The lines of a log for a packet: the bytes, with a separator, between words.
    private struct LogForm: Sendable {
        let format: TrafficFormat
        let separator: String
        let toDevice: (before: String, after: String)
        let fromDevice: (before: String, after: String)

        func lines(_ packet: CapturePacket) -> String {
            let words = packet.direction == .toDevice ? toDevice : fromDevice
            return words.before + HexText.bytes(packet.bytes, separator: separator) + words.after
        }
    }

    private static let write = "6e400002-b5a3-f393-e0a9-e50e24dcca9e"
    private static let notify = "6e400003-b5a3-f393-e0a9-e50e24dcca9e"

    private static let logForms = [
        LogForm(
            format: .nrfConnect, separator: "-",
            toDevice: ("I\t22:54:15.123\tData written to \(write), value: (0x) ", "\n"),
            fromDevice: (
                "I\t22:54:15.130\tNotification received from \(notify), value: (0x) ", "\n"
            )),
        LogForm(
            format: .wireshark, separator: "",
            toDevice: (
                "Frame 1: 28 bytes on wire (224 bits)\n    [Direction: Sent (0x00)]\n"
                    + "Bluetooth Attribute Protocol\n    Opcode: Write Command (0x52)\n"
                    + "    Handle: 0x0010 (Unknown)\n    Value: ", "\n\n"
            ),
            fromDevice: (
                "Frame 2: 28 bytes on wire (224 bits)\n    [Direction: Rcvd (0x01)]\n"
                    + "Bluetooth Attribute Protocol\n    Opcode: Handle Value Notification (0x1b)\n"
                    + "    Handle: 0x0012 (Unknown)\n    Value: ", "\n\n"
            )),
        LogForm(
            format: .wiresharkJSON, separator: ":",
            toDevice: (
                "\"_source\": {\n\"frame.time_epoch\": \"1765493655.123000000\",\n"
                    + "\"hci_h4.direction\": \"0x00\",\n\"btatt.opcode\": \"0x52\",\n"
                    + "\"btatt.handle\": \"0x0010\",\n\"btatt.value\": \"", "\"\n"
            ),
            fromDevice: (
                "\"_source\": {\n\"frame.time_epoch\": \"1765493655.130000000\",\n"
                    + "\"hci_h4.direction\": \"0x01\",\n\"btatt.opcode\": \"0x1b\",\n"
                    + "\"btatt.handle\": \"0x0012\",\n\"btatt.value\": \"", "\"\n"
            )),
    ]
}
