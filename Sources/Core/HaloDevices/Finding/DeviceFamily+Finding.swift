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
        let found = try? BLELink.characteristic(
            written.characteristic, of: written.service, in: services)
        guard let found, found.properties.canWrite else {
            throw DeviceError(BLEError(.wrongDevice, .discover, uuid: written.characteristic))
        }
        return found
    }

    /// Returns the characteristic that notifies; `nil` if the device has none.
    func notified(in services: [GATTService]) -> GATTCharacteristic? {
        services.source(notified.characteristic, of: notified.service)
    }
}

extension [GATTService] {
    /// Returns a characteristic that can be subscribed to; `nil` if the device has none.
    func source(_ uuid: BluetoothUUID, of service: BluetoothUUID) -> GATTCharacteristic? {
        let found = try? BLELink.characteristic(uuid, of: service, in: self)
        return found?.properties.canSubscribe == true ? found : nil
    }
}
