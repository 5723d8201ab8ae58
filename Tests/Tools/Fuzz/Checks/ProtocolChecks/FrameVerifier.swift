@testable import HaloProtocol
@testable import HaloTesting

/// Checks the 16-byte frame against a checksum of the verifier's own.
enum FrameVerifier {
    /// Checks that sixteen bytes are a frame exactly if the last is the sum of the others, that the
    /// error has the reason, and that a frame encodes to its bytes and is refused with one bit
    /// flipped.
    ///
    /// The bytes choose the flipped bit, unless `everyBit` is set.
    static func verify(
        _ bytes: Span<UInt8>, everyBit: Bool = false
    ) throws(ContractViolation) {
        guard bytes.count == Frame.length else { return try refusesLength(bytes) }
        let sum = sum(bytes)
        let isRight = bytes[Frame.length - 1] == sum
        let decoded = result(bytes)
        let again = bytes.withUnsafeBufferPointer { result(sequence: $0) }
        guard decoded == again else { throw violation("depends on what holds the bytes", bytes) }
        switch decoded {
        case .success(let frame):
            guard isRight else { throw violation("a wrong checksum is accepted", bytes) }
            try encodes(frame, bytes)
        case .failure(let error):
            guard !isRight else { throw violation("a right checksum is refused", bytes) }
            guard error.kind == .wrongChecksum, error.offset == Frame.length - 1,
                error.expected == Int(sum), error.found == Int(bytes[Frame.length - 1])
            else { throw violation("the error says something else: \(error)", bytes) }
        }
        let frame = try made(bytes)
        guard frame.checksum == sum else { throw violation("the sum is made wrong", bytes) }
        let first = everyBit ? 0 : Int(sum ^ bytes[1]) & 127
        for bit in first...(everyBit ? 127 : first) { try refuses(frame, bit: bit) }
    }

    /// Makes the frame of the first fifteen bytes, with a right checksum.
    static func made(_ bytes: Span<UInt8>) throws(ContractViolation) -> Frame {
        let payload = bytes.withUnsafeBufferPointer { buffer in
            InlineBytes(prefix: buffer.dropFirst().prefix(Frame.payloadLength))
        }
        do throws(ValueError) {
            return try Frame(opcode: bytes.isEmpty ? 0 : bytes[0], payload: payload)
        } catch {
            throw violation("fourteen bytes of payload are refused: \(error)", bytes)
        }
    }

    private static func encodes(
        _ frame: Frame, _ bytes: Span<UInt8>
    ) throws(ContractViolation) {
        guard try made(bytes) == frame else {
            throw violation("encodes to another frame", bytes)
        }
        let encoded = frame.bytes
        guard encoded.count == Frame.length, frame.opcode == bytes[0],
            frame.payload.count == Frame.payloadLength
        else { throw violation("has other lengths, or another opcode", bytes) }
        for index in bytes.indices where encoded[index] != bytes[index] {
            throw violation("byte \(index) is encoded as \(encoded[index])", bytes)
        }
        for index in 0..<Frame.payloadLength where frame.payload[index] != bytes[index + 1] {
            throw violation("the payload differs at byte \(index)", bytes)
        }
    }

    private static func refuses(_ frame: Frame, bit: Int) throws(ContractViolation) {
        let isAccepted = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Frame.length) {
            buffer in
            _ = buffer.initialize(from: frame.bytes)
            buffer[bit / 8] ^= 1 << UInt8(bit % 8)
            return (try? Frame(decoding: buffer.span)) != nil
        }
        guard !isAccepted else {
            throw ContractViolation(
                "bit \(bit) turned over goes unnoticed", packet: "Frame", bytes: frame.bytes)
        }
    }

    private static func refusesLength(_ bytes: Span<UInt8>) throws(ContractViolation) {
        guard case .failure(let error) = result(bytes) else {
            throw violation("\(bytes.count) bytes are accepted", bytes)
        }
        guard error.kind == .wrongLength, error.expected == Frame.length,
            error.found == bytes.count
        else { throw violation("the error says something else: \(error)", bytes) }
        let again = bytes.withUnsafeBufferPointer { result(sequence: $0) }
        guard again == .failure(error) else {
            throw violation("depends on what holds the bytes", bytes)
        }
    }

    private static func sum(_ bytes: Span<UInt8>) -> UInt8 {
        var sum: UInt8 = 0
        for index in 0..<(Frame.length - 1) { sum &+= bytes[index] }
        return sum
    }

    private static func result(_ bytes: Span<UInt8>) -> Result<Frame, FrameError> {
        do throws(FrameError) { return .success(try Frame(decoding: bytes)) } catch {
            return .failure(error)
        }
    }

    private static func result(sequence: some Sequence<UInt8>) -> Result<Frame, FrameError> {
        do throws(FrameError) { return .success(try Frame(decoding: sequence)) } catch {
            return .failure(error)
        }
    }

    private static func violation(_ what: String, _ bytes: Span<UInt8>) -> ContractViolation {
        let copy = bytes.withUnsafeBufferPointer { Array($0) }
        return ContractViolation(what, packet: "Frame", bytes: copy)
    }
}
