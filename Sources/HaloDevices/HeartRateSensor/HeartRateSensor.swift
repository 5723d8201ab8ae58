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
    let core: HeartRateSensorCore

    init(_ core: HeartRateSensorCore) {
        self.core = core
    }

    deinit { core.disconnect() }

    /// The device at the other end, by which it can be connected to again.
    public var identity: PeripheralIdentity { core.identity }

    /// How it was connected to.
    public var options: HeartRateSensorOptions { core.options }

    /// The time that passes where the sensor is.
    public var time: any TransportTime { core.time }

    /// The link as it is now, for what is not offered here; nothing while there is none.
    public var link: BLELink? { core.link }

    /// How it stands with the link.
    public var connectionState: ConnectionState { core.connectionState }

    /// How it stands with the link, now and after each change, until the sensor is disconnected
    /// for good.
    public var connectionStates: DeviceUpdates<ConnectionState> {
        DeviceUpdates { [self] in
            let mailbox = core.listenToStates()
            return (mailbox, { [self] in core.endListening(toStates: mailbox) })
        }
    }

    /// Waits until the sensor can be asked; throws if it never will be again.
    public nonisolated(nonsending) func connected() async throws(DeviceError) {
        try await core.waitUntilConnected()
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
            let mailbox = core.listenToMeasurements()
            return (mailbox, { [self] in core.endListening(toMeasurements: mailbox) })
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
            let mailbox = core.listenToBattery()
            return (mailbox, { [self] in core.endListening(toBattery: mailbox) })
        }
    }

    /// Closes the link, for good, and returns when it is closed.
    public nonisolated(nonsending) func disconnect() async {
        await core.disconnectAndWait()
    }
}

extension HeartRateSensor: CustomStringConvertible {
    /// Which one it is, and how it stands with the link.
    public var description: String {
        "heart-rate sensor \(PrintableText.escaped(identity.rawValue.utf8)), \(connectionState)"
    }
}
