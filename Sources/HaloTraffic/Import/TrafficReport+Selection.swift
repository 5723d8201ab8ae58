import HaloCapture

extension TrafficReport {
    /// The connections that a selection means, in the order in which they were met: at least one,
    /// and only such as have values.
    public func conversations(
        _ device: DeviceSelection
    ) throws(TrafficError) -> [TrafficConnection] {
        let talking = connections.filter(\.hasConversation)
        guard !talking.isEmpty else {
            let isSecret = connections.contains { $0.isEncrypted && !$0.isReadable }
            throw Self.none(
                isSecret
                    ? "the connections are encrypted, and nothing of them can be read"
                    : "no connection of this file has any values")
        }
        switch device {
        case .all:
            return talking
        case .address(let address):
            let same = talking.filter { $0.address?.value == address }
            guard !same.isEmpty else {
                throw Self.none("no conversation has a device of this address")
            }
            return same
        case .connection(let number):
            guard let one = talking.first(where: { $0.number == number }) else {
                throw Self.none("no conversation has this number")
            }
            return [one]
        case .only:
            if Self.isOneDevice(talking) { return talking }
            let rings = talking.filter(\.isRing)
            guard !rings.isEmpty else {
                throw Self.none("there are several devices, and none is known to be a ring")
            }
            guard Self.isOneDevice(rings) else { throw Self.none("there are several rings") }
            return rings
        }
    }

    /// Whether all connections are with one device. One whose address was not told is a device of
    /// its own.
    private static func isOneDevice(_ connections: [TrafficConnection]) -> Bool {
        guard connections.count > 1 else { return true }
        guard let address = connections.first?.address else { return false }
        return connections.allSatisfy { $0.address == address }
    }

    private static func none(_ hint: String) -> TrafficError {
        TrafficError(.noConversation, at: 0, hint: hint)
    }
}
