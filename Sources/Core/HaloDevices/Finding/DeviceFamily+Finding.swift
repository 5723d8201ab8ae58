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
    /// Returns the characteristic to which apps write, and the way; a device without it is of
    /// another kind.
    func written(
        in services: [GATTService], preferring mode: WriteMode
    ) throws(DeviceError) -> (characteristic: GATTCharacteristic, mode: WriteMode) {
        let (uuid, service) = (written.characteristic, written.service)
        guard let found = services.target(uuid, of: service, preferring: mode) else {
            throw DeviceError(BLEError(.wrongDevice, .discover, uuid: uuid))
        }
        return found
    }

    func notified(in services: [GATTService]) -> GATTCharacteristic? {
        services.source(notified.characteristic, of: notified.service)
    }
}

/// A device may list a service or a characteristic more than once: the first one counts whose
/// properties suffice.
extension [GATTService] {
    /// Returns a characteristic that can be subscribed to; `nil` if the device has none.
    func source(_ uuid: BluetoothUUID, of service: BluetoothUUID) -> GATTCharacteristic? {
        all(uuid, of: service).first { $0.properties.canSubscribe }
    }

    /// Returns a characteristic that can be written, and the way; `nil` if the device has none.
    func target(
        _ uuid: BluetoothUUID, of service: BluetoothUUID, preferring mode: WriteMode
    ) -> (characteristic: GATTCharacteristic, mode: WriteMode)? {
        for found in all(uuid, of: service) {
            if let mode = found.properties.writeMode(preferring: mode) { return (found, mode) }
        }
        return nil
    }

    func all(_ uuid: BluetoothUUID, of service: BluetoothUUID) -> [GATTCharacteristic] {
        filter { $0.uuid == service }.flatMap(\.characteristics).filter { $0.uuid == uuid }
    }
}
