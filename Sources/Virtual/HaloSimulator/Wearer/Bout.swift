/// A stretch of walking, running or cycling.
///
/// Steps are even, with a small change of pace from minute to minute that is 0 at both ends. So the
/// sum is exact, and the steps up to any second need no loop.
struct Bout: Sendable {
    /// The start in seconds since the day's midnight.
    let start: Int
    let minutes: Int
    let activity: BodyActivity
    /// The steps per minute; 0 for cycling.
    let cadence: Int
    /// The effort, in thousandths of the heart rate reserve.
    let effort: Int
    /// The position in the noise, different for each bout.
    let place: Int64
    /// The movement of the day before this bout.
    var before = Movement.none

    var seconds: Int { minutes * 60 }
    var end: Int { start + seconds }

    /// The bout, if it ends by a second of the day; else one that ends in the minute of it.
    func ending(by second: Int) -> Bout {
        guard end > second else { return self }
        return Bout(
            start: start, minutes: max((second - start) / 60, 1), activity: activity,
            cadence: cadence, effort: effort, place: place)
    }

    func steps(in elapsed: Int, _ noise: SeededNoise) -> Int {
        let minute = elapsed / 60
        let part = elapsed % 60
        let from = pace(minute, noise)
        let to = part == 0 ? from : pace(minute + 1, noise)
        return (cadence * elapsed + from * (60 - part) + to * part) / 60
    }

    /// The number of steps ahead of an even pace at the beginning of a minute.
    private func pace(_ minute: Int, _ noise: SeededNoise) -> Int {
        guard minute > 0, minute < minutes, cadence >= 60 else { return 0 }
        return noise.number(.cadence, place &* 64 &+ Int64(minute), in: -5...5)
    }

    /// The movement in the first `elapsed` seconds. Added to ``before``, it is that of the day so
    /// far.
    func movement(in elapsed: Int, of wearer: Wearer) -> Movement {
        let elapsed = elapsed.limited(to: 0...seconds)
        let steps = steps(in: elapsed, wearer.noise)
        switch activity {
        case .running:
            return Movement(
                steps: steps, runningSteps: steps,
                smallCalories: steps * wearer.smallCaloriesPerStep * 13 / 10,
                millimetres: Int64(steps) * Int64(wearer.stepMillimetres * 14 / 10),
                activeSeconds: elapsed)
        case .cycling:
            return Movement(
                smallCalories: elapsed * wearer.weightKilograms * 7 / 3, activeSeconds: elapsed)
        case .asleep, .resting, .walking:
            return Movement(
                steps: steps, smallCalories: steps * wearer.smallCaloriesPerStep,
                millimetres: Int64(steps) * Int64(wearer.stepMillimetres),
                activeSeconds: elapsed)
        }
    }
}
