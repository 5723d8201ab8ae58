import HaloProtocol

/// Numbers of the attribute protocol: the lower byte first.
extension Span<UInt8> {
    /// Two bytes at a place: a handle, an offset, a length; 0 where they are not there.
    @inline(__always)
    func attributeNumber(at offset: Int) -> UInt16 {
        littleEndian16(at: offset) ?? 0
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
            return BluetoothUUID(
                high: uint64(at: offset + 8, .little), low: uint64(at: offset, .little))
        default:
            return nil
        }
    }
}
