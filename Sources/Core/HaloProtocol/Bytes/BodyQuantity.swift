/// A quantity that is measured on a body, or set for one, in the unit of its packets.
public enum BodyQuantity: Hashable, Sendable {
    case pulse, oxygen, stress, variability, skinTemperature, hundredthsOfCelsius, sugar
    case systolic, diastolic, beatInterval, beatTicks
    case slotSteps, slotEnergy, slotMetres, nightMinutes, speed, stepRate, light
    case age, height, weight, pulseFloor, pulseCeiling
    case goalSteps, goalCalories, goalMetres, goalMinutes
}
