import HaloCapture
import HaloProtocol
import HaloTraffic

extension Seed {
    /// A file of another program, for the target of its format.
    static func traffic(_ file: [UInt8]) -> [Seed] {
        let beginning = ContiguousArray(file.prefix(TrafficFormat.detectionLength))
        guard let format = TrafficFormat.detect(beginning.span), let target = targets[format] else {
            return []
        }
        return [Seed(target, file)]
    }

    /// Packets of a capture as a file of each format: notifications and write commands of one
    /// connection.
    static func traffic(_ packets: [CapturePacket]) -> [Seed] {
        let packets = packets.prefix(12).filter { (1...200).contains($0.bytes.count) }
        guard !packets.isEmpty else { return [] }
        let frames: [UInt8] = packets.filter { $0.bytes.count == Frame.length }.flatMap {
            $0.bytes + [10]
        }
        return [
            Seed("BTSnoop", btsnoop(packets)), Seed("Pcap", pcap(packets)),
            Seed("PcapNG", pcapng(packets)), Seed("PacketLogger", packetLogger(packets)),
            Seed("HexLines", hexLines(packets)), Seed("RingFrames", frames),
        ] + logs(packets)
    }

    private static let targets: [TrafficFormat: String] = [
        .btsnoop: "BTSnoop", .pcap: "Pcap", .pcapng: "PcapNG", .packetLogger: "PacketLogger",
        .btsnooz: "BTSnooz", .btmonText: "BtmonText", .hexLines: "HexLines",
        .ringFrames: "RingFrames", .nrfConnect: "NRFConnect", .wireshark: "Wireshark",
        .wiresharkJSON: "WiresharkJSON",
    ]

    private static func btsnoop(_ packets: [CapturePacket]) -> [UInt8] {
        var file = Array("btsnoop\0".utf8) + big(1) + big(1002)
        for (index, packet) in packets.enumerated() {
            let data = [2] + acl(packet)
            file += big(data.count) + big(data.count) + big(packet.direction == .toDevice ? 0 : 1)
            file += big(0) + big(0x00E0_3AB4) + big(index * 1000) + data
        }
        return file
    }

    private static func pcap(_ packets: [CapturePacket]) -> [UInt8] {
        var file = little(0xA1B2_C3D4) + [2, 0, 4, 0] + little(0) + little(0) + little(65535)
        file += little(201)
        for (index, packet) in packets.enumerated() {
            let data = big(packet.direction == .toDevice ? 0 : 1) + [2] + acl(packet)
            file += little(1_765_493_655 + index) + little(0) + little(data.count)
            file += little(data.count) + data
        }
        return file
    }

    private static func pcapng(_ packets: [CapturePacket]) -> [UInt8] {
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

    private static func block(_ type: Int, _ body: [UInt8]) -> [UInt8] {
        let padding = [UInt8](repeating: 0, count: (4 - body.count % 4) % 4)
        let length = little(body.count + padding.count + 12)
        return little(type) + length + body + padding + length
    }

    private static func packetLogger(_ packets: [CapturePacket]) -> [UInt8] {
        var file: [UInt8] = []
        for (index, packet) in packets.enumerated() {
            let data = acl(packet)
            file += big(data.count + 9) + big(1_765_493_655) + big(index * 1000)
            file += [packet.direction == .toDevice ? 2 : 3] + data
        }
        return file
    }

    private static func hexLines(_ packets: [CapturePacket]) -> [UInt8] {
        let lines = packets.map { packet in
            let sign = packet.direction == .toDevice ? "TX" : "RX"
            return "12:30:15.250 \(sign): \(HexText.bytes(packet.bytes, separator: " "))\n"
        }
        return Array(lines.joined().utf8)
    }

    /// A packet of attributes in one of L2CAP in one of the controller's, without its type.
    private static func acl(_ packet: CapturePacket) -> [UInt8] {
        let opcode: UInt8 = packet.direction == .toDevice ? 0x52 : 0x1B
        let attribute = [opcode, 0x10, 0x00] + packet.bytes
        let logical = little16(attribute.count) + [4, 0] + attribute
        let handle: [UInt8] = packet.direction == .toDevice ? [0x40, 0x00] : [0x40, 0x20]
        return handle + little16(logical.count) + logical
    }

    private static func little16(_ number: Int) -> [UInt8] { Array(little(number).prefix(2)) }

    private static func little(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    private static func big(_ number: Int) -> [UInt8] { little(number).reversed() }
}
