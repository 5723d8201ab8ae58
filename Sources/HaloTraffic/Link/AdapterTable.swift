import HaloCapture

/// What is known of the adapters of the recorder's computer: how they call themselves.
struct AdapterTable: Sendable {
    /// How many adapters are remembered.
    static let mostAdapters = 16

    /// What an adapter was told, or has said.
    struct Adapter: Sendable {
        let number: UInt16
        /// Its own, lasting address.
        var address: UInt64?
        /// The address that its host made up.
        var random: UInt64?
        /// Which of them it advertises with, as the host told it: bit 0 means the random one.
        var addressType: UInt8?
    }

    private var adapters: [Adapter] = []

    /// Notes something of an adapter.
    mutating func change(_ number: UInt16, _ change: (inout Adapter) -> Void) {
        if let index = adapters.firstIndex(where: { $0.number == number }) {
            change(&adapters[index])
        } else if adapters.count < Self.mostAdapters {
            var adapter = Adapter(number: number)
            change(&adapter)
            adapters.append(adapter)
        }
    }

    /// Forgets what a reset makes void.
    mutating func reset(_ number: UInt16) {
        change(number) {
            $0.random = nil
            $0.addressType = nil
        }
    }

    /// How an adapter called itself when it advertised and was connected to; the controller may
    /// have made up an address of its own, which it says then and which is not 0.
    func advertisedAddress(of number: UInt16, resolvable: UInt64?) -> DeviceAddress? {
        if let resolvable, resolvable != 0 { return DeviceAddress(resolvable, isRandom: true) }
        guard let adapter = adapters.first(where: { $0.number == number }),
            let type = adapter.addressType
        else { return nil }
        return type & 1 == 1
            ? adapter.random.map { DeviceAddress($0, isRandom: true) }
            : adapter.address.map { DeviceAddress($0) }
    }
}
