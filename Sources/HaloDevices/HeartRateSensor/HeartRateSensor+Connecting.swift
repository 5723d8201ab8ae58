internal import HaloProtocol
public import HaloTransport

extension HeartRateSensor {
    /// The first device that is heard of and advertises the Heart Rate service.
    public static nonisolated(nonsending) func find(
        over transport: some BLETransport,
        options: HeartRateSensorOptions = HeartRateSensorOptions()
    ) async throws(DeviceError) -> Discovery {
        let filter = ScanFilter(services: [StandardServices.heartRate])
        do throws(BLEError) {
            return try await transport.find(filter, timeout: options.findTimeout)
        } catch {
            throw error.kind == .notFound
                ? DeviceError(.notFound, bleError: error) : DeviceError(error)
        }
    }

    /// Connects to the first sensor that is heard of.
    public static nonisolated(nonsending) func connect(
        over transport: some BLETransport,
        options: HeartRateSensorOptions = HeartRateSensorOptions()
    ) async throws(DeviceError) -> HeartRateSensor {
        let discovery = try await find(over: transport, options: options)
        return try await connect(to: discovery.identity, over: transport, options: options)
    }

    /// Connects to a sensor that is known.
    ///
    /// When it returns, the device has shown a Heart Rate service that can send measurements; if
    /// it has none, the call throws ``DeviceError/Kind/wrongDevice``.
    public static nonisolated(nonsending) func connect(
        to identity: PeripheralIdentity, over transport: some BLETransport,
        options: HeartRateSensorOptions = HeartRateSensorOptions()
    ) async throws(DeviceError) -> HeartRateSensor {
        let core = HeartRateSensorCore(identity, transport, options)
        do throws(DeviceError) {
            try await core.connect()
        } catch {
            core.disconnect()
            throw error
        }
        return HeartRateSensor(core)
    }
}

/// Connects to the first heart-rate sensor that is heard of, and disconnects when the body is
/// left, in whichever way.
///
///     try await withHeartRateSensor(over: transport) { strap in
///         for try await beat in strap.measurements { print(beat.bpm) }
///     }
public nonisolated(nonsending) func withHeartRateSensor<Value>(
    over transport: some BLETransport,
    options: HeartRateSensorOptions = HeartRateSensorOptions(),
    _ body: nonisolated(nonsending) (HeartRateSensor) async throws -> Value
) async throws -> Value {
    let sensor = try await HeartRateSensor.connect(over: transport, options: options)
    return try await sensor.use(body)
}

/// Connects to a heart-rate sensor that is known, and disconnects when the body is left, in
/// whichever way.
public nonisolated(nonsending) func withHeartRateSensor<Value>(
    _ identity: PeripheralIdentity, over transport: some BLETransport,
    options: HeartRateSensorOptions = HeartRateSensorOptions(),
    _ body: nonisolated(nonsending) (HeartRateSensor) async throws -> Value
) async throws -> Value {
    let sensor = try await HeartRateSensor.connect(
        to: identity, over: transport, options: options)
    return try await sensor.use(body)
}

extension HeartRateSensor {
    nonisolated(nonsending) fileprivate func use<Value>(
        _ body: nonisolated(nonsending) (HeartRateSensor) async throws -> Value
    ) async throws -> Value {
        do {
            let value = try await body(self)
            await disconnect()
            return value
        } catch {
            await disconnect()
            throw error
        }
    }
}
