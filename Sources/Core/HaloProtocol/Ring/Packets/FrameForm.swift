/// A packet's type as a value: its name, and closures that decode and encode.
public struct FrameForm: Sendable {
    public let name: PacketName

    /// Decodes a frame, and throws its fault: as quick as a client that knows the type.
    package let check: @Sendable (Frame) throws(PacketError) -> Void
    /// Decodes a frame and encodes the packet again.
    package let reencode: @Sendable (Frame) throws(PacketError) -> Frame

    #if !hasFeature(Embedded)
    package let opcode: UInt8

    /// Decodes a frame, records the fields, and encodes the packet again.
    package let record: @Sendable (Frame, inout FieldRecorder) throws(PacketError) -> Frame
    #endif

    /// Creates the form of a packet type, from the catalogue or your own.
    public init<Packet: FramePacket>(_ type: Packet.Type) {
        self.init(type) { frame throws(PacketError) in _ = try Packet(decoding: frame) }
    }

    /// Not specialised, as a copy for each packet would be half of the package's code: explanations
    /// need no speed.
    @_semantics("optimize.sil.specialize.generic.never") @inline(never)
    private init<Packet: FramePacket>(
        _ type: Packet.Type, check: @escaping @Sendable (Frame) throws(PacketError) -> Void
    ) {
        name = Packet.name
        self.check = check
        reencode = { frame throws(PacketError) in try Packet(decoding: frame).frame }
        #if !hasFeature(Embedded)
        opcode = Packet.opcode
        record = { frame, recorder throws(PacketError) in
            try Packet(decoding: frame, sink: &recorder).frame
        }
        #endif
    }
}
