/// The activity of a slot, in the units of the ring's log.
struct StoredActivity: Hashable, Sendable {
    /// The energy in tens of small calories.
    var energy: UInt16 = 0
    var steps: UInt16 = 0
    var metres: UInt16 = 0

    var isEmpty: Bool { self == StoredActivity() }

    /// Adds the movement between two sums of the day. The sums are converted to whole units before
    /// the subtraction, so that small additions are not lost.
    mutating func add(from before: Movement, to after: Movement) {
        energy = UInt16(
            clamping: Int(energy) + after.smallCalories / 10 - before.smallCalories / 10)
        steps = UInt16(clamping: Int(steps) + after.steps - before.steps)
        metres = UInt16(clamping: Int(metres) + after.metres - before.metres)
    }
}
