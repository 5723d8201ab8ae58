internal import HaloProtocol
public import HaloTransport

extension HeartRateSensor {
    /// Listens for devices that advertise the Heart Rate service, and gives the one with the
    /// strongest signal.
    ///
    /// It goes on listening for ``HeartRateSensorOptions/findWindow`` after the first one.
    public static nonisolated(nonsending) func find(
        over transport: some BLETransport,
        options: HeartRateSensorOptions = HeartRateSensorOptions()
    ) async throws(DeviceError) -> Discovery {
        var finder = DeviceFinder(sensorsOver: transport, options)
        return try await finder.best()
    }

    /// Connects to the sensor that is found; see ``find(over:options:)``.
    ///
    /// A device that turns out to be another one makes room for the next: first for those that
    /// were heard besides, then for those that are heard while
    /// ``HeartRateSensorOptions/findTimeout`` lasts. A sensor that cannot be connected to makes
    /// room only for those that were heard besides.
    ///
    /// It takes no longer than ``HeartRateSensorOptions/findTimeout`` and twice
    /// ``HeartRateSensorOptions/connectTimeout``: once for the first device, once for all others
    /// together.
    public static nonisolated(nonsending) func connect(
        over transport: some BLETransport,
        options: HeartRateSensorOptions = HeartRateSensorOptions()
    ) async throws(DeviceError) -> HeartRateSensor {
        var finder = DeviceFinder(sensorsOver: transport, options)
        return try await finder.connect(within: options.connectTimeout) {
            (identity, timeout) async throws(DeviceError) in
            try await connect(HeartRateSensorCore(identity, transport, options), within: timeout)
        }
    }

    /// Connects to a sensor that is known.
    ///
    /// When it returns, the device has shown a Heart Rate service that can send measurements; if
    /// it has none, the call throws ``DeviceError/Kind/wrongDevice``.
    public static nonisolated(nonsending) func connect(
        to identity: PeripheralIdentity, over transport: some BLETransport,
        options: HeartRateSensorOptions = HeartRateSensorOptions()
    ) async throws(DeviceError) -> HeartRateSensor {
        try await connect(
            HeartRateSensorCore(identity, transport, options), within: options.connectTimeout)
    }

    private static nonisolated(nonsending) func connect(
        _ core: HeartRateSensorCore, within timeout: Duration
    ) async throws(DeviceError) -> HeartRateSensor {
        do throws(DeviceError) {
            try await core.connect(within: timeout)
        } catch {
            core.disconnect()
            throw error
        }
        return HeartRateSensor(core)
    }
}

/// Connects to the heart-rate sensor that is found, and disconnects when the body is left, in
/// whichever way.
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

extension DeviceFinder {
    /// A search for heart-rate sensors: what lists the service is one, as far as anyone can tell
    /// before connecting.
    fileprivate init(sensorsOver transport: some BLETransport, _ options: HeartRateSensorOptions) {
        self.init(
            transport, ScanFilter(services: [StandardServices.heartRate]),
            timeout: options.findTimeout, window: options.findWindow
        ) { discovery in
            if discovery.isConnectable == false { return nil }
            let recognition = discovery.recognition
            return recognition.verdict == .heartRateSensor ? recognition.confidence : .possible
        }
    }
}
