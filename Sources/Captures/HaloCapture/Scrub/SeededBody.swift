import HaloProtocol
import HaloTransport

/// The range and the steps of a quantity of a seeded body.
///
/// The ranges are of a healthy adult, in the units of the packets: so a scrubbed capture stays
/// plausible.
extension BodyQuantity {
    /// The step is the maximum difference of adjacent values; `nil` if they are independent.
    var walk: (range: ClosedRange<UInt64>, step: UInt64?) {
        switch self {
        case .pulse: (50...128, 4)
        case .oxygen: (92...99, 1)
        case .stress: (12...88, 6)
        case .variability: (18...95, 6)
        case .skinTemperature: (150...172, 1)
        case .hundredthsOfCelsius: (3450...3720, 8)
        case .sugar: (70...150, 3)
        case .systolic: (102...138, 3)
        case .diastolic: (62...88, 3)
        case .beatInterval: (480...1200, 40)
        case .beatTicks: (490...1230, 40)
        case .slotSteps: (8...1900, nil)
        case .slotEnergy: (5...900, nil)
        case .slotMetres: (6...1400, nil)
        case .nightMinutes: (240...560, nil)
        case .speed: (20...250, nil)
        case .stepRate: (60...180, nil)
        case .light: (2000...52_000, 900)
        case .age: (19...79, nil)
        case .height: (150...197, nil)
        case .weight: (46...112, nil)
        case .pulseFloor: (40...55, nil)
        case .pulseCeiling: (100...180, nil)
        case .goalSteps: (3000...19_500, nil)
        case .goalCalories: (100_000...900_000, nil)
        case .goalMetres: (2000...15_000, nil)
        case .goalMinutes: (20...120, nil)
        }
    }
}

/// A generator of samples that do not depend on measured ones.
///
/// Each quantity moves through its range by small steps.
struct SeededBody: Sendable {
    private var current: [BodyQuantity: UInt64] = [:]

    mutating func next(_ quantity: BodyQuantity, _ random: inout SplitMix) -> UInt64 {
        let (range, step) = quantity.walk
        var reached = range
        if let step, let last = current[quantity] {
            let least = max(last, range.lowerBound &+ step) &- step
            reached = least...min(last &+ step, range.upperBound)
        }
        let value = random.remainder(in: reached)
        current[quantity] = value
        return value
    }
}
