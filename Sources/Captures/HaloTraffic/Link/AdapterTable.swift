import HaloCapture

struct AdapterTable: Sendable {
    static let mostAdapters = 16

    struct Adapter: Sendable {
        var address: UInt64?
        /// The random address set by the host.
        var random: UInt64?
        /// The type of the address in its advertisements, as set by the host: bit 0 means the
        /// random one.
        var addressType: UInt8?
    }

    private var adapters: [UInt16: Adapter] = [:]

    mutating func change(_ number: UInt16, _ change: (inout Adapter) -> Void) {
        guard adapters[number] != nil || adapters.count < Self.mostAdapters else { return }
        change(&adapters[number, default: Adapter()])
    }

    mutating func reset(_ number: UInt16) {
        change(number) {
            $0.random = nil
            $0.addressType = nil
        }
    }

    /// The address that an adapter advertised before a connection. The controller may have
    /// generated a resolvable address, which the event then has; 0 means none.
    func advertisedAddress(of number: UInt16, resolvable: UInt64?) -> DeviceAddress? {
        if let resolvable, resolvable != 0 { return DeviceAddress(resolvable, isRandom: true) }
        guard let adapter = adapters[number], let type = adapter.addressType else { return nil }
        return type & 1 == 1
            ? adapter.random.map { DeviceAddress($0, isRandom: true) }
            : adapter.address.map { DeviceAddress($0) }
    }
}
