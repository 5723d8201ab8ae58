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
    static func putFileHeader(_ bytes: inout [UInt8]) {
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
