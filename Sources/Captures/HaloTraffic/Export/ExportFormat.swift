/// A format that a capture can be exported to; Wireshark reads each of them.
public enum ExportFormat: String, Hashable, Sendable, CaseIterable {
    /// Android's HCI snoop log, which `btmon` reads as well.
    case btsnoop
    /// Wireshark's own format.
    case pcapng
    /// The older format of tcpdump, whose times end in 2106.
    case pcap
}

/// The files: H4 packets with their direction. Times are in microseconds.
///
/// btsnoop with the datalink 1002; all numbers are big-endian, and time counts from the year 0:
///
///     "btsnoop" 00 | version 1 | 1002
///     length | length kept | flags: 1 received, 2 no data | lost: 0 | time | type, packet
///
/// pcapng; numbers are little-endian, except for the direction. Each block has its length at both
/// ends, and its body is padded to a multiple of four bytes:
///
///     0A0D0D0A | length | 1A2B3C4D | version 1.0 | length of the section: unknown | length
///     1 | length | link type 201 | 0 | longest packet: any | length
///     6 | length | interface 0 | time, upper half first | length kept | length
///       direction | type, packet | length
///
/// pcap, in the same byte orders:
///
///     A1B2C3D4 | version 2.4 | 0 | 0 | longest packet | link type 201
///     seconds | microseconds | length kept | length | direction | type, packet
extension ExportFormat {
    /// Bluetooth HCI H4 with a direction of four bytes before each packet.
    private static let linkType: UInt16 = 201

    func putFileHeader(_ bytes: inout [UInt8]) {
        switch self {
        case .btsnoop:
            bytes += Array("btsnoop\0".utf8)
            bytes.putBig(1 as UInt32)
            bytes.putBig(1002 as UInt32)
        case .pcapng:
            Self.putBlock(0x0A0D_0D0A, bodyLength: 16, into: &bytes) { bytes in
                bytes.putLittle(0x1A2B_3C4D as UInt32)
                bytes.putLittle(1 as UInt16)
                bytes.putLittle(0 as UInt16)
                bytes.putLittle(UInt64.max)
            }
            Self.putBlock(1, bodyLength: 8, into: &bytes) { bytes in
                bytes.putLittle(Self.linkType)
                bytes.putLittle(0 as UInt16)
                bytes.putLittle(0 as UInt32)
            }
        case .pcap:
            bytes.putLittle(0xA1B2_C3D4 as UInt32)
            bytes.putLittle(2 as UInt16)
            bytes.putLittle(4 as UInt16)
            bytes.putLittle(0 as UInt64)
            bytes.putLittle(262_144 as UInt32)
            bytes.putLittle(UInt32(Self.linkType))
        }
    }

    /// Appends a packet with its time since 1970 in UTC.
    func put(
        _ type: HCIPacketType, isSent: Bool, at time: Int64, _ packet: [UInt8],
        into bytes: inout [UInt8]
    ) {
        // With the type; the other two formats also count the direction.
        let length = packet.count + (self == .btsnoop ? 1 : 5)
        let count = UInt32(truncatingIfNeeded: length)
        switch self {
        case .btsnoop:
            bytes.putBig(count)
            bytes.putBig(count)
            let flags: UInt32 = (isSent ? 0 : 1) | (type == .acl ? 0 : 2)
            bytes.putBig(flags)
            bytes.putBig(0 as UInt32)
            bytes.putBig(time &+ BTSnoopFormat.epoch)
            bytes.append(type.rawValue)
            bytes += packet
        case .pcapng:
            let padding = (4 - length % 4) % 4
            let time = UInt64(bitPattern: time)
            Self.putBlock(6, bodyLength: 20 + length + padding, into: &bytes) { bytes in
                bytes.putLittle(0 as UInt32)
                bytes.putLittle(UInt32(truncatingIfNeeded: time >> 32))
                bytes.putLittle(UInt32(truncatingIfNeeded: time))
                bytes.putLittle(count)
                bytes.putLittle(count)
                Self.putDirected(type, isSent, packet, into: &bytes)
                for _ in 0..<padding { bytes.append(0) }
            }
        case .pcap:
            let time = UInt64(max(time, 0))
            bytes.putLittle(UInt32(truncatingIfNeeded: time / 1_000_000))
            bytes.putLittle(UInt32(truncatingIfNeeded: time % 1_000_000))
            bytes.putLittle(count)
            bytes.putLittle(count)
            Self.putDirected(type, isSent, packet, into: &bytes)
        }
    }

    /// Appends the direction (0 for packets of the host), the type, and the packet.
    private static func putDirected(
        _ type: HCIPacketType, _ isSent: Bool, _ packet: [UInt8], into bytes: inout [UInt8]
    ) {
        bytes.putBig(isSent ? 0 : 1 as UInt32)
        bytes.append(type.rawValue)
        bytes += packet
    }

    private static func putBlock(
        _ type: UInt32, bodyLength: Int, into bytes: inout [UInt8], _ body: (inout [UInt8]) -> Void
    ) {
        let length = UInt32(truncatingIfNeeded: bodyLength + 12)
        bytes.putLittle(type)
        bytes.putLittle(length)
        body(&bytes)
        bytes.putLittle(length)
    }
}
