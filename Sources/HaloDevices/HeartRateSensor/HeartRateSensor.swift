public import HaloProtocol
public import HaloTransport

/// A heart-rate sensor with the services of the Bluetooth SIG, as an app holds it: a chest strap,
/// a bracelet, a watch that broadcasts.
///
///     let strap = try await HeartRateSensor.connect(over: transport)
///     for try await beat in strap.measurements { print(beat.bpm) }
///
/// The sensor measures while a loop wants its ``reports`` or ``measurements``; loops share one
/// subscription. When the link is lost it is made again as ``HeartRateSensorOptions/reconnect``
/// says: what was asked ends with ``DeviceError/Kind/disconnected``, sequences wait and go on.
/// After ``disconnect()`` everything ends. A sensor that nobody holds any more, nor a sequence of
/// it, is disconnected.
public final class HeartRateSensor: Sendable {
    let connection: DeviceConnection<HeartRateSensorClient>
    /// The options with which it was connected to.
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

    deinit { connection.disconnect() }

    /// The device at the other end, by which it can be connected to again.
    public var identity: PeripheralIdentity { connection.identity }

    /// The time that passes where the sensor is.
    public var time: any TransportTime { connection.time }

    /// The link as it is now, for what is not offered here; `nil` while there is none.
    public var link: BLELink? { connection.link }

    /// The current connection state.
    public var connectionState: ConnectionState { connection.connectionState }

    /// The connection state, now and after each change, until the sensor is disconnected
    /// for good.
    public var connectionStates: DeviceUpdates<ConnectionState> {
        DeviceUpdates { [self] in connection.stateLoop(holding: self) }
    }

    /// Waits until the sensor can be asked; throws if it never will be again.
    public nonisolated(nonsending) func connected() async throws(DeviceError) {
        try await connection.waitUntilConnected()
    }

    /// Everything that happens while the sensor measures: measurements, values that are none,
    /// contact that is lost or found, lost links, reports that were dropped.
    ///
    /// A loop ends quietly after ``disconnect()`` or when its task is cancelled. It throws
    /// ``DeviceError/Kind/disconnected`` when the link is lost for good, and
    /// ``DeviceError/Kind/silent`` when nothing came for ``HeartRateSensorOptions/silenceLimit``;
    /// then another loop may begin anew.
    public var reports: DeviceUpdates<HeartRateReport> {
        DeviceUpdates(gap: { .missed($0) }) { [self] in
            Loop(connection, holding: self, .waits) { $0(&$1.client.reports, &$1.turn) }
        }
    }

    /// The measurements, and nothing else: what is malformed or was dropped is counted.
    public var measurements: HeartRateMeasurements { HeartRateMeasurements(reports: reports) }

    /// The battery's level each time that the sensor tells it; most do so when it has changed.
    ///
    /// A sensor that does not tell is silent here, and one without a battery service makes the
    /// loop throw ``DeviceError/Kind/notSupported``. A value that is no level is left out.
    public var batteryLevels: DeviceUpdates<BatteryLevel> {
        DeviceUpdates { [self] in
            Loop(connection, holding: self, .listens) { $0(&$1.client.batteryLevels, &$1.turn) }
        }
    }

    /// Closes the link, for good, and returns when it is closed.
    public nonisolated(nonsending) func disconnect() async {
        await connection.disconnectAndWait()
    }
}

extension HeartRateSensor: CustomStringConvertible {
    /// The identity and the connection state.
    public var description: String {
        "heart-rate sensor \(PrintableText.escaped(identity.rawValue.utf8)), \(connectionState)"
    }
}

/// How a heart-rate sensor is connected to and listened to. The defaults suit an app that shows a
/// heart rate.
public struct HeartRateSensorOptions: Hashable, Sendable {
    /// The longest time to listen for sensors, in sum.
    public var findTimeout: Duration = .seconds(20)
    /// The time to go on listening after the first sensor, so that a nearer one is preferred.
    /// Zero takes the first.
    public var findWindow: Duration = .milliseconds(1500)
    /// The longest time until the sensor can be asked. Where several devices are tried, it is that
    /// for the first one, and that for all others together.
    public var connectTimeout: Duration = .seconds(30)
    /// Whether a lost link is made again.
    public var reconnect = ReconnectPolicy.untilConnected
    /// The time without a measurement after which a sensor that should measure has fallen silent;
    /// sensors send one a second or so. `nil` waits without end.
    public var silenceLimit: Duration? = .seconds(30)
    /// How many elements a sequence holds for a loop that is slow, before it drops the oldest.
    public var bufferLimit = 256

    /// The defaults.
    public init() {}
}

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
            let sensor = HeartRateSensor(to: identity, over: transport, options)
            try await sensor.connection.connect(within: timeout)
            return sensor
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
        let sensor = HeartRateSensor(to: identity, over: transport, options)
        try await sensor.connection.connect(within: options.connectTimeout)
        return sensor
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
    return try await using(sensor, body) { await $0.disconnect() }
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
    return try await using(sensor, body) { await $0.disconnect() }
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
