#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol

/// What a client says about the devices that it looks for.
struct FakeFilter: Hashable, Sendable {
    var services: Set<BluetoothUUID> = []
    var rssi: Int16?
    var pathloss: UInt16?
    var allowsLowEnergy = true
    var hasDuplicates = false
    var pattern: String?

    /// A filter as it came over the bus; nothing if it makes no sense.
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

    /// What a controller says that does not know how strong something was.
    private static let unknown: Int16 = 127

    /// Whether a device is looked for.
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

/// What an adapter hears of a device.
struct FakeHeard: Hashable, Sendable {
    var rssi: Int16
    var flags: AdvertisingFlags?
    var name: String?
    var services: [BluetoothUUID] = []
    var manufacturerData: [UInt16: [UInt8]] = [:]
    var serviceData: [BluetoothUUID: [UInt8]] = [:]
    var txPower: Int16?

    /// What is in the advertisement and in the answer to a scan, taken together as the kernel
    /// does.
    init(_ data: [AdvertisingData], rssi: Int16) {
        self.rssi = rssi
        for part in data {
            flags = flags ?? part.flags
            name = part.name.map { String(decoding: $0.bytes, as: UTF8.self) } ?? name
            for service in part.services where !services.contains(service) {
                services.append(service)
            }
            txPower = part.transmitPowerDecibelMilliwatts.map { Int16($0) } ?? txPower
            for structure in part.structures { take(structure.content) }
        }
        // A NUL cannot travel, and no daemon sends one.
        name?.unicodeScalars.removeAll { $0 == "\0" }
    }

    private mutating func take(_ content: AdvertisingStructure.Content) {
        switch content {
        case .manufacturerData(let company, let data): manufacturerData[company] = data
        case .shortServiceData(let uuid, let data): serviceData[BluetoothUUID(UInt32(uuid))] = data
        case .mediumServiceData(let uuid, let data): serviceData[BluetoothUUID(uuid)] = data
        case .longServiceData(let uuid, let data): serviceData[uuid] = data
        default: break
        }
    }

    /// Whether it says that it can be found; what says nothing is only told of in searches with
    /// a filter (as the daemon's source has it).
    var isDiscoverable: Bool {
        guard let flags else { return false }
        return !flags.isDisjoint(with: [.limitedDiscoverable, .generalDiscoverable])
    }
}
#endif
