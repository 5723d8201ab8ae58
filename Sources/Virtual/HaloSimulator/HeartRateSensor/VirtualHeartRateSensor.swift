public import HaloProtocol
public import HaloTransport

/// A virtual heart-rate strap, following the services of the Bluetooth SIG.
///
/// It measures while a central is subscribed: the first measurement comes one interval after the
/// subscription, then one per interval. RR intervals are those of the beats since the last
/// measurement; the first beat has none. A measurement longer than the MTU allows is split. Every
/// tenth measurement has the energy, which grows up to 65,535 kJ while the strap measures and is
/// worn. The battery drains while it measures.
public struct VirtualHeartRateSensor: GATTPeripheral {
    /// The body sensor location, or `nil` for a sensor without this characteristic.
    package let location: BodySensorLocation.Location?
    /// The features and the formats of its values.
    package let options: VirtualHeartRateSensorOptions
    /// `true` while it is worn.
    public private(set) var isWorn = true
    /// The battery level in percent.
    public internal(set) var batteryPercent = 100
    package internal(set) var lastBeatsPerMinute: UInt16?

    /// The services of the sensor.
    public var services: [GATTService] { database.services }

    private var database = GATTDatabase()
    private let measurementAttribute: AttributeID
    private let batteryAttribute: AttributeID?
    var source: HeartRateSource
    var link = HeartRateSensorLink()
    var wall = RunningClock(showing: CivilDateTime(secondsSince1970: 0), at: .origin)
    var energyJoules: UInt64 = 0
    var measurementCount = 0
    var drained: Duration = .zero
    var rawValues: [[UInt8]] = []
    var hasNewBatteryLevel = false

    static let rawLimit = 256

    /// Creates a strap that a person wears, by default on the chest.
    public init(
        location: BodySensorLocation.Location? = .chest, wearer: Wearer = Wearer(),
        options: VirtualHeartRateSensorOptions = VirtualHeartRateSensorOptions()
    ) {
        self.init(location: location, source: .wearer(WornHeart(wearer)), options: options)
    }

    /// Creates a strap on a heart with a constant rate; intervals vary a little by the seed.
    public init(
        location: BodySensorLocation.Location? = .chest, beatsPerMinute: UInt16, seed: UInt64 = 0,
        options: VirtualHeartRateSensorOptions = VirtualHeartRateSensorOptions()
    ) {
        self.init(
            location: location, source: .steady(SteadyHeart(rate: beatsPerMinute, seed: seed)),
            options: options)
    }

    /// Creates a strap that sends exactly these measurements, one per interval. After the last one
    /// it stops, unless `repeats` is `true`.
    public init(
        location: BodySensorLocation.Location? = .chest, playing script: [HeartRateMeasurement],
        repeats: Bool = false,
        options: VirtualHeartRateSensorOptions = VirtualHeartRateSensorOptions()
    ) {
        self.init(
            location: location, source: .script(script, next: 0, repeats: repeats),
            options: options)
    }

    init(
        location: BodySensorLocation.Location?, source: HeartRateSource,
        options: VirtualHeartRateSensorOptions
    ) {
        self.location = location
        self.source = source
        self.options = options
        measurementAttribute = database.addHeartRateService(
            location: location, countsEnergy: options.countsEnergy)
        batteryAttribute =
            options.hasBattery
            ? database.add(StandardServices.battery) { service in
                service.add(CharacteristicCatalog.batteryLevel.uuid, [.read, .notify])
            } : nil
        let information = options.information.values
        guard !information.isEmpty else { return }
        database.add(StandardServices.deviceInformation) { service in
            for value in information { service.add(value.uuid, .read, value: value.bytes) }
        }
    }

    /// The energy since the last reset, as measurements report it.
    public var energyKilojoules: UInt16 { UInt16(clamping: energyJoules / 1000) }

    package var isMeasuring: Bool { link.nextMeasurement != nil }

    /// Takes the strap off: contact is lost, and there are no beats.
    public mutating func takeOff() {
        isWorn = false
        source.reset()
    }

    /// Puts the strap on.
    public mutating func putOn() {
        isWorn = true
    }

    /// Sets the battery level, 0 to 100 percent, and notifies a subscribed central.
    public mutating func setBattery(percent: Int) {
        let percent = percent.limited(to: 0...100)
        hasNewBatteryLevel = hasNewBatteryLevel || percent != batteryPercent
        batteryPercent = percent
        drained = .zero
    }

    /// Sets the energy counted so far.
    public mutating func setEnergy(kilojoules: UInt16) {
        energyJoules = UInt64(kilojoules) * 1000
    }

    /// Changes the source to a heart with a constant rate.
    public mutating func beat(atBeatsPerMinute rate: UInt16, seed: UInt64 = 0) {
        source = .steady(SteadyHeart(rate: rate, seed: seed))
    }

    /// Sends exactly these measurements from the next interval on. After the last one it stops,
    /// unless `repeats` is `true`.
    public mutating func play(_ script: [HeartRateMeasurement], repeats: Bool = false) {
        source = .script(script, next: 0, repeats: repeats)
    }

    /// Sends bytes as a measurement at once, without checking them, if a central is subscribed. At
    /// most 256 such values wait.
    public mutating func send(_ bytes: [UInt8]) {
        guard rawValues.count < Self.rawLimit else { return }
        rawValues.append(bytes)
    }
}

extension VirtualHeartRateSensor {
    /// Handles one event, and appends its effects.
    public mutating func handle(
        _ event: PeripheralEvent, at now: Moment, into effects: inout PeripheralEffects
    ) {
        switch event {
        case .started(let clock):
            wall.set(to: clock.local, at: now)
            effects.append(.advertise(advertisement))
        case .woken:
            measureWhatIsDue(at: now, into: &effects)
        case .changed:
            break
        case .connected, .disconnected:
            link = HeartRateSensorLink()
        case .maximumLength(let length):
            link.maximumLength = length
        case .read(let attribute, let offset, let token):
            read(attribute, offset, token, into: &effects)
        case .write(let attribute, let value, let token):
            write(value, to: attribute, token, into: &effects)
        case .subscription(let attribute, let isOn):
            subscribe(attribute, isOn, at: now)
        case .confirmed:
            break
        }
        sendPending(into: &effects)
        effects.wake(at: link.nextMeasurement)
    }

    var advertisement: PeripheralAdvertisement {
        PeripheralAdvertisement(
            .connectable(name: options.name, services: [StandardServices.heartRate]))
    }

    private func read(
        _ attribute: AttributeID, _ offset: Int, _ token: ResponseToken,
        into effects: inout PeripheralEffects
    ) {
        if let refusal = database.refusalToRead(attribute) {
            effects.refuse(refusal, token)
        } else if attribute == batteryAttribute {
            effects.respond(batteryLevel, from: offset, to: token)
        } else {
            let value = database.value(of: attribute) ?? []
            effects.respond(value, from: offset, to: token)
        }
    }

    private mutating func write(
        _ value: [UInt8], to attribute: AttributeID, _ token: ResponseToken?,
        into effects: inout PeripheralEffects
    ) {
        let mode: WriteMode = token == nil ? .withoutResponse : .withResponse
        if let refusal = database.refusalToWrite(attribute, mode) {
            return effects.refuse(refusal, token)
        }
        switch try? HeartRateControlPoint(decoding: value).operation {
        case .resetEnergy:
            energyJoules = 0
            effects.accept(token)
        case nil:
            effects.refuse(.controlPointNotSupported, token)
        }
    }

    private mutating func subscribe(_ attribute: AttributeID, _ isOn: Bool, at now: Moment) {
        if attribute == batteryAttribute { link.wantsBattery = isOn }
        guard attribute == measurementAttribute, isOn != isMeasuring else { return }
        link.nextMeasurement = isOn ? now + interval : nil
        source.reset()
    }

    private mutating func sendPending(into effects: inout PeripheralEffects) {
        if isMeasuring {
            for value in rawValues { effects.notify(measurementAttribute, value) }
        }
        rawValues = []
        if hasNewBatteryLevel, link.wantsBattery, let battery = batteryAttribute {
            effects.notify(battery, batteryLevel)
        }
        hasNewBatteryLevel = false
    }

    private var batteryLevel: [UInt8] {
        (try? BatteryLevel(percent: UInt8(clamping: batteryPercent)))?.bytes ?? []
    }

    /// The time between measurements, limited to 10 ms to a day.
    var interval: Duration { min(max(options.interval, .milliseconds(10)), .seconds(86_400)) }

    /// The maximum number of measurements that are sent late after a jump in time; others are
    /// skipped.
    private static var mostAtOnce: Int { 4 }
    /// The maximum number of RR intervals of one measurement; the latest are kept.
    private static var mostIntervals: Int { 128 }

    mutating func measureWhatIsDue(at now: Moment, into effects: inout PeripheralEffects) {
        var count = 0
        while let due = link.nextMeasurement, due <= now {
            guard count < Self.mostAtOnce else {
                // The skipped beats are not sent, so the next one has no interval.
                source.reset()
                link.nextMeasurement = now + interval
                return
            }
            measure(at: due, into: &effects)
            link.nextMeasurement = due + interval
            count += 1
        }
    }

    private mutating func measure(at now: Moment, into effects: inout PeripheralEffects) {
        drain()
        guard let measurement = nextMeasurement(at: now) else { return }
        lastBeatsPerMinute = measurement.beatsPerMinute
        let pieces = try? measurement.split(maximumLength: link.maximumLength)
        for piece in pieces ?? [measurement] {
            effects.notify(measurementAttribute, piece.bytes)
        }
    }

    private mutating func nextMeasurement(at now: Moment) -> HeartRateMeasurement? {
        let heard = source.heard(from: now - interval, to: now, by: wall, isWorn: isWorn)
        guard let heard else { return source.nextOfScript() }
        return measurement(ofRate: heard.rate, heard.intervals)
    }

    private mutating func measurement(
        ofRate rate: UInt16, _ intervals: [UInt16]
    ) -> HeartRateMeasurement? {
        let withoutContact = options.reportsZeroWithoutContact ? 0 : lastBeatsPerMinute ?? 0
        let shown = isWorn ? rate : withoutContact
        if isWorn { count(energyAt: rate) }
        measurementCount += 1
        let hasEnergy =
            options.countsEnergy
            && measurementCount % max(options.measurementsPerEnergy, 1) == 0
        return try? HeartRateMeasurement(
            beatsPerMinute: shown, width: shown > UInt16(UInt8.max) ? .twoBytes : options.width,
            contact: contact, energyKilojoules: hasEnergy ? energyKilojoules : nil,
            rrIntervals: options.sendsIntervals ? intervals.suffix(Self.mostIntervals) : [])
    }

    private var contact: HeartRateMeasurement.Contact {
        guard options.reportsContact else { return .notSupported }
        return isWorn ? .detected : .notDetected
    }

    /// Adds the energy of one measurement: 80 joules a second for an adult at rest, and 10 more for
    /// each beat per minute above 60. A rough rule; the number only has to grow.
    private mutating func count(energyAt rate: UInt16) {
        let watts = 80 + 10 * UInt64(max(rate, 60) - 60)
        // At most a day at 65,535 beats per minute: far from the limits of 64 bits.
        let milliseconds = UInt64(clamping: interval.wholeMicroseconds / 1000)
        energyJoules += watts * milliseconds / 1000
    }

    private mutating func drain() {
        let percentLife = options.batteryLife / 100
        guard percentLife > .zero else { return }
        drained += interval
        while drained >= percentLife && batteryPercent > 0 {
            drained -= percentLife
            batteryPercent -= 1
            hasNewBatteryLevel = true
        }
    }
}

struct HeartRateSensorLink: Hashable, Sendable {
    var maximumLength = defaultMaximumLength
    var wantsBattery = false
    /// The moment of the next measurement, or `nil` without a subscription.
    var nextMeasurement: Moment?

    /// The longest value at the default MTU of 23.
    private static let defaultMaximumLength = 20
}
