import HaloProtocol

/// Numbers of the attribute protocol: the lower byte first.
extension Span<UInt8> {
    /// Two bytes at a place: a handle, an offset, a length; 0 where they are not there.
    @inline(__always)
    func attributeNumber(at offset: Int) -> UInt16 {
        guard offset >= 0, count >= 2, offset <= count &- 2 else { return 0 }
        return UInt16(self[offset]) | UInt16(self[offset &+ 1]) << 8
    }

    /// A UUID of 2 or 16 bytes at a place; nothing for another length, or where they are not there.
    func attributeUUID(at offset: Int, count length: Int) -> BluetoothUUID? {
        guard offset >= 0, length >= 0, length <= count, offset <= count - length else {
            return nil
        }
        switch length {
        case 2:
            return BluetoothUUID(UInt32(attributeNumber(at: offset)))
        case 16:
            var words: (high: UInt64, low: UInt64) = (0, 0)
            for index in 0..<8 {
                words.low |= UInt64(self[offset + index]) << UInt64(8 * index)
                words.high |= UInt64(self[offset + 8 + index]) << UInt64(8 * index)
            }
            return BluetoothUUID(high: words.high, low: words.low)
        default:
            return nil
        }
    }
}
