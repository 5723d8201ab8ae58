/// A packet's type as a value: its name, and closures that decode and encode.
public struct FrameForm: Sendable {
    public let name: PacketName

    package let reencode: @Sendable (Frame) throws(PacketError) -> Frame

    #if !hasFeature(Embedded)
    package let opcode: UInt8

    /// Decodes a frame, records the fields, and encodes the packet again.
    package let record: @Sendable (Frame, inout FieldRecorder) throws(PacketError) -> Frame
    #endif

    /// Creates the form of a packet type, from the catalogue or your own.
    public init<Packet: FramePacket>(_ type: Packet.Type) {
        name = Packet.name
        reencode = { frame throws(PacketError) in try Packet(decoding: frame).frame }
        #if !hasFeature(Embedded)
        opcode = Packet.opcode
        record = { frame, recorder throws(PacketError) in
            try Packet(decoding: frame, sink: &recorder).frame
        }
        #endif
    }
}
