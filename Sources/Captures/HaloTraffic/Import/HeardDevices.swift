import HaloCapture
import HaloProtocol

struct HeardDevices: Sendable {
    /// The devices in the order of their first advertisements.
    private(set) var devices: [HeardDevice] = []
    private var indices: [DeviceAddress?: Int] = [:]

    /// The number of advertisements of a device that are searched for a name.
    private static let searchedCount = 32

    /// Counts an advertisement. Returns `false` if there are too many devices.
    mutating func count(
        _ address: DeviceAddress?, strength: Int8?, _ data: Span<UInt8>
    ) -> Bool {
        guard let index = index(of: address) else { return false }
        devices[index].advertisementCount += 1
        if let strength {
            devices[index].strongestRSSI = max(devices[index].strongestRSSI ?? strength, strength)
        }
        guard devices[index].advertisementCount <= Self.searchedCount else { return true }
        let bytes = data.withUnsafeBufferPointer { Array($0) }
        let length = devices[index].name?.bytes.count ?? 0
        if let name = AdvertisingData(lenient: bytes).name, name.bytes.count > length {
            devices[index].name = name
        }
        return true
    }

    func name(of address: DeviceAddress) -> AdvertisedName? {
        indices[address].flatMap { devices[$0].name }
    }

    private mutating func index(of address: DeviceAddress?) -> Int? {
        if let index = indices[address] { return index }
        guard devices.count < TrafficSurvey.deviceLimit else { return nil }
        indices[address] = devices.count
        devices.append(HeardDevice(address: address))
        return devices.count - 1
    }
}
