public import HaloProtocol
public import HaloTransport

/// A heart-rate sensor with the services of the Bluetooth SIG, such as a chest strap, a bracelet,
/// or a watch that broadcasts.
///
///     let strap = try await HeartRateSensor.connect(over: transport)
///     for try await beat in strap.measurements { print(beat.beatsPerMinute) }
///
/// The sensor is subscribed to during loops over ``reports`` or ``measurements``, which share one
/// subscription. After a lost link the sensor is reconnected to by the rules of
/// ``HeartRateSensorOptions/reconnect``: requests end with ``DeviceError/Kind/disconnected``,
/// sequences wait and continue. After ``disconnect()`` every request fails, and every loop ends. A
/// sensor is disconnected when neither it nor one of its sequences or their iterators is held any
/// more.
public final class HeartRateSensor: ClientDevice {
    static let noun = "heart-rate sensor"
    let connection: DeviceConnection<HeartRateSensorClient>
    /// The options of the connection.
    public let options: HeartRateSensorOptions

    init(
        to identity: PeripheralIdentity, over transport: any BLETransport,
        _ options: HeartRateSensorOptions
    ) {
        self.options = options
        connection = DeviceConnection(
            to: identity, over: transport, reconnect: options.reconnect,
            bufferLimit: options.bufferLimit, HeartRateSensorClient(options))
    }

    deinit { connection.release() }

    /// The reports of the sensor: measurements, malformed values, contact with the skin, lost
    /// links, and dropped reports.
    ///
    /// The sequence ends as ``DeviceUpdates`` describes. It also throws ``DeviceError/Kind/silent``
    /// when no value has come for ``HeartRateSensorOptions/silenceTimeout``; another loop may begin
    /// after that.
    public var reports: DeviceUpdates<Report> {
        DeviceUpdates { [self] in
            Loop(connection, holding: self, .waits, among: \.client.reports)
        }
    }

    /// The measurements, without the other reports.
    public var measurements: DeviceUpdates<Measurement> {
        DeviceUpdates(reports) { if case .measurement(let measured) = $0 { measured } else { nil } }
    }

    /// The charge of the battery, each time that the sensor reports it: most sensors do so after a
    /// change.
    ///
    /// A sensor without a battery service makes the loop throw ``DeviceError/Kind/notSupported``. A
    /// value that is not a percentage is left out.
    public var batteryCharges: DeviceUpdates<BatteryCharge> {
        DeviceUpdates { [self] in
            Loop(connection, holding: self, .listens, among: \.client.batteryCharges)
        }
    }

    // MARK: The sensor itself

    /// Reads the part of the body where the sensor is worn; `nil` if the sensor reports none, or
    /// one that is not described.
    public nonisolated(nonsending) func location() async throws(DeviceError)
        -> BodySensorLocation.Location?
    {
        let entry = CharacteristicCatalog.bodySensorLocation
        guard let value = try await read(entry, of: StandardServices.heartRate) else { return nil }
        return try decoded(BodySensorLocation.self, value).location.known
    }

    /// Resets the sensor's count of energy.
    ///
    /// A sensor that counts no energy, or refuses, throws ``DeviceError/Kind/notSupported``.
    public nonisolated(nonsending) func resetEnergy() async throws(DeviceError) {
        let entry = CharacteristicCatalog.heartRateControlPoint
        let command = HeartRateControlPoint.name.subject
        do throws(DeviceError) {
            let done: Void? = try await connection.withLink { (link) async throws(BLEError) in
                let found = try await link.services.all(entry.uuid, of: StandardServices.heartRate)
                guard let point = found.first else { return nil }
                return try await link.write(HeartRateControlPoint.resetEnergy.bytes, to: point)
            }
            if done == nil { throw DeviceError(.notSupported, command: command) }
        } catch {
            guard error.bleError?.attError == .controlPointNotSupported else { throw error }
            throw DeviceError(.notSupported, command: command, bleError: error.bleError)
        }
    }

    /// Reads the charge of the battery; a sensor without a battery service throws
    /// ``DeviceError/Kind/notSupported``.
    public nonisolated(nonsending) func battery() async throws(DeviceError) -> BatteryCharge {
        let entry = CharacteristicCatalog.batteryLevel
        guard let value = try await read(entry, of: StandardServices.battery) else {
            throw DeviceError(.notSupported, command: BatteryLevel.name.subject)
        }
        guard let percent = try decoded(BatteryLevel.self, value).percent else {
            throw DeviceError(.badReply, command: BatteryLevel.name.subject)
        }
        return BatteryCharge(percent: Int(percent), isCharging: nil)
    }

    /// Reads the values of the sensor's Device Information service. Values that the sensor does not
    /// have, or refuses to send, are left out.
    public nonisolated(nonsending) func deviceInformation() async throws(DeviceError)
        -> DeviceInformation
    {
        try await connection.withLink { (link) async throws(BLEError) in
            try await link.deviceInformation()
        }
    }

    /// Reads a characteristic; returns `nil` if the sensor does not have it.
    private nonisolated(nonsending) func read(
        _ entry: CharacteristicCatalog.Entry, of service: BluetoothUUID
    ) async throws(DeviceError) -> [UInt8]? {
        try await connection.withLink { (link) async throws(BLEError) in
            let found = try await link.services.all(entry.uuid, of: service)
            guard let first = found.first else { return nil }
            return try await link.read(first)
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

    /// Scans for devices that advertise the Heart Rate service, and returns the one with the
    /// strongest signal.
    ///
    /// The scan continues for ``HeartRateSensorOptions/findWindow`` after the first one.
    public static nonisolated(nonsending) func find(
        over transport: some BLETransport,
        options: HeartRateSensorOptions = HeartRateSensorOptions()
    ) async throws(DeviceError) -> Discovery {
        var finder = DeviceFinder(sensorsOver: transport, options)
        return try await finder.best()
    }

    /// Connects to the sensor that ``find(over:options:)`` would return.
    ///
    /// After a device that turns out to be no sensor, the next one is tried: first the devices that
    /// are already discovered, then those that are discovered within
    /// ``HeartRateSensorOptions/findTimeout``. After a sensor that cannot be connected to, only
    /// devices that are already discovered are tried.
    ///
    /// The longest time of the call is ``HeartRateSensorOptions/findTimeout`` plus twice
    /// ``HeartRateSensorOptions/connectTimeout``: once for the first device, once for all others
    /// together.
    public static nonisolated(nonsending) func connect(
        over transport: some BLETransport,
        options: HeartRateSensorOptions = HeartRateSensorOptions()
    ) async throws(DeviceError) -> HeartRateSensor {
        var finder = DeviceFinder(sensorsOver: transport, options)
        return try await finder.connect(within: options.connectTimeout) {
            HeartRateSensor(to: $0.identity, over: transport, options)
        }
    }

    /// Connects to a sensor by its identity.
    ///
    /// When it returns, the device has a Heart Rate service that can send measurements. A device
    /// without one throws ``DeviceError/Kind/wrongDevice``.
    public static nonisolated(nonsending) func connect(
        to identity: PeripheralIdentity, over transport: some BLETransport,
        options: HeartRateSensorOptions = HeartRateSensorOptions()
    ) async throws(DeviceError) -> HeartRateSensor {
        try await HeartRateSensor(to: identity, over: transport, options)
            .connected(within: options.connectTimeout)
    }
}

// MARK: - The connection

extension HeartRateSensor {
    public var identity: PeripheralIdentity { connection.identity }
    public var time: any TransportTime { connection.time }
    public var link: BLELink? { connection.link }
    public var connectionState: ConnectionState { connection.connectionState }
    public var connectionStates: DeviceUpdates<ConnectionState> { connectionUpdates }
    /// The kind of device, the identity and the connection state.
    public var description: String { words }

    public nonisolated(nonsending) func waitUntilConnected() async throws(DeviceError) {
        try await connection.waitUntilConnected()
    }

    public nonisolated(nonsending) func disconnect() async {
        await connection.disconnectAndWait()
    }
}

/// Finds and connects to a heart-rate sensor, and disconnects when the body returns or throws.
///
///     try await withHeartRateSensor(over: transport) { strap in
///         for try await beat in strap.measurements { print(beat.beatsPerMinute) }
///     }
public nonisolated(nonsending) func withHeartRateSensor<Value>(
    over transport: some BLETransport,
    options: HeartRateSensorOptions = HeartRateSensorOptions(),
    _ body: nonisolated(nonsending) (HeartRateSensor) async throws -> Value
) async throws -> Value {
    let sensor = try await HeartRateSensor.connect(over: transport, options: options)
    return try await using(sensor, body)
}

/// Connects to a heart-rate sensor by its identity, and disconnects when the body returns or
/// throws.
public nonisolated(nonsending) func withHeartRateSensor<Value>(
    _ identity: PeripheralIdentity, over transport: some BLETransport,
    options: HeartRateSensorOptions = HeartRateSensorOptions(),
    _ body: nonisolated(nonsending) (HeartRateSensor) async throws -> Value
) async throws -> Value {
    let sensor = try await HeartRateSensor.connect(
        to: identity, over: transport, options: options)
    return try await using(sensor, body)
}

extension DeviceFinder {
    fileprivate init(sensorsOver transport: some BLETransport, _ options: HeartRateSensorOptions) {
        self.init(
            transport, ScanFilter(services: [StandardServices.heartRate]),
            connected: [StandardServices.heartRate], timeout: options.findTimeout,
            window: options.findWindow
        ) { discovery in
            if discovery.isConnectable == false { return nil }
            let recognition = discovery.recognition
            return recognition.classification == .heartRateSensor
                ? recognition.confidence : .possible
        }
    }
}
