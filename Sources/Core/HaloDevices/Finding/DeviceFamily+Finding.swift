internal import HaloProtocol
internal import HaloTransport

extension DeviceFinder {
    /// Creates a search for devices of a family. Not all of them advertise their services, so the
    /// scan has no filter.
    init(
        of family: DeviceFamily, over transport: any BLETransport, timeout: Duration,
        window: Duration
    ) {
        self.init(
            transport, .all, connected: family.services, timeout: timeout, window: window
        ) { discovery in
            if discovery.isConnectable == false { return nil }
            let recognition = discovery.recognition
            return recognition.classification == .family(family) ? recognition.confidence : nil
        }
    }
}

extension DeviceFamily {
    /// Returns the characteristic to which apps write; a device without it is of another kind.
    func written(in services: [GATTService]) throws(DeviceError) -> GATTCharacteristic {
        guard let found = Self.find(written, in: services), found.properties.canWrite else {
            throw DeviceError(BLEError(.wrongDevice, .discover, uuid: written.characteristic))
        }
        return found
    }

    /// Returns the characteristic that notifies; `nil` if the device has none.
    func notified(in services: [GATTService]) -> GATTCharacteristic? {
        guard let found = Self.find(notified, in: services), found.properties.canSubscribe else {
            return nil
        }
        return found
    }

    private static func find(
        _ endpoint: Endpoint, in services: [GATTService]
    ) -> GATTCharacteristic? {
        try? BLELink.characteristic(endpoint.characteristic, of: endpoint.service, in: services)
    }
}
