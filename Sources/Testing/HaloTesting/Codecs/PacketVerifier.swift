public import HaloProtocol

/// Checks the codec of a packet with given bytes: of a frame, a record, a characteristic.
///
/// These must hold for any bytes:
/// - They decode, or an error names a field of this packet.
/// - Decoded bytes encode to the same bytes: a packet has one encoding.
/// - A recorded decode has the same result; the recorded fields are in order, without gap or
///   overlap, have the values of the bytes, and cover all of them.
/// - A decoder that receives a changed byte refuses it, or encodes exactly that change: a packet
///   derives from its fields, not from stored input.
public enum PacketVerifier {
    /// Checks a packet of the UART channel with a frame of its opcode, and with the lowest bit of
    /// each byte flipped for the decoder.
    public static func verify(_ form: FrameForm, _ frame: Frame) throws(ContractViolation) {
        try verify(form, frame, change: nil)
        for offset in 1..<(Frame.length - 1) {
            try verify(form, frame, change: FieldRecorder.Change(offset: offset, bits: 1))
        }
    }

    package static func verify(
        _ form: FrameForm, _ frame: Frame, change: FieldRecorder.Change?
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

    /// Checks a packet of any length with its bytes, and with the lowest bit of each byte flipped
    /// for the decoder.
    public static func verify(_ form: ByteForm, _ bytes: [UInt8]) throws(ContractViolation) {
        try verify(form, bytes, change: nil)
        for offset in bytes.indices {
            try verify(form, bytes, change: FieldRecorder.Change(offset: offset, bits: 1))
        }
    }

    package static func verify(
        _ form: ByteForm, _ bytes: [UInt8], change: FieldRecorder.Change?
    ) throws(ContractViolation) {
        let subject = CodecUnderTest(
            name: form.name, payload: 0..<bytes.count, reencode: form.reencode,
            record: form.record, framed: { $0 })
        try subject.verify(bytes, change: change)
    }

    /// Returns a frame of an opcode and a payload. Its checksum is computed; the sixteenth byte is
    /// ignored.
    static func frame(summing bytes: [UInt8]) -> Frame {
        frame(opcode: bytes.first ?? 0, bytes.dropFirst())
    }

    /// Returns a frame of an opcode and a payload, which is cut or padded with zeros to fourteen
    /// bytes. The checksum is computed.
    public static func frame(opcode: UInt8, _ payload: some Sequence<UInt8>) -> Frame {
        let payload = InlineBytes(prefix: payload.prefix(Frame.payloadLength))
        do throws(ValueError) {
            return try Frame(opcode: opcode, payload: payload)
        } catch {
            // Never reached, as fourteen bytes fit. The function must return a frame all the same.
            return Refusal(of: opcode).frame
        }
    }

    /// Checks that a record, a characteristic or an advertisement decodes to the same value from
    /// its bytes.
    public static func verify<Packet: BytePacket>(
        _ packet: Packet
    ) throws(ContractViolation) {
        let bytes = packet.bytes
        try verify(packet, Packet.name, bytes) { () throws(PacketError) in
            try Packet(decoding: bytes)
        }
    }

    /// Checks that a packet of one frame decodes to the same value from its frame.
    public static func verify<Packet: FramePacket>(
        _ packet: Packet
    ) throws(ContractViolation) {
        let frame = packet.frame
        try verify(packet, Packet.name, frame.bytes) { () throws(PacketError) in
            try Packet(decoding: frame)
        }
    }

    private static func verify<Packet: Equatable>(
        _ packet: Packet, _ name: PacketName, _ bytes: some Sequence<UInt8>,
        decode: () throws(PacketError) -> Packet
    ) throws(ContractViolation) {
        let again = Result(catching: decode)
        guard again == .success(packet) else {
            throw ContractViolation(
                "reads as \(again), not as \(packet)", packet: "\(name)", bytes: bytes)
        }
    }
}

/// A packet's codec for the checks: a function from bytes to the same bytes, and the fields
/// between.
private struct CodecUnderTest {
    let name: PacketName
    /// The bytes that the fields must cover: all but those of the surrounding frame.
    let payload: Range<Int>
    let reencode: ([UInt8]) throws(PacketError) -> [UInt8]
    let record: ([UInt8], inout FieldRecorder) throws(PacketError) -> [UInt8]
    /// Corrects the parts of the bytes that belong to the surrounding frame, such as its checksum.
    let framed: ([UInt8]) -> [UInt8]

    func verify(
        _ bytes: [UInt8], change: FieldRecorder.Change?
    ) throws(ContractViolation) {
        let outcome = Result { () throws(PacketError) in try reencode(bytes) }
        var recorder = FieldRecorder()
        let watched = recorded(bytes, &recorder)
        guard outcome == watched else {
            throw violation("watched, it \(said(watched)); unwatched, it \(said(outcome))", bytes)
        }
        try verifyFields(recorder.fields, bytes, isComplete: (try? outcome.get()) != nil)
        switch outcome {
        case .success(let encoded): try verifySame(encoded, bytes)
        case .failure(let error): try verifyError(error, bytes)
        }
        if let change, payload.contains(change.offset) {
            try verifyChange(change, bytes)
        }
    }

    private func verifySame(_ encoded: [UInt8], _ bytes: [UInt8]) throws(ContractViolation) {
        guard encoded != bytes else { return }
        throw violation(
            "decodes, but encodes as \(HexText.bytes(encoded, separator: " "))", bytes)
    }

    private func verifyError(_ error: PacketError, _ bytes: [UInt8]) throws(ContractViolation) {
        guard error.packet == name else {
            throw violation("the error names another packet: \(error)", bytes)
        }
        guard 0...bytes.count ~= error.offset else {
            throw violation("the error lies outside of the bytes: \(error)", bytes)
        }
        guard error.description != "" else { throw violation("the error says nothing", bytes) }
    }

    /// Checks that the fields are adjacent, have the values of the bytes, and cover all decoded
    /// bytes.
    private func verifyFields(
        _ fields: [DecodedField], _ bytes: [UInt8], isComplete: Bool
    ) throws(ContractViolation) {
        var end = payload.lowerBound
        for field in fields {
            guard field.offset == end else {
                throw violation(
                    "\(field.name) begins at byte \(field.offset), the field before it ends at "
                        + "\(end)", bytes)
            }
            end += field.length
            guard field.length > 0, end <= payload.upperBound else {
                throw violation("\(field.name) reaches to byte \(end)", bytes)
            }
            guard field.holds(bytes[field.offset..<end]) else {
                throw violation("\(field.name) was read as \(field.value)", bytes)
            }
        }
        guard !isComplete || end == payload.upperBound else {
            throw violation("bytes \(end) to \(payload.upperBound - 1) were not read", bytes)
        }
    }

    private func verifyChange(
        _ change: FieldRecorder.Change, _ bytes: [UInt8]
    ) throws(ContractViolation) {
        var changed = bytes
        changed[change.offset] ^= change.bits
        changed = framed(changed)
        var recorder = FieldRecorder(change: change)
        guard case .success(let encoded) = recorded(bytes, &recorder), encoded != changed else {
            return
        }
        throw violation(
            "told that byte \(change.offset) is \(HexText.byte(changed[change.offset])), it "
                + "encodes \(HexText.bytes(encoded, separator: " "))", bytes)
    }

    private func recorded(
        _ bytes: [UInt8], _ recorder: inout FieldRecorder
    ) -> Result<[UInt8], PacketError> {
        Result { () throws(PacketError) in try record(bytes, &recorder) }
    }

    private func said(_ outcome: Result<[UInt8], PacketError>) -> String {
        switch outcome {
        case .success(let bytes): "encodes \(HexText.bytes(bytes, separator: " "))"
        case .failure(let error): "throws \(error)"
        }
    }

    private func violation(_ what: String, _ bytes: [UInt8]) -> ContractViolation {
        ContractViolation(what, packet: name.description, bytes: bytes)
    }
}

extension DecodedField {
    func holds(_ bytes: ArraySlice<UInt8>) -> Bool {
        switch value {
        case .bytes(let value): return value == Array(bytes)
        case .integer(let value):
            var number: UInt64 = 0
            for byte in isBigEndian ? bytes : ArraySlice(bytes.reversed()) {
                number = number << 8 | UInt64(byte)
            }
            return bytes.count <= 8 && number == value
        }
    }
}
