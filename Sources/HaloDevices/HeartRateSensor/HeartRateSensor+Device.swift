public import HaloProtocol
internal import HaloTransport

/// What a sensor says of itself, and the one thing that it can be told.
extension HeartRateSensor {
    /// Where it is worn; nothing if it does not say.
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
        let (link, characteristic) = try await characteristic(
            entry, of: StandardServices.heartRate)
        guard let characteristic else {
            throw DeviceError(.notSupported, command: HeartRateControlPoint.name.subject)
        }
        do throws(BLEError) {
            try await link.write(HeartRateControlPoint.resetEnergy.bytes, to: characteristic)
        } catch {
            guard error.attError == .controlPointNotSupported else { throw DeviceError(error) }
            throw DeviceError(
                .notSupported, command: HeartRateControlPoint.name.subject, bleError: error)
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
        let link = try openLink()
        do throws(BLEError) {
            return try await link.deviceInformation()
        } catch {
            throw DeviceError(error)
        }
    }

    /// The link, if the sensor can be asked.
    private func openLink() throws(DeviceError) -> BLELink {
        if let refusal = connection.refusal { throw refusal }
        guard let link else { throw DeviceError(.disconnected) }
        return link
    }

    private nonisolated(nonsending) func characteristic(
        _ entry: CharacteristicCatalog.Entry, of service: BluetoothUUID
    ) async throws(DeviceError) -> (BLELink, GATTCharacteristic?) {
        let link = try openLink()
        do throws(BLEError) {
            let services = try await link.services
            let found = try? BLELink.characteristic(entry.uuid, of: service, in: services)
            return (link, found)
        } catch {
            throw DeviceError(error)
        }
    }

    /// The value of a characteristic; nothing if the sensor does not have it.
    private nonisolated(nonsending) func read(
        _ entry: CharacteristicCatalog.Entry, of service: BluetoothUUID
    ) async throws(DeviceError) -> [UInt8]? {
        let (link, characteristic) = try await characteristic(entry, of: service)
        guard let characteristic else { return nil }
        do throws(BLEError) {
            return try await link.read(characteristic)
        } catch {
            throw DeviceError(error)
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
