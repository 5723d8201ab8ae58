/// Writes btsnoop files with H4 packets, datalink 1002; all numbers are big-endian.
///
///     "btsnoop" 00 | version 1 | 1002
///     length | length kept | flags: 1 received, 2 no data | lost: 0 | time | type, packet
///
/// The time is in microseconds since the year 0.
enum BTSnoopWriter {
    static func putFileHeader(_ bytes: inout [UInt8]) {
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
