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
        name = Self.better(advertisement, scanResponse)
        services = advertisement.services + advertisement.servicesWithData
        companies = advertisement.companies
        if let scanResponse {
            services += scanResponse.services + scanResponse.servicesWithData
            companies += scanResponse.companies
        }
    }

    /// The likely kind of the device.
    public var recognition: RingRecognition { RingRecognition(self) }

    /// Returns the longer name: one of the two may be shortened.
    private static func better(
        _ advertisement: AdvertisingData, _ scanResponse: AdvertisingData?
    ) -> AdvertisedName? {
        guard let first = advertisement.name else { return scanResponse?.name }
        guard let second = scanResponse?.name else { return first }
        return second.bytes.count > first.bytes.count ? second : first
    }
}
