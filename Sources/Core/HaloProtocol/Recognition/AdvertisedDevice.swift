/// The advertised data of a device that serves to recognise it.
public struct AdvertisedDevice: Hashable, Sendable {
    public var name: AdvertisedName?
    /// The advertised services, with and without service data.
    public var services: [BluetoothUUID]
    /// The company numbers of its manufacturer data.
    public var companies: [UInt16]

    /// Creates a device from the data of a system's scanner.
    public init(name: AdvertisedName?, services: [BluetoothUUID] = [], companies: [UInt16] = []) {
        self.name = name
        self.services = services
        self.companies = companies
    }

    public init(_ advertisement: AdvertisingData, scanResponse: AdvertisingData? = nil) {
        let parts = [advertisement, scanResponse].compactMap { $0 }
        // The longer name: one of the two may be shortened.
        name = parts.compactMap { $0.name }.max { $0.bytes.count < $1.bytes.count }
        services = parts.flatMap { $0.services + $0.servicesWithData }
        companies = parts.flatMap { $0.companies }
    }

    /// The likely kind of the device.
    public var recognition: RingRecognition { RingRecognition(self) }
}
