public import HaloProtocol

extension BluetoothUUID {
    /// Stands in a capture for a characteristic of which only the handle is known.
    ///
    ///     0000HHHH-4841-4C4F-0000-000000000000    HHHH: the handle; 4841 4C4F spells HALO
    public static func unnamed(handle: UInt16) -> BluetoothUUID {
        BluetoothUUID(high: UInt64(handle) << 32 | unnamedMark, low: 0)
    }

    /// The handle, if this stands for a characteristic of which nobody knows more.
    public var unnamedHandle: UInt16? {
        guard low == 0, high & 0xFFFF_FFFF == Self.unnamedMark else { return nil }
        return UInt16(exactly: high >> 32)
    }

    private static var unnamedMark: UInt64 { 0x4841_4C4F }
}
