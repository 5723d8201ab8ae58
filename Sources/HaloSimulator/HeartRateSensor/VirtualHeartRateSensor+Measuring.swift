internal import HaloProtocol
internal import HaloTransport

extension VirtualHeartRateSensor {
    /// How many measurements are made up for when time has jumped; the others are left out.
    private static var mostAtOnce: Int { 4 }
    /// How many times between beats one measurement keeps: the latest ones.
    private static var mostIntervals: Int { 128 }

    mutating func measureWhatIsDue(at now: Moment, into effects: inout PeripheralEffects) {
        var count = 0
        while let due = link.nextMeasurement, due <= now {
            guard count < Self.mostAtOnce else {
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
            effects.notify(attributes.measurement, piece.bytes)
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
        let withoutContact = options.saysZeroWithoutContact ? 0 : lastBeatsPerMinute ?? 0
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
        guard options.tellsContact else { return .notSupported }
        return isWorn ? .detected : .notDetected
    }

    /// A grown person at rest spends some 80 joules a second, and some 10 more for each beat
    /// above 60 in a minute: a rough rule, and good enough for a number that grows.
    private mutating func count(energyAt rate: UInt16) {
        let watts = 80 + 10 * UInt64(max(rate, 60) - 60)
        let milliseconds = UInt64(clamping: interval.wholeMicroseconds / 1000)
        let (joules, overflow) = watts.multipliedReportingOverflow(by: milliseconds)
        let (sum, carry) = energyJoules.addingReportingOverflow(joules / 1000)
        energyJoules = overflow || carry ? .max : sum
    }

    private mutating func drain() {
        let percentLife = options.batteryLife / 100
        guard percentLife > .zero else { return }
        drained += interval
        while drained >= percentLife && batteryPercent > 0 {
            drained -= percentLife
            batteryPercent -= 1
            isBatteryNews = true
        }
    }
}
