import HaloProtocol
import HaloTransport

/// The range and the steps of a quantity of a seeded body.
///
/// The ranges are of a healthy adult, in the units of the packets: so a scrubbed capture stays
/// plausible.
extension BodyQuantity {
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

    /// The maximum difference of adjacent values; `nil` if they are independent.
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

/// A generator of samples that do not depend on measured ones.
///
/// Each quantity moves through its range by small steps.
struct SeededBody: Sendable {
    private var current: [BodyQuantity: UInt64] = [:]

    mutating func next(_ quantity: BodyQuantity, _ random: inout SplitMix) -> UInt64 {
        let range = quantity.range
        guard let step = quantity.step, let last = current[quantity] else {
            let value = random.remainder(in: range)
            current[quantity] = value
            return value
        }
        let least = max(last, range.lowerBound &+ step) &- step
        let most = min(last &+ step, range.upperBound)
        let value = random.remainder(in: least...most)
        current[quantity] = value
        return value
    }
}

extension SplitMix {
    /// Draws a byte that is not zero.
    mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: remainder(in: 1...255)) }
}
