/// A format that a capture can be exported to; Wireshark reads each of them.
public enum ExportFormat: String, Hashable, Sendable, CaseIterable {
    /// Android's HCI snoop log, which `btmon` reads as well.
    case btsnoop
    /// Wireshark's own format.
    case pcapng
    /// The older format of tcpdump, whose times end in 2106.
    case pcap

    /// The format as a ``TrafficFormat``.
    package var trafficFormat: TrafficFormat {
        switch self {
        case .btsnoop: .btsnoop
        case .pcapng: .pcapng
        case .pcap: .pcap
        }
    }
}

/// Writes btsnoop files with H4 packets, datalink 1002; all numbers are big-endian.
///
///     "btsnoop" 00 | version 1 | 1002
///     length | length kept | flags: 1 received, 2 no data | lost: 0 | time | type, packet
///
/// The time is in microseconds since the year 0.
enum BTSnoopWriter {
    static func begin(_ bytes: inout [UInt8]) {
        bytes += Array("btsnoop\0".utf8)
        bytes.putBig(1 as UInt32)
        bytes.putBig(1002 as UInt32)
    }

    static func put(_ record: HCIRecord, _ packet: [UInt8], into bytes: inout [UInt8]) {
        let length = UInt32(truncatingIfNeeded: packet.count + 1)
        bytes.putBig(length)
        bytes.putBig(length)
        let flags: UInt32 = (record.isSent ? 0 : 1) | (record.type == .acl ? 0 : 2)
        bytes.putBig(flags)
        bytes.putBig(0 as UInt32)
        bytes.putBig(record.time &+ BTSnoopFormat.epoch)
        bytes.append(record.type.rawValue)
        bytes += packet
    }
}

/// Writes pcap files with H4 packets and their direction. The direction is big-endian; all other
/// numbers are little-endian.
///
///     A1B2C3D4 | version 2.4 | 0 | 0 | longest packet | link type 201
///     seconds | microseconds | length kept | length | direction | type, packet
enum PcapWriter {
    /// Bluetooth HCI H4 with a big-endian direction of four bytes before each packet.
    static let linkType: UInt16 = 201

    static func begin(_ bytes: inout [UInt8]) {
        bytes.putLittle(0xA1B2_C3D4 as UInt32)
        bytes.putLittle(2 as UInt16)
        bytes.putLittle(4 as UInt16)
        bytes.putLittle(0 as UInt64)
        bytes.putLittle(262_144 as UInt32)
        bytes.putLittle(UInt32(linkType))
    }

    static func put(_ record: HCIRecord, _ packet: [UInt8], into bytes: inout [UInt8]) {
        let time = UInt64(max(record.time, 0))
        bytes.putLittle(UInt32(truncatingIfNeeded: time / 1_000_000))
        bytes.putLittle(UInt32(truncatingIfNeeded: time % 1_000_000))
        let length = UInt32(truncatingIfNeeded: length(packet))
        bytes.putLittle(length)
        bytes.putLittle(length)
        putDirected(record, packet, into: &bytes)
    }

    /// The length of a packet with its direction and its type, in bytes.
    static func length(_ packet: [UInt8]) -> Int { packet.count + 5 }

    /// Appends the direction (0 for packets of the host), the type, and the packet.
    static func putDirected(_ record: HCIRecord, _ packet: [UInt8], into bytes: inout [UInt8]) {
        bytes.putBig(record.isSent ? 0 : 1 as UInt32)
        bytes.append(record.type.rawValue)
        bytes += packet
    }
}

/// Writes pcapng files with one interface of H4 packets and their direction; numbers are
/// little-endian. Each block has its length at both ends, and its body is padded to a multiple of
/// four bytes.
///
///     0A0D0D0A | length | 1A2B3C4D | version 1.0 | length of the section: unknown | length
///     1 | length | link type 201 | 0 | longest packet: any | length
///     6 | length | interface 0 | time, upper half first | length kept | length | packet | length
///
/// Times are in microseconds since 1970, the default of the format.
enum PcapNGWriter {
    static func begin(_ bytes: inout [UInt8]) {
        block(0x0A0D_0D0A, bodyLength: 16, into: &bytes) { bytes in
            bytes.putLittle(0x1A2B_3C4D as UInt32)
            bytes.putLittle(1 as UInt16)
            bytes.putLittle(0 as UInt16)
            bytes.putLittle(UInt64.max)
        }
        block(1, bodyLength: 8, into: &bytes) { bytes in
            bytes.putLittle(PcapWriter.linkType)
            bytes.putLittle(0 as UInt16)
            bytes.putLittle(0 as UInt32)
        }
    }

    static func put(_ record: HCIRecord, _ packet: [UInt8], into bytes: inout [UInt8]) {
        let length = PcapWriter.length(packet)
        let padding = (4 - length % 4) % 4
        let time = UInt64(bitPattern: record.time)
        block(6, bodyLength: 20 + length + padding, into: &bytes) { bytes in
            bytes.putLittle(0 as UInt32)
            bytes.putLittle(UInt32(truncatingIfNeeded: time >> 32))
            bytes.putLittle(UInt32(truncatingIfNeeded: time))
            bytes.putLittle(UInt32(truncatingIfNeeded: length))
            bytes.putLittle(UInt32(truncatingIfNeeded: length))
            PcapWriter.putDirected(record, packet, into: &bytes)
            for _ in 0..<padding { bytes.append(0) }
        }
    }

    private static func block(
        _ type: UInt32, bodyLength: Int, into bytes: inout [UInt8], _ body: (inout [UInt8]) -> Void
    ) {
        let length = UInt32(truncatingIfNeeded: bodyLength + 12)
        bytes.putLittle(type)
        bytes.putLittle(length)
        body(&bytes)
        bytes.putLittle(length)
    }
}
