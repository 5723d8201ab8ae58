public import HaloProtocol

/// A workout as stored by a ring.
public struct RingWorkout: Hashable, Sendable {
    /// The sport of the workout.
    public var sport: Sport
    /// The start by the ring's clock.
    public var start: CivilDateTime
    /// The length in seconds.
    public var seconds: Int
    /// The movement of the wearer during the workout.
    public var movement: Movement
    /// Heart rates in beats per minute, one each second; 0 for no value.
    public var samples: [UInt8]

    /// The maximum number of samples of one workout: one hour. The limit of real rings is not
    /// known.
    package static let mostSamples = 3600

    /// Creates a workout; samples beyond an hour are dropped.
    package init(
        sport: Sport, start: CivilDateTime, seconds: Int, movement: Movement,
        samples: [UInt8]
    ) {
        self.sport = sport
        self.start = start
        self.seconds = seconds
        self.movement = movement
        self.samples = Array(samples.prefix(Self.mostSamples))
    }

    /// The lowest, the average and the highest heart rate; zeros without a heart rate.
    package var heartRates: (least: UInt8, average: UInt8, most: UInt8) {
        let rates = samples.filter { $0 > 0 }
        guard let least = rates.min(), let most = rates.max() else { return (0, 0, 0) }
        let sum = rates.reduce(0) { $0 + Int($1) }
        return (least, UInt8(clamping: (sum + rates.count / 2) / rates.count), most)
    }
}
