/// The value of the IEEE 11073-20601 Regulatory Certification Data List characteristic, 2A2A.
///
///     ← list                           a structure of another standard, kept as it is
public struct RegulatoryCertification: BytePacket {
    public static var name: PacketName { PacketName("RegulatoryCertification") }

    /// The list as it was sent; what it says is not read here.
    public var list: [UInt8]

    /// A list of another program's making.
    public init(list: [UInt8]) {
        self.list = list
    }

    public init<Sink: FieldSink>(from reader: inout ByteReader<Sink>) throws(PacketError) {
        list = try reader.byteArray("list", count: reader.remaining)
    }

    public func encode(into writer: inout ByteWriter) {
        writer.byteArray("list", list)
    }
}
