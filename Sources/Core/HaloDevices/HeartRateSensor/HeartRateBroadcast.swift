public import HaloProtocol
public import HaloTransport

/// A heart-rate strap without a sensor: it serves the heart rate of a ring to programs that know
/// only straps.
///
///     let strap = try await BlueZTransport().host(HeartRateBroadcast())
///     try await ring.broadcastHeartRate(through: strap)
///
/// It advertises the Heart Rate service of the Bluetooth SIG, 180D, which has measurements (2A37)
/// and a location (2A38). A subscribed central gets a measurement each second:
///
/// - The last heart rate, with skin contact, until ``holdTime`` after it was received. With it
///   come the intervals between beats that were received since the measurement before.
/// - 0 bpm without skin contact otherwise: before the first heart rate, after ``loseContact()``,
///   and when no heart rate has come for ``holdTime``.
///
/// Straps off the skin were recorded to send the same 0, and an old heart rate that is sent for
/// ever spoils recordings (qdomyos-zwift#3817). Measurements do not pause, because programs may
/// take silence for a lost strap. It counts no energy, so it has no control point. It has no
/// battery either: the app's system has its own battery service, and an iPhone refuses another one.
public struct HeartRateBroadcast: GATTPeripheral {
    /// The name that it advertises, cut to the length that an advertisement has room for.
    public let name: String
    /// The body sensor location; `nil` for a strap without this characteristic.
    public let location: BodySensorLocation.Location?
    /// The longest time for which a heart rate is repeated.
    ///
    /// A ring may be silent for half a minute: some end a measurement after ten values, and the
    /// next one begins with 26 seconds without a value. Shorter times show 0 bpm meanwhile.
    public let holdTime: Duration

    /// The services of the strap.
    public var services: [GATTService] { database.services }

    /// `true` while a central is subscribed to measurements.
    public var isSubscribed: Bool { nextMeasurement != nil }

    private var database = GATTDatabase()
    private let measurementAttribute: AttributeID
    /// What was received since the last event; `nil` for lost contact.
    private var received: [HeartRateReading?] = []
    private var heartRate: HeldHeartRate?
    /// The beats since the last measurement, in 1024ths of a second.
    private var beats: [UInt16] = []
    private var repeatedBeats = RepeatedBeats()
    private var maximumLength = Self.defaultMaximumLength
    /// The moment of the next measurement; `nil` without a subscription.
    private var nextMeasurement: Moment?

    private struct HeldHeartRate: Sendable {
        let beatsPerMinute: UInt16
        let end: Moment
    }

    private static let interval: Duration = .seconds(1)
    /// The longest value at the default MTU of 23.
    private static let defaultMaximumLength = 20
    /// The flags and a heart rate of two bytes.
    private static let headerLength = 3
    private static let mostReceived = 64
    private static let mostBeats = 64

    /// Creates a strap, by default on a finger.
    public init(
        name: String = "Halo HR", location: BodySensorLocation.Location? = .finger,
        holdTime: Duration = .seconds(40)
    ) {
        self.name = name
        self.location = location
        self.holdTime = holdTime
        measurementAttribute = database.addHeartRateService(
            location: location, countsEnergy: false)
    }

    /// Receives a heart rate; one that is not above 0 is lost contact.
    ///
    /// An interval between beats that a ring repeats is sent once.
    public mutating func receive(_ reading: HeartRateReading) { add(reading) }

    /// Receives a report of a ring's measurement: a reading, or that the ring is not worn. Others
    /// change nothing.
    public mutating func receive(_ report: LiveReport<HeartRateReading>) {
        switch report {
        case .reading(let reading): add(reading)
        case .notWorn: loseContact()
        // While it warms up, some rings report intervals that are none.
        case .warmingUp, .other, .interrupted, .missed: break
        }
    }

    /// Drops the heart rate: measurements have 0 bpm, without skin contact, until the next one.
    public mutating func loseContact() { add(nil) }

    private mutating func add(_ reading: HeartRateReading?) {
        if received.count == Self.mostReceived { received.removeFirst() }
        received.append(reading)
    }
}

extension HeartRateBroadcast {
    /// Handles one event, and appends its effects.
    public mutating func handle(
        _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects
    ) {
        takeReceived(at: now)
        switch event {
        case .started:
            effects.append(
                .advertise(
                    PeripheralAdvertisement(
                        .connectable(name: name, services: [StandardServices.heartRate]))))
        case .connected, .disconnected:
            nextMeasurement = nil
            maximumLength = Self.defaultMaximumLength
        case .maximumLength(let length): maximumLength = length
        case .read(let attribute, let offset, let token):
            if let refusal = database.refusalToRead(attribute) {
                effects.refuse(refusal, token)
            } else {
                effects.respond(database.value(of: attribute) ?? [], from: offset, to: token)
            }
        case .write(let attribute, _, let token):
            let mode: WriteMode = token == nil ? .withoutResponse : .withResponse
            effects.refuse(
                database.refusalToWrite(attribute, mode) ?? .writeNotPermitted, token)
        case .subscription(measurementAttribute, let isOn):
            guard isOn != isSubscribed else { break }
            nextMeasurement = isOn ? now + Self.interval : nil
            // The beats before the subscription are of another time.
            beats = []
        case .woken: measure(at: now, into: &effects)
        case .changed, .subscription, .confirmed: break
        }
        effects.wake(at: nextMeasurement)
    }

    private mutating func takeReceived(at now: Moment) {
        for reading in received {
            let rate = UInt16(clamping: reading?.beatsPerMinute ?? 0)
            guard let reading, rate > 0 else {
                heartRate = nil
                beats = []
                repeatedBeats = RepeatedBeats()
                continue
            }
            heartRate = HeldHeartRate(beatsPerMinute: rate, end: now + holdTime)
            guard isSubscribed, let interval = reading.beatInterval,
                let ticks = HeartRateMeasurement.ticks(interval),
                repeatedBeats.isNew(interval, at: now)
            else { continue }
            if beats.count == Self.mostBeats { beats.removeFirst() }
            beats.append(ticks)
        }
        received = []
    }

    private mutating func measure(at now: Moment, into effects: inout PeripheralEffects) {
        guard let due = nextMeasurement, due <= now else { return }
        // After a pause of the program there is one measurement, and not one for each second.
        nextMeasurement = due + Self.interval > now ? due + Self.interval : now + Self.interval
        guard let measurement = measurement(at: now) else { return }
        effects.notify(measurementAttribute, measurement.bytes)
        beats = []
    }

    private func measurement(at now: Moment) -> HeartRateMeasurement? {
        guard let heartRate, now < heartRate.end else {
            return try? HeartRateMeasurement(beatsPerMinute: 0, contact: .notDetected)
        }
        let room = max(maximumLength - Self.headerLength, 0) / 2
        return try? HeartRateMeasurement(
            beatsPerMinute: heartRate.beatsPerMinute, contact: .detected,
            rrIntervals: beats.suffix(room))
    }
}

extension Ring {
    /// Measures the heart rate, and serves it as that of a strap until the task is cancelled.
    ///
    ///     let strap = try await bluetooth.host(HeartRateBroadcast())
    ///     try await ring.broadcastHeartRate(through: strap)
    ///
    /// The measurement is restarted when the ring ends it, and after a lost link. At its end the
    /// strap loses contact, and stays until `Hosted.remove()`. An app that shows the heart rate,
    /// too, passes on reports in a loop of its own:
    ///
    ///     for try await report in ring.reports(of: .heartRate, repeating: true) {
    ///         strap.modify { $0.receive(report) }
    ///     }
    ///
    /// - Parameters:
    ///   - strap: The strap, which a backend hosts.
    ///   - measurement: The measurement of the ring.
    public nonisolated(nonsending) func broadcastHeartRate(
        through strap: Hosted<HeartRateBroadcast>,
        measuring measurement: LiveMeasurement<HeartRateReading> = .heartRate
    ) async throws(DeviceError) {
        defer { strap.modify { $0.loseContact() } }
        var reports = reports(of: measurement, repeating: true).makeAsyncIterator()
        while let report = try await reports.next() { strap.modify { $0.receive(report) } }
    }
}
