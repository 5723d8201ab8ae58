#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol

struct FakeFilter: Hashable, Sendable {
    var services: Set<BluetoothUUID> = []
    var rssi: Int16?
    var pathloss: UInt16?
    var allowsLowEnergy = true
    var hasDuplicates = false
    var pattern: String?

    init?(_ options: DBusValue?) {
        for entry in options?.entries ?? [] {
            guard case .string(let key) = entry.key, take(key, entry.value.unwrapped) else {
                return nil
            }
        }
        if rssi != nil, pathloss != nil { return nil }
    }

    private mutating func take(_ key: String, _ value: DBusValue) -> Bool {
        switch (key, value) {
        case (DiscoveryFilter.uuids, .array(.string, let texts)):
            let uuids = texts.compactMap { text in
                text.string.flatMap { try? BluetoothUUID(parsing: $0) }
            }
            services = Set(uuids)
            return uuids.count == texts.count
        case (DiscoveryFilter.rssi, .int16(let level)):
            rssi = level
            return (-127...20).contains(level)
        case (DiscoveryFilter.pathloss, .uint16(let loss)):
            pathloss = loss
            return loss <= 137
        case (DiscoveryFilter.transport, .string(let transport)):
            allowsLowEnergy = transport != DiscoveryFilter.transportClassic
            return [
                DiscoveryFilter.transportAuto, DiscoveryFilter.transportClassic,
                DiscoveryFilter.transportLE,
            ]
            .contains(transport)
        case (DiscoveryFilter.duplicateData, .boolean(let isOn)):
            hasDuplicates = isOn
            return true
        case (DiscoveryFilter.discoverable, .boolean): return true
        case (DiscoveryFilter.pattern, .string(let text)):
            pattern = text
            return true
        default: return false
        }
    }

    /// The RSSI that a controller reports if it cannot measure one.
    private static let unknown: Int16 = 127

    func matches(_ heard: FakeHeard, address: String) -> Bool {
        guard allowsLowEnergy else { return false }
        if let rssi, heard.rssi < rssi || heard.rssi == Self.unknown { return false }
        if !services.isEmpty, services.isDisjoint(with: heard.services) { return false }
        if let pathloss {
            guard let power = heard.txPower else { return false }
            if Int(power) - Int(heard.rssi) > Int(pathloss) { return false }
        }
        guard let pattern else { return true }
        return address.hasPrefix(pattern) || heard.name?.hasPrefix(pattern) == true
    }
}
#endif
