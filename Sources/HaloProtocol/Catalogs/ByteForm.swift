/// The type of a packet of any length as a value.
public struct ByteForm: Sendable {
    /// The name of the type.
    public let name: PacketName

    /// Decodes bytes and encodes what was understood.
    public let reencode: @Sendable ([UInt8]) throws(PacketError) -> [UInt8]

    #if !hasFeature(Embedded)
    /// The same, with a recorder watching.
    public let record: @Sendable ([UInt8], inout FieldRecorder) throws(PacketError) -> [UInt8]
    #endif

    /// The form of a type: of a packet in the catalogue, or of one of your own.
    public init<Packet: BytePacket>(_ type: Packet.Type) {
        name = Packet.name
        reencode = { bytes throws(PacketError) in try Packet(decoding: bytes).bytes }
        #if !hasFeature(Embedded)
        record = { bytes, recorder throws(PacketError) in
            let copy = ContiguousArray(bytes)
            return try Packet(decoding: copy.span, sink: &recorder).bytes
        }
        #endif
    }
}
