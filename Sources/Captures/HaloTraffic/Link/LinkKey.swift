struct LinkKey: Hashable, Sendable {
    private let value: UInt64

    @inline(__always) init(adapter: UInt16, handle: UInt16) {
        value = UInt64(adapter) << 16 | UInt64(handle & 0x0FFF)
    }

    init(accessAddress: UInt32) {
        value = 1 << 32 | UInt64(accessAddress)
    }

    func belongs(to adapter: UInt16) -> Bool { value >> 16 == UInt64(adapter) }
}
