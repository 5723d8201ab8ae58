internal import HaloProtocol
internal import HaloTransport

/// The client of a heart-rate sensor's connection. The device is recognised by its service, and
/// subscribed to during loops.
///
/// The session outlives links, so that beats are numbered across them.
struct HeartRateSensorClient: DeviceClient {
    enum Channel: Hashable, Sendable, CaseIterable {
        case measurement
        case battery
    }

    private var measurement: GATTCharacteristic?
    private var battery: GATTCharacteristic?
    private var session: HeartRateSensorSession
    private var isReady = false
    var reports: Consumers<HeartRateSensor.Report>
    var batteryCharges: Consumers<BatteryCharge>

    init(_ options: HeartRateSensorOptions) {
        var rules = HeartRateSensorSession.Rules()
        rules.silenceTimeout = options.silenceTimeout
        session = HeartRateSensorSession(rules)
        reports = Consumers(limit: options.bufferLimit) { .missed($0) }
        batteryCharges = Consumers(limit: options.bufferLimit)
    }

    // MARK: The device

    var preparation: [PreparationStep<HeartRateSensorClient>] { [.discover] }

    mutating func found(_ services: [GATTService]) throws(DeviceError) {
        let uuid = CharacteristicCatalog.heartRateMeasurement.uuid
        guard let found = services.source(uuid, of: StandardServices.heartRate) else {
            throw DeviceError(BLEError(.wrongDevice, .discover, uuid: uuid))
        }
        measurement = found
        battery = services.source(
            CharacteristicCatalog.batteryLevel.uuid, of: StandardServices.battery)
    }

    func source(of channel: Channel) -> GATTCharacteristic? {
        switch channel {
        case .measurement: measurement
        case .battery: battery
        }
    }

    // MARK: The link

    mutating func ready(_ context: inout Context) { isReady = true }

    mutating func linkEnded(
        _ reason: DisconnectReason?, end: Result<Void, DeviceError>?, _ context: inout Context
    ) {
        if isReady, end == nil { reports.send(.interrupted) }
        isReady = false
        session.unsubscribed()
        (measurement, battery) = (nil, nil)
    }

    mutating func closed(_ end: Result<Void, DeviceError>, _ context: inout Context) {
        reports.finish(end)
        batteryCharges.finish(end)
    }

    // MARK: Channels

    static var onDemand: [Channel] { Channel.allCases }

    func isWanted(_ channel: Channel) -> Bool {
        switch channel {
        case .measurement: reports.count > 0
        case .battery: batteryCharges.count > 0
        }
    }

    mutating func subscribed(to channel: Channel, at now: Moment) {
        if channel == .measurement { session.subscribed(at: now) }
    }

    mutating func unsubscribed(from channel: Channel) {
        if channel == .measurement { session.unsubscribed() }
    }

    mutating func refused(
        _ channel: Channel, _ error: DeviceError, _ context: inout Context
    ) {
        var error = error
        switch channel {
        case .measurement:
            if error.kind == .notSupported { error.command = HeartRateMeasurement.name.subject }
            reports.finish(.failure(error))
        case .battery:
            if error.kind == .notSupported { error.command = BatteryLevel.name.subject }
            batteryCharges.finish(.failure(error))
        }
    }

    // MARK: Values

    mutating func receive(
        _ bytes: [UInt8], of attribute: AttributeID, _ context: inout Context
    ) {
        if attribute == measurement?.id {
            session.receive(bytes, at: context.now)
            flush(&context)
        } else if attribute == battery?.id, let level = try? BatteryLevel(decoding: bytes),
            let percent = level.percent
        {
            batteryCharges.send(
                BatteryCharge(percent: Int(percent), isCharging: nil))
        }
    }

    var deadline: Moment? { session.deadline }

    mutating func tick(_ context: inout Context) {
        session.tick(at: context.now)
        flush(&context)
    }

    private mutating func flush(_ context: inout Context) {
        let (now, wall) = (context.now, context.wallClock)
        while let effect = session.nextEffect() {
            switch effect {
            case .measured(let measured):
                let heartRate = HeartRateSensor.Measurement(
                    measured.measurement, measured.beats, at: now, wall)
                reports.send(.measurement(heartRate))
            case .malformed(let bytes, let error):
                reports.send(.malformed(bytes, now, error))
            case .contact(let contact):
                reports.send(.contact(isTouchingSkin: contact == .detected))
            case .silent: reports.finish(.failure(DeviceError(.silent)))
            case .dropped(let count): reports.send(.missed(count))
            }
        }
    }
}
