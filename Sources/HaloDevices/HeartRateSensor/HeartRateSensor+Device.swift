public import HaloProtocol
internal import HaloTransport

/// What a sensor says of itself, and the one thing that it can be told.
extension HeartRateSensor {
    /// The place where it is worn; `nil` if it does not say.
    public nonisolated(nonsending) func location() async throws(DeviceError)
        -> Reported<BodySensorLocation.Place>?
    {
        let entry = CharacteristicCatalog.bodySensorLocation
        guard let value = try await read(entry, of: StandardServices.heartRate) else { return nil }
        return try decoded(BodySensorLocation.self, value).place
    }

    /// Lets the sensor count energy from zero again.
    ///
    /// A sensor that does not count energy cannot be told: that throws
    /// ``DeviceError/Kind/notSupported``, and so does one that refuses the order.
    public nonisolated(nonsending) func resetEnergy() async throws(DeviceError) {
        let entry = CharacteristicCatalog.heartRateControlPoint
        var notSupported = DeviceError(
            .notSupported, command: HeartRateControlPoint.name.subject)
        do throws(DeviceError) {
            let done: Void? = try await with(entry, of: StandardServices.heartRate) {
                (link, characteristic) async throws(BLEError) in
                try await link.write(HeartRateControlPoint.resetEnergy.bytes, to: characteristic)
            }
            if done == nil { throw notSupported }
        } catch {
            guard error.bleError?.attError == .controlPointNotSupported else { throw error }
            notSupported.bleError = error.bleError
            throw notSupported
        }
    }

    /// How full the battery is; a sensor without a battery service throws
    /// ``DeviceError/Kind/notSupported``.
    public nonisolated(nonsending) func battery() async throws(DeviceError) -> BatteryLevel {
        let entry = CharacteristicCatalog.batteryLevel
        guard let value = try await read(entry, of: StandardServices.battery) else {
            throw DeviceError(.notSupported, command: BatteryLevel.name.subject)
        }
        return try decoded(BatteryLevel.self, value)
    }

    /// What the sensor says in its Device Information service, as far as it says anything.
    public nonisolated(nonsending) func deviceInformation() async throws(DeviceError)
        -> DeviceInformation
    {
        try await connection.withLink { (link) async throws(BLEError) in
            try await link.deviceInformation()
        }
    }

    /// Does something with a characteristic; `nil` if the sensor does not have it.
    private nonisolated(nonsending) func with<Value>(
        _ entry: CharacteristicCatalog.Entry, of service: BluetoothUUID,
        _ body:
            nonisolated(nonsending) (
                BLELink, GATTCharacteristic
            ) async throws(BLEError) -> Value
    ) async throws(DeviceError) -> Value? {
        try await connection.withLink { (link) async throws(BLEError) in
            let services = try await link.services
            let found = try? BLELink.characteristic(entry.uuid, of: service, in: services)
            guard let found else { return nil }
            return try await body(link, found)
        }
    }

    private nonisolated(nonsending) func read(
        _ entry: CharacteristicCatalog.Entry, of service: BluetoothUUID
    ) async throws(DeviceError) -> [UInt8]? {
        try await with(entry, of: service) { (link, characteristic) async throws(BLEError) in
            try await link.read(characteristic)
        }
    }

    private func decoded<Value: BytePacket>(
        _ type: Value.Type, _ bytes: [UInt8]
    ) throws(DeviceError) -> Value {
        do throws(PacketError) {
            return try Value(decoding: bytes)
        } catch {
            throw DeviceError(
                SessionError(.malformed, packetError: error), command: Value.name.subject)
        }
    }
}
