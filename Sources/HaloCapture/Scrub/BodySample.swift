import HaloTransport

/// What can be measured on a body, one value at a time, with what a seeded body has.
///
/// The ranges are those of a healthy adult in the units of the wire. They decide nothing: they
/// only keep a scrubbed capture believable.
enum BodySample: Hashable, Sendable {
    case pulse, oxygen, stress, variability, skinTemperature, hundredthsOfCelsius, sugar
    case systolic, diastolic, beatInterval, beatTicks
    case slotSteps, slotEnergy, slotMetres, nightMinutes, speed, stepRate, light
    case age, height, weight, pulseFloor, pulseCeiling
    case goalSteps, goalCalories, goalMetres, goalMinutes

    /// The least and the most.
    var range: ClosedRange<UInt64> {
        switch self {
        case .pulse: 50...128
        case .oxygen: 92...99
        case .stress: 12...88
        case .variability: 18...95
        case .skinTemperature: 150...172
        case .hundredthsOfCelsius: 3450...3720
        case .sugar: 70...150
        case .systolic: 102...138
        case .diastolic: 62...88
        case .beatInterval: 480...1200
        case .beatTicks: 490...1230
        case .slotSteps: 8...1900
        case .slotEnergy: 5...900
        case .slotMetres: 6...1400
        case .nightMinutes: 240...560
        case .speed: 20...250
        case .stepRate: 60...180
        case .light: 2000...52_000
        case .age: 19...79
        case .height: 150...197
        case .weight: 46...112
        case .pulseFloor: 40...55
        case .pulseCeiling: 100...180
        case .goalSteps: 3000...19_500
        case .goalCalories: 100_000...900_000
        case .goalMetres: 2000...15_000
        case .goalMinutes: 20...120
        }
    }

    /// How far one value may lie from the one before; nothing where they have nothing in common.
    var step: UInt64? {
        switch self {
        case .pulse: 4
        case .oxygen, .skinTemperature: 1
        case .stress, .variability: 6
        case .hundredthsOfCelsius: 8
        case .sugar, .systolic, .diastolic: 3
        case .beatInterval, .beatTicks: 40
        case .light: 900
        default: nil
        }
    }
}

/// What a body adds up.
enum BodyTotal: Hashable, Sendable {
    case steps, calories, metres, minutes, energy
}

/// A body that has nothing to do with the one that was measured.
///
/// Each quantity wanders through its range by small steps, and no value depends on one that was
/// measured.
struct SeededBody: Sendable {
    private var current: [BodySample: UInt64] = [:]

    /// The next value of a quantity.
    mutating func next(_ sample: BodySample, _ random: inout SplitMix) -> UInt64 {
        let range = sample.range
        guard let step = sample.step, let last = current[sample] else {
            let value = random.remainder(in: range)
            current[sample] = value
            return value
        }
        let least = last > range.lowerBound &+ step ? last &- step : range.lowerBound
        let most = min(last &+ step, range.upperBound)
        let value = random.remainder(in: least...max(least, most))
        current[sample] = value
        return value
    }
}

extension SplitMix {
    /// A byte that is not zero.
    mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: remainder(in: 1...255)) }
}

/// Totals in place of totals: what was equal stays equal, and what was more stays more.
///
/// How much more is drawn for each step between two totals of the capture, and for all steps of
/// a quantity together: a capture of many small steps would tell their sum otherwise.
struct SeededTotals: Sendable {
    private var seen: [BodyTotal: Set<UInt64>] = [:]
    private var scale: [BodyTotal: [UInt64: UInt64]] = [:]

    private static let percent: ClosedRange<UInt64> = 40...160
    /// No total of a packet is larger: they have at most four bytes.
    private static let mostTotal = UInt64(UInt32.max)

    /// Notes a total of the capture.
    mutating func learn(_ total: BodyTotal, _ value: UInt64) {
        seen[total, default: []].insert(min(value, Self.mostTotal))
    }

    /// Draws what stands for the totals that were noted.
    mutating func draw(_ random: inout SplitMix) {
        for total in [BodyTotal.steps, .calories, .metres, .minutes, .energy] {
            let percent = random.remainder(in: Self.percent)
            var drawn: [UInt64: UInt64] = [0: 0]
            var last: (old: UInt64, new: UInt64) = (0, 0)
            for value in (seen[total] ?? []).sorted() where value > 0 {
                let most = max(1, (value - last.old) * 2 * percent / 100)
                last = (value, last.new + random.remainder(in: 1...most))
                drawn[value] = last.new
            }
            scale[total] = drawn
        }
        seen = [:]
    }

    /// What stands for a total; nothing for one that was not noted.
    func value(_ total: BodyTotal, _ value: UInt64) -> UInt64? { scale[total]?[value] }
}
