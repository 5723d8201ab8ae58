/// The value of the IEEE 11073-20601 Regulatory Certification Data List characteristic, 2A2A.
///
///     ← list                           a structure of another standard, kept as it is
package struct RegulatoryCertification: BytePacket {
    package static var name: PacketName { PacketName("RegulatoryCertification") }

    package var list: [UInt8]

    package init(list: [UInt8]) {
        self.list = list
    }

    package init<IO: ByteIO & ~Escapable>(_ io: inout IO, _ packet: Self?) throws(PacketError) {
        list = try io.byteArray("list", packet?.list, .open)
    }
}
