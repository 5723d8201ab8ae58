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
