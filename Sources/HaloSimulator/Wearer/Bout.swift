/// A while of walking, running or cycling.
///
/// Steps come evenly but for a small change of pace from minute to minute, which is nothing at
/// both ends: so the sum is exact, and the steps until any second need no loop.
struct Bout: Sendable {
    /// Seconds since the day's midnight.
    let start: Int
    /// Whole minutes.
    let minutes: Int
    let activity: BodyActivity
    /// Steps a minute, 0 on a bicycle.
    let cadence: Int
    /// How much of what the heart can do beyond resting, in thousandths.
    let effort: Int
    /// What sets this bout apart from every other.
    let place: Int64
    /// What the day had before.
    var before = Movement.none

    var seconds: Int { minutes * 60 }
    var end: Int { start + seconds }

    /// Steps in the first `elapsed` seconds.
    func steps(in elapsed: Int, _ noise: SeededNoise) -> Int {
        let minute = elapsed / 60
        let part = elapsed % 60
        let from = pace(minute, noise)
        let to = part == 0 ? from : pace(minute + 1, noise)
        return (cadence * elapsed + from * (60 - part) + to * part) / 60
    }

    /// How many steps early or late the walker is at the begin of a minute.
    private func pace(_ minute: Int, _ noise: SeededNoise) -> Int {
        guard minute > 0, minute < minutes, cadence >= 60 else { return 0 }
        return noise.number(.cadence, place &* 64 &+ Int64(minute), in: -5...5)
    }

    /// The movement in the first `elapsed` seconds; the day's, if added to what was before.
    func movement(in elapsed: Int, of wearer: Wearer, _ noise: SeededNoise) -> Movement {
        let elapsed = elapsed.limited(to: 0...seconds)
        let steps = steps(in: elapsed, noise)
        switch activity {
        case .running:
            return Movement(
                steps: steps, runningSteps: steps,
                calories: steps * wearer.caloriesPerStep * 13 / 10,
                millimetres: Int64(steps) * Int64(wearer.stepMillimetres * 14 / 10),
                activeSeconds: elapsed)
        case .cycling:
            return Movement(
                calories: elapsed * wearer.weightKilograms * 7 / 3, activeSeconds: elapsed)
        case .asleep, .resting, .walking:
            return Movement(
                steps: steps, calories: steps * wearer.caloriesPerStep,
                millimetres: Int64(steps) * Int64(wearer.stepMillimetres),
                activeSeconds: elapsed)
        }
    }
}
