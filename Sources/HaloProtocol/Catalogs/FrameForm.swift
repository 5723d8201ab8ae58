/// A packet's type as a value: its name, and what can be done with bytes that are one.
public struct FrameForm: Sendable {
    /// The name of the type.
    public let name: PacketName

    /// Decodes a frame and encodes what was understood.
    public let reencode: @Sendable (Frame) throws(PacketError) -> Frame

    #if !hasFeature(Embedded)
    /// The same, with a recorder watching.
    public let record: @Sendable (Frame, inout FieldRecorder) throws(PacketError) -> Frame
    #endif

    /// The form of a type: of a packet in the catalogue, or of one of your own.
    public init<Packet: FramePacket>(_ type: Packet.Type) {
        name = Packet.name
        reencode = { frame throws(PacketError) in try Packet(decoding: frame).frame }
        #if !hasFeature(Embedded)
        record = { frame, recorder throws(PacketError) in
            try Packet(decoding: frame, sink: &recorder).frame
        }
        #endif
    }
}
