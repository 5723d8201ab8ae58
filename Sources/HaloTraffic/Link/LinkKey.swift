/// Under which the records of a file name a connection while it stands.
struct LinkKey: Hashable, Sendable {
    private let value: UInt64

    /// A connection of an adapter.
    @inline(__always) init(adapter: UInt16, handle: UInt16) {
        value = UInt64(adapter) << 16 | UInt64(handle)
    }

    /// A connection in the air.
    init(accessAddress: UInt32) {
        value = 1 << 32 | UInt64(accessAddress)
    }

    /// Whether it is a connection of that adapter.
    func belongs(to adapter: UInt16) -> Bool { value >> 16 == UInt64(adapter) }
}
