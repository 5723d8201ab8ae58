/// The key of an open connection in the records of a file.
struct LinkKey: Hashable, Sendable {
    private let value: UInt64

    /// Creates the key of an adapter's connection.
    @inline(__always) init(adapter: UInt16, handle: UInt16) {
        value = UInt64(adapter) << 16 | UInt64(handle & 0x0FFF)
    }

    /// Creates the key of a connection in the air.
    init(accessAddress: UInt32) {
        value = 1 << 32 | UInt64(accessAddress)
    }

    /// `true` for a connection of this adapter.
    func belongs(to adapter: UInt16) -> Bool { value >> 16 == UInt64(adapter) }
}
