import HaloProtocol

extension BluetoothUUID {
    /// The number of an attribute of which only the handle is known.
    static func unnamed(handle: UInt16) -> BluetoothUUID {
        BluetoothUUID(high: UInt64(handle) << 32 | 0x4841_4C4F, low: 0)
    }
}
