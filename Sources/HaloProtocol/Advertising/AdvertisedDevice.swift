/// What is known of a device before anyone has connected to it.
public struct AdvertisedDevice: Hashable, Sendable {
    /// The name that it advertises.
    public var name: AdvertisedName?
    /// The services that it lists, or has data of.
    public var services: [BluetoothUUID]
    /// The companies whose manufacturer data it sends.
    public var companies: [UInt16]

    /// A device of which a system's scanner has told this much.
    public init(name: AdvertisedName?, services: [BluetoothUUID] = [], companies: [UInt16] = []) {
        self.name = name
        self.services = services
        self.companies = companies
    }

    /// A device by its advertisement, and by its answer to a scan if there was one.
    public init(_ advertisement: AdvertisingData, scanResponse: AdvertisingData? = nil) {
        name = Self.better(advertisement, scanResponse)
        services = advertisement.services + advertisement.servicesWithData
        companies = advertisement.companies
        if let scanResponse {
            services += scanResponse.services + scanResponse.servicesWithData
            companies += scanResponse.companies
        }
    }

    /// What kind of device it looks like.
    public var recognition: RingRecognition { RingRecognition(self) }

    /// The longer of two names: one of them may be shortened.
    private static func better(
        _ advertisement: AdvertisingData, _ scanResponse: AdvertisingData?
    ) -> AdvertisedName? {
        guard let first = advertisement.name else { return scanResponse?.name }
        guard let second = scanResponse?.name else { return first }
        return second.bytes.count > first.bytes.count ? second : first
    }
}
