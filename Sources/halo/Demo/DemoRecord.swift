import HaloDevices
import HaloProtocol
import HaloSimulator
import HaloTransport

/// What came of a demonstration.
struct DemoRecord: Sendable {
    /// A device that was heard and connected to.
    struct Device: Sendable {
        let name: String
        let rssi: Int?
    }

    let options: DemoOptions
    let ring: Device
    let strap: Device
    let firmware: String
    let hardware: String
    let battery: BatteryCharge
    let history: RingHistory
    /// What the ring measured.
    let beats: [HeartRateReading]
    /// What the strap measured meanwhile, as far as it is shown.
    let strapBeats: [MeasuredHeartRate]
    /// What a clock on the wall shows when all is done.
    let end: CivilDateTime
    /// How long it would have taken on the air.
    let duration: Duration

    /// A Sunday evening: the week is over, and the day nearly.
    private static let start = VirtualBluetooth.defaultStart
        .advanced(bySeconds: (6 * 24 + 11) * 3600 + 50 * 60)
    private static let readings = 5

    /// Finds, connects, reads and measures: what an app does, with what is virtual.
    static nonisolated(nonsending) func make(
        _ options: DemoOptions
    ) async throws(DeviceError) -> DemoRecord {
        let air = VirtualBluetooth(seed: options.seed, startingAt: start)
        let wearer = Wearer(seed: options.seed, restingHeartRate: 54)
        air.add(
            VirtualRing(
                options.profile, wearer: wearer, days: options.days,
                options: VirtualRingOptions(seed: options.seed, batteryPercent: 83)))
        air.add(VirtualHeartRateSensor(location: .chest, wearer: wearer))

        let foundRing = try await Ring.find(over: air)
        let ring = try await Ring.connect(to: foundRing.identity, over: air)
        let battery = try await ring.battery()
        let history = try await ring.history(days: options.days)

        let foundStrap = try await HeartRateSensor.find(over: air)
        let strap = try await HeartRateSensor.connect(to: foundStrap.identity, over: air)
        var strapMeasurements = strap.measurements.makeAsyncIterator()
        let beats = try await readings(of: ring)
        var strapBeats: [MeasuredHeartRate] = []
        let now = air.time.now()
        while let beat = try await strapMeasurements.next(), beat.moment < now {
            strapBeats.append(beat)
        }
        await strap.disconnect()
        await ring.disconnect()
        return DemoRecord(
            options: options, ring: Device(foundRing), strap: Device(foundStrap),
            firmware: ring.firmware?.description ?? "?",
            hardware: ring.hardware?.description ?? "?", battery: battery, history: history,
            beats: beats, strapBeats: strapBeats.suffix(readings),
            end: air.time.wallClock().local, duration: air.time.now().duration(since: .origin))
    }

    private static nonisolated(nonsending) func readings(
        of ring: Ring
    ) async throws(DeviceError) -> [HeartRateReading] {
        var beats: [HeartRateReading] = []
        var measurement = ring.measure(.heartRate).makeAsyncIterator()
        while let beat = try await measurement.next() {
            beats.append(beat)
            if beats.count == readings { break }
        }
        return beats
    }
}

extension DemoRecord.Device {
    fileprivate init(_ discovery: Discovery) {
        self.init(name: discovery.name ?? "(no name)", rssi: discovery.rssi)
    }
}
