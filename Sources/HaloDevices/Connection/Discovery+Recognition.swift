public import HaloProtocol
public import HaloTransport

extension Discovery {
    /// What kind of device it looks like, and why; only connecting settles it.
    public var recognition: RingRecognition {
        if let advertisement { return AdvertisedDevice(advertisement).recognition }
        return AdvertisedDevice(
            name: name.map { AdvertisedName($0) }, services: services,
            companies: manufacturerData.map(\.company)
        ).recognition
    }
}
