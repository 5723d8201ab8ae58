internal import HaloCapture
internal import HaloProtocol
internal import HaloTransport

extension ReplayDevice {
    /// What it sends while nobody is connected: what the capture heard, or else what a device of
    /// these services and this name would send.
    var advertisement: PeripheralAdvertisement {
        guard let heard = recording.advertisement else { return madeUp }
        return PeripheralAdvertisement(
            AdvertisingData(lenient: heard),
            scanResponse: recording.scanResponse.map { AdvertisingData(lenient: $0) })
    }

    /// Its name: that of the options, of the capture, or one that says what it is.
    private var name: String { options.name ?? recording.tags["name"] ?? "Replay" }

    private var madeUp: PeripheralAdvertisement {
        let offered = services.map(\.uuid)
        guard offered.contains(RingServices.uart) else {
            return PeripheralAdvertisement(.connectable(name: name, services: offered))
        }
        // Rings list this one of their services, and say their name when they are asked.
        let data = Self.data([
            .flags([.generalDiscoverable, .classicNotSupported]),
            .services(.long([RingServices.uart]), isComplete: false),
        ])
        return PeripheralAdvertisement(
            data ?? .connectable(name: name, services: offered),
            scanResponse: .connectable(name: name, services: []))
    }

    private static func data(_ contents: [AdvertisingStructure.Content]) -> AdvertisingData? {
        try? AdvertisingData(structures: contents.compactMap { try? AdvertisingStructure($0) })
    }
}
