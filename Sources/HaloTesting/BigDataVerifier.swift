public import HaloProtocol

/// Checks the frame of the big-data channel, with a checksum of its own.
public enum BigDataVerifier {
    /// Bytes are a frame just when marker, length and checksum are right; a frame gives its bytes
    /// back.
    public static func verify(_ bytes: [UInt8]) throws(ContractViolation) {
        let isFrame = isFrame(bytes)
        switch result(bytes) {
        case .success(let frame):
            guard isFrame else { throw violation("wrong bytes are accepted", bytes) }
            guard frame.bytes == bytes else { throw violation("encodes otherwise", bytes) }
        case .failure(let error):
            guard !isFrame, 0...bytes.count ~= error.offset, error.description != "" else {
                throw violation("right bytes are refused, or the error is wrong: \(error)", bytes)
            }
        }
    }

    /// A frame encodes to bytes that are one, with its id and its payload.
    public static func verify(_ frame: BigDataFrame) throws(ContractViolation) {
        let bytes = frame.bytes
        guard isFrame(bytes), bytes[1] == frame.id,
            bytes.dropFirst(BigDataFrame.headerLength).elementsEqual(frame.payload)
        else { throw violation("encodes to bytes that are no frame", bytes) }
        guard let again = try? BigDataFrame(decoding: bytes), again == frame else {
            throw violation("does not read what it wrote", bytes)
        }
    }

    private static func isFrame(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= BigDataFrame.headerLength, bytes[0] == BigDataFrame.marker else {
            return false
        }
        let payload = bytes.dropFirst(BigDataFrame.headerLength)
        let checksum = checksum(payload)
        return payload.count == Int(bytes[2]) | Int(bytes[3]) << 8
            && bytes[4] == UInt8(truncatingIfNeeded: checksum)
            && bytes[5] == UInt8(truncatingIfNeeded: checksum >> 8)
    }

    /// CRC-16/MODBUS, bit by bit.
    static func checksum(_ payload: some Sequence<UInt8>) -> UInt16 {
        var remainder: UInt16 = 0xFFFF
        for byte in payload {
            remainder ^= UInt16(byte)
            for _ in 0..<8 {
                let isOdd = remainder & 1 != 0
                remainder >>= 1
                if isOdd { remainder ^= 0xA001 }
            }
        }
        return remainder
    }

    private static func result(_ bytes: [UInt8]) -> Result<BigDataFrame, FrameError> {
        do throws(FrameError) { return .success(try BigDataFrame(decoding: bytes)) } catch {
            return .failure(error)
        }
    }

    private static func violation(_ what: String, _ bytes: [UInt8]) -> ContractViolation {
        ContractViolation(what, packet: "BigDataFrame", bytes: bytes)
    }
}
