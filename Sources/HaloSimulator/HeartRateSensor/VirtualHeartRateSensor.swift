public import HaloProtocol
public import HaloTransport

/// A heart-rate strap that does not exist, as the Bluetooth SIG's services say one behaves.
///
/// It measures while somebody is subscribed: the first measurement comes one interval after that,
/// and then one each interval. Times between beats are those of the beats since the measurement
/// before; the first beat that is heard has none before it. A measurement that is longer than the
/// link allows is sent in pieces. Energy stands in every tenth measurement, counts while the strap
/// measures and is worn, and stays at 65,535. The battery drains while it measures.
public struct VirtualHeartRateSensor: GATTPeripheral {
    /// Where it is worn; without, it has no such characteristic.
    public let location: BodySensorLocation.Place?
    /// What it is able to, and how it says things.
    public let options: VirtualHeartRateSensorOptions
    /// Whether it is worn.
    public private(set) var isWorn = true
    /// How full the battery is.
    public internal(set) var batteryPercent: UInt8 = 100
    /// The rate of the last measurement; nothing before the first one.
    public internal(set) var lastBeatsPerMinute: UInt16?

    /// What the device consists of.
    public var services: [GATTService] { attributes.database.services }

    let attributes: HeartRateSensorAttributes
    var source: HeartRateSource
    var link = HeartRateSensorLink()
    var wall = SensorClock()
    var energyJoules: UInt64 = 0
    var measurementCount = 0
    var drained: Duration = .zero
    /// Bytes to be sent as they are, at the next occasion.
    var rawValues: [[UInt8]] = []
    var isBatteryNews = false

    /// How many bytes of ``send(_:)`` wait at most.
    static let rawLimit = 256

    /// A strap on a person's chest, or elsewhere.
    public init(
        location: BodySensorLocation.Place? = .chest, wearer: Wearer = Wearer(),
        options: VirtualHeartRateSensorOptions = VirtualHeartRateSensorOptions()
    ) {
        self.init(location: location, source: .wearer(WornHeart(wearer)), options: options)
    }

    /// A strap on a heart that beats steadily, a little differently for each seed.
    public init(
        location: BodySensorLocation.Place? = .chest, beatsPerMinute: UInt16, seed: UInt64 = 0,
        options: VirtualHeartRateSensorOptions = VirtualHeartRateSensorOptions()
    ) {
        self.init(
            location: location, source: .steady(SteadyHeart(rate: beatsPerMinute, seed: seed)),
            options: options)
    }

    /// A strap that sends just these measurements, one each interval, and then nothing more.
    public init(
        location: BodySensorLocation.Place? = .chest, playing script: [HeartRateMeasurement],
        repeats: Bool = false,
        options: VirtualHeartRateSensorOptions = VirtualHeartRateSensorOptions()
    ) {
        self.init(
            location: location, source: .script(script, next: 0, repeats: repeats),
            options: options)
    }

    init(
        location: BodySensorLocation.Place?, source: HeartRateSource,
        options: VirtualHeartRateSensorOptions
    ) {
        self.location = location
        self.source = source
        self.options = options
        attributes = HeartRateSensorAttributes(location: location, options: options)
    }

    /// Energy spent since the last reset, as far as a measurement can say it.
    public var energyKilojoules: UInt16 { UInt16(clamping: energyJoules / 1000) }

    /// Whether somebody is subscribed to measurements.
    public var isMeasuring: Bool { link.nextMeasurement != nil }

    /// Takes the strap off: contact is lost, and no beat is heard.
    public mutating func takeOff() {
        isWorn = false
        source.lose()
    }

    /// Puts the strap on again.
    public mutating func putOn() {
        isWorn = true
    }

    /// Sets the battery's level, 100 at most; who is subscribed to it is told.
    public mutating func setBattery(_ percent: UInt8) {
        let percent = min(percent, 100)
        isBatteryNews = isBatteryNews || percent != batteryPercent
        batteryPercent = percent
        drained = .zero
    }

    /// Sets what has been counted of energy.
    public mutating func setEnergy(kilojoules: UInt16) {
        energyJoules = UInt64(kilojoules) * 1000
    }

    /// Lets the heart beat steadily at a rate.
    public mutating func beat(atBeatsPerMinute rate: UInt16, seed: UInt64 = 0) {
        source = .steady(SteadyHeart(rate: rate, seed: seed))
    }

    /// From the next interval on, sends just these measurements, and then nothing more.
    public mutating func play(_ script: [HeartRateMeasurement], repeats: Bool = false) {
        source = .script(script, next: 0, repeats: repeats)
    }

    /// Sends bytes as a measurement at once, whatever they say, if somebody is subscribed; 256
    /// such values can wait.
    public mutating func send(_ bytes: [UInt8]) {
        guard rawValues.count < Self.rawLimit else { return }
        rawValues.append(bytes)
    }
}
