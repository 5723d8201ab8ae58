import HaloCapture
import HaloProtocol

/// Devices that were heard advertising: a bounded number of them.
struct HeardDevices: Sendable {
    /// In the order in which they were heard first.
    private(set) var devices: [HeardDevice] = []
    private var indices: [DeviceAddress: Int] = [:]

    /// So many advertisements of a device are searched for its name.
    private static let searchedCount = 32

    /// Takes in an advertisement; answers false if there are too many devices.
    mutating func take(
        _ address: DeviceAddress, strength: Int8?, _ data: Span<UInt8>
    ) -> Bool {
        guard let index = index(of: address) else { return false }
        devices[index].count += 1
        if let strength {
            devices[index].strongest = max(devices[index].strongest ?? strength, strength)
        }
        guard devices[index].count <= Self.searchedCount else { return true }
        let bytes = data.withUnsafeBufferPointer { Array($0) }
        let length = devices[index].name?.bytes.count ?? 0
        if let name = AdvertisingData(lenient: bytes).name, name.bytes.count > length {
            devices[index].name = name
        }
        return true
    }

    /// The name of a device, if it was heard.
    func name(of address: DeviceAddress) -> AdvertisedName? {
        indices[address].flatMap { devices[$0].name }
    }

    private mutating func index(of address: DeviceAddress) -> Int? {
        if let index = indices[address] { return index }
        guard devices.count < TrafficSurvey.deviceLimit else { return nil }
        indices[address] = devices.count
        devices.append(HeardDevice(address: address))
        return devices.count - 1
    }
}
