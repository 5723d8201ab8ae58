public import HaloProtocol
public import HaloTransport

extension Discovery {
    /// The kind of device that it looks like, how sure that is, and why; only connecting settles
    /// it.
    ///
    /// It rests on everything that was heard: the advertisement and the answer to a scan.
    public var recognition: RingRecognition {
        var device = AdvertisedDevice(
            name: name.map { AdvertisedName($0) }, services: services,
            companies: manufacturerData.map(\.company))
        if let advertisement {
            let sent = AdvertisedDevice(advertisement)
            // One of two names may be shortened.
            if let name = sent.name, name.bytes.count > device.name?.bytes.count ?? 0 {
                device.name = name
            }
            device.services += sent.services
            device.companies += sent.companies
        }
        return device.recognition
    }
}
