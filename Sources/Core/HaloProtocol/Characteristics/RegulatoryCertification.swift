/// The value of the IEEE 11073-20601 Regulatory Certification Data List characteristic, 2A2A.
///
///     ← list                           a structure of another standard, kept as it is
public struct RegulatoryCertification: BytePacket {
    public static var name: PacketName { PacketName("RegulatoryCertification") }

    public var list: [UInt8]

    public init(list: [UInt8]) {
        self.list = list
    }

    public init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        list = try io.byteArray("list", packet?.list, .open)
    }
}
