import HaloDevices

/// The heart-rate variability of a sensor's beat intervals, as RMSSD: the square root of the mean
/// of the squared differences between successive intervals, over ``length`` of beats.
///
/// Only the difference of two intervals of one series counts: between two series beats may be
/// missing. An interval that differs from the one before by more than a fifth is no normal beat: a
/// beat was missed, or came early.
struct BeatWindow {
    static let length = Duration.seconds(60)
    private static let leastDifferences = 20
    /// The most intervals in memory: more than a heart has in a minute.
    private static let limit = 1024

    /// The most measurements in a row without a beat, of a sensor that reports beats.
    private static let mostWithoutBeats = 15

    private var beats: [HeartBeat] = []
    private var measurementsWithoutBeats = 0
    private var total = Duration.zero

    /// Adds beats, the oldest first.
    mutating func add(_ new: [HeartBeat]) {
        measurementsWithoutBeats = new.isEmpty ? measurementsWithoutBeats + 1 : 0
        for beat in new where beat.interval > .zero {
            beats.append(beat)
            total += beat.interval
        }
        // The window is full with the beats that reach its length, and has no more.
        while let first = beats.first,
            total - first.interval >= Self.length
                || beats.count > Self.limit
        {
            beats.removeFirst()
            total -= first.interval
        }
    }

    mutating func removeAll() { self = BeatWindow() }

    /// `true` if the sensor measures, and reports no beats: they are optional.
    var hasNoBeats: Bool { measurementsWithoutBeats >= Self.mostWithoutBeats }

    var missing: Duration { max(Self.length - total, .zero) }

    /// The RMSSD in milliseconds; `nil` until the window is full, and if too few of its beats are
    /// normal.
    var rmssd: Double? {
        guard missing == .zero else { return nil }
        let squares = zip(beats, beats.dropFirst()).compactMap { first, second -> Double? in
            guard first.series == second.series, second.number == first.number + 1 else {
                return nil
            }
            let before = first.interval / .milliseconds(1)
            let difference = second.interval / .milliseconds(1) - before
            return abs(difference) > before / 5 ? nil : difference * difference
        }
        guard squares.count >= Self.leastDifferences else { return nil }
        return (squares.reduce(0, +) / Double(squares.count)).squareRoot()
    }
}
