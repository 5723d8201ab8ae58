public import HaloProtocol

/// Checks one packet's codec with given bytes: of a frame, a record, a characteristic.
///
/// What must hold, whatever the bytes are:
/// - They decode, or an error says which field of this packet is wrong.
/// - What decodes encodes to the same bytes. No packet has a second way of being written.
/// - Watched, the decoder does the same; the fields it names lie in order, without gap or
///   overlap, hold what the bytes hold, and leave nothing unread.
/// - A decoder that is told another value than the bytes hold refuses it, or the value is in the
///   encoding and all else is unchanged: a packet comes from its fields, not from stored input.
public enum PacketVerifier {
    /// Checks a packet of the UART channel with a frame of its opcode.
    ///
    /// With a change, the decoder is also told another byte than the frame holds.
    public static func verify(
        _ form: FrameForm, _ frame: Frame, change: FieldRecorder.Change? = nil
    ) throws(ContractViolation) {
        let subject = CodecUnderTest(
            name: form.name, payload: 1..<(Frame.length - 1),
            reencode: { bytes throws(PacketError) in
                Array(try form.reencode(Self.frame(summing: bytes)).bytes)
            },
            record: { bytes, recorder throws(PacketError) in
                Array(try form.record(Self.frame(summing: bytes), &recorder).bytes)
            },
            framed: { bytes in Array(Self.frame(summing: bytes).bytes) })
        try subject.verify(Array(frame.bytes), change: change)
    }

    /// Checks a packet of any length with its bytes.
    ///
    /// With a change, the decoder is also told another byte than there is.
    public static func verify(
        _ form: ByteForm, _ bytes: [UInt8], change: FieldRecorder.Change? = nil
    ) throws(ContractViolation) {
        let subject = CodecUnderTest(
            name: form.name, payload: 0..<bytes.count, reencode: form.reencode,
            record: form.record, framed: { $0 })
        try subject.verify(bytes, change: change)
    }

    /// The frame of sixteen bytes, whose checksum is made here and not looked at.
    static func frame(summing bytes: [UInt8]) -> Frame {
        frame(opcode: bytes.first ?? 0, bytes.dropFirst())
    }

    /// The frame of an opcode and the first fourteen bytes of a payload, fewer being followed by
    /// zeros; the checksum is made here.
    public static func frame(opcode: UInt8, _ payload: some Sequence<UInt8>) -> Frame {
        let payload = InlineBytes(prefix: payload.prefix(Frame.payloadLength))
        do throws(ValueError) {
            return try Frame(opcode: opcode, payload: payload)
        } catch {
            // Never: fourteen bytes fit. A frame is due all the same.
            return Refusal(of: opcode).frame
        }
    }
}
