import HaloDevices
import HaloHealth
import HaloProtocol
import HaloSimulator
import HaloTransport

struct DemoRecord: Sendable {
    let seed: UInt64
    let days: Int
    let profile: RingProfile
    let ring: Discovery
    let strap: Discovery
    let firmware: String
    let hardware: String
    let battery: BatteryCharge
    let history: RingHistory
    let readings: [HeartRateReading]
    /// The last of the strap's readings from the same time.
    let strapReadings: [HeartRateSensor.Measurement]
    let end: CivilDateTime
    let duration: Duration

    /// A Sunday evening: the week, and most of its last day, lie before it.
    private static let start = VirtualBluetooth.defaultStart
        .advanced(bySeconds: (6 * 24 + 11) * 3600 + 50 * 60)
    private static let readingCount = 5

    static nonisolated(nonsending) func make(
        seed: UInt64, days: Int, profile: RingProfile
    ) async throws(DeviceError) -> DemoRecord {
        let air = VirtualBluetooth(seed: seed, startingAt: start)
        let wearer = VirtualWear.wearer(seed: seed)
        air.add(
            VirtualRing(
                profile, wearer: wearer, days: days,
                options: VirtualWear.ringOptions(seed: seed)))
        air.add(VirtualHeartRateSensor(location: .chest, wearer: wearer))

        let foundRing = try await Ring.find(over: air)
        let ring = try await Ring.connect(to: foundRing, over: air)
        let battery = try await ring.battery()
        let history = try await ring.history(days: days)

        let foundStrap = try await HeartRateSensor.find(over: air)
        let strap = try await HeartRateSensor.connect(to: foundStrap.identity, over: air)
        var measurements = strap.measurements.makeAsyncIterator()
        let readings = try await readings(of: ring)
        var strapReadings: [HeartRateSensor.Measurement] = []
        let now = air.time.now()
        while let reading = try await measurements.next(), reading.moment < now {
            strapReadings.append(reading)
        }
        await strap.disconnect()
        await ring.disconnect()
        return DemoRecord(
            seed: seed, days: days, profile: profile, ring: foundRing.discovery,
            strap: foundStrap, firmware: ring.firmware?.description ?? "?",
            hardware: ring.hardware?.description ?? "?", battery: battery, history: history,
            readings: readings, strapReadings: strapReadings.suffix(readingCount),
            end: air.time.wallClock().local, duration: air.time.now().duration(since: .origin))
    }

    private static nonisolated(nonsending) func readings(
        of ring: Ring
    ) async throws(DeviceError) -> [HeartRateReading] {
        var readings: [HeartRateReading] = []
        var measurement = ring.measure(.heartRate).makeAsyncIterator()
        while let reading = try await measurement.next() {
            readings.append(reading)
            if readings.count == readingCount { break }
        }
        return readings
    }

    /// The days from the first one with values on, the earliest first.
    var summaries: [DaySummary] {
        let dates = (0..<days).reversed().compactMap { history.today.advanced(byDays: -$0) }
        return Array(DaySummary.all(dates, in: history).drop { $0.isEmpty })
    }

    var page: [UInt8] {
        let level = TimedSample(
            time: end, minutes: 1, secondsFromUTC: history.secondsFromUTC, value: battery)
        return HealthReport(
            history, ring: ring.nameInWords, battery: [level], remark: HealthReport.virtualRemark
        ).htmlBytes()
    }

    /// The number of days, of those that were asked for, before the first one with values.
    var daysNotKept: Int { days - summaries.count }
}

extension Discovery {
    var nameInWords: String { name ?? "(no name)" }
}

extension SleepRecord {
    /// The predominant stage between two minutes of the night.
    ///
    /// A minute awake counts three times, because short ones would never show otherwise.
    func stage(from start: Int, to end: Int) -> Stage? {
        var minute = 0
        var best: (stage: Stage, weight: Int)?
        for stage in stages {
            let overlap = min(minute + stage.minutes, end) - max(minute, start)
            minute += stage.minutes
            if stage.value == .unclassified { continue }
            let weight = stage.value == .awake ? 3 * overlap : overlap
            if weight > best?.weight ?? 0 { best = (stage.value, weight) }
        }
        return best?.stage
    }
}
