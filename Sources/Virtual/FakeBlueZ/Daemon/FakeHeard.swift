#if os(Linux)
internal import HaloProtocol

struct FakeHeard: Hashable, Sendable {
    var rssi: Int16
    var flags: AdvertisingFlags?
    var name: String?
    var services: [BluetoothUUID] = []
    var manufacturerData: [UInt16: [UInt8]] = [:]
    var serviceData: [BluetoothUUID: [UInt8]] = [:]
    var txPower: Int16?

    /// Merges the advertisement and the scan response in the way of the kernel.
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
        // D-Bus strings cannot contain NUL.
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

    /// `true` if the flags contain a discoverable mode; other devices are only announced in a
    /// discovery with a filter (the daemon's source).
    var isDiscoverable: Bool {
        guard let flags else { return false }
        return !flags.isDisjoint(with: [.limitedDiscoverable, .generalDiscoverable])
    }
}
#endif
