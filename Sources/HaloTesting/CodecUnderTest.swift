import HaloProtocol

/// A packet's codec as the checks see it: bytes in, the same bytes out, and the fields on the way.
struct CodecUnderTest {
    let name: PacketName
    /// Which bytes the fields must cover: all but what the frame around them has.
    let payload: Range<Int>
    let reencode: ([UInt8]) throws(PacketError) -> [UInt8]
    let record: ([UInt8], inout FieldRecorder) throws(PacketError) -> [UInt8]
    /// The bytes with what the frame around them adds made right.
    let framed: ([UInt8]) -> [UInt8]

    func verify(
        _ bytes: [UInt8], change: FieldRecorder.Change?
    ) throws(ContractViolation) {
        let outcome = outcome(bytes)
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

    /// Fields follow each other, hold what the bytes hold, and reach the end of what decoded.
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

    /// Told another value of a byte, the decoder refuses it, or writes it and changes nothing else.
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

    private func outcome(_ bytes: [UInt8]) -> Result<[UInt8], PacketError> {
        do throws(PacketError) { return .success(try reencode(bytes)) } catch {
            return .failure(error)
        }
    }

    private func recorded(
        _ bytes: [UInt8], _ recorder: inout FieldRecorder
    ) -> Result<[UInt8], PacketError> {
        do throws(PacketError) { return .success(try record(bytes, &recorder)) } catch {
            return .failure(error)
        }
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
    /// Whether the field's value is what these bytes, its own, say.
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
