/// A block of a pcapng file: what it is, and where it stands.
struct PcapNGBlock {
    static let section: UInt32 = 0x0A0D_0D0A
    static let orderMark: UInt32 = 0x1A2B_3C4D
    static let interface: UInt32 = 1
    static let oldPacket: UInt32 = 2
    static let simplePacket: UInt32 = 3
    static let packet: UInt32 = 6

    /// What it is.
    let type: UInt32
    /// How its section writes numbers.
    let order: ByteOrder
    /// Where in the file it begins.
    let offset: Int

    /// Where in the file its body begins.
    var bodyOffset: Int { offset + 8 }

    /// Whether blocks of a type are read.
    static func isKnown(_ type: UInt32) -> Bool {
        type == packet || type == interface || type == oldPacket || type == simplePacket
            || type == section
    }
}
