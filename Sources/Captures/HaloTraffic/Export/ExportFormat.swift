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
    private static let linkType: UInt32 = 201

    func putFileHeader(_ bytes: inout [UInt8]) {
        switch self {
        case .btsnoop:
            bytes += Array("btsnoop\0".utf8)
            bytes.putBig(1 as UInt32, 1002)
        case .pcapng:
            bytes.putLittle(0x0A0D_0D0A as UInt32, 28, 0x1A2B_3C4D, 1, .max, .max, 28)
            bytes.putLittle(1, 20, Self.linkType, 0, 20)
        case .pcap:
            let version: UInt32 = 0x0004_0002
            bytes.putLittle(0xA1B2_C3D4, version, 0, 0, 262_144, Self.linkType)
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
        let direction: UInt32 = isSent ? 0 : 1
        let padding = (4 - length % 4) % 4
        let blockLength = UInt32(truncatingIfNeeded: 32 + length + padding)
        switch self {
        case .btsnoop:
            bytes.putBig(count, count, direction | (type == .acl ? 0 : 2), 0)
            bytes.putBig(time &+ BTSnoopFormat.epoch)
        case .pcapng:
            let (high, low) = (time >> 32, time)
            bytes.putLittle(6, blockLength, 0)
            bytes.putLittle(UInt32(truncatingIfNeeded: high), UInt32(truncatingIfNeeded: low))
            bytes.putLittle(count, count)
            bytes.putBig(direction)
        case .pcap:
            let (seconds, rest) = max(time, 0).quotientAndRemainder(dividingBy: 1_000_000)
            bytes.putLittle(UInt32(truncatingIfNeeded: seconds), UInt32(rest), count, count)
            bytes.putBig(direction)
        }
        bytes.append(type.rawValue)
        bytes += packet
        if self == .pcapng {
            for _ in 0..<padding { bytes.append(0) }
            bytes.putLittle(blockLength)
        }
    }
}
