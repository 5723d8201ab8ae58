public import HaloProtocol

/// A workout as a ring has stored it.
public struct RingWorkout: Hashable, Sendable {
    /// Which sport.
    public var sport: Sport
    /// When it began, on the ring's clock.
    public var start: CivilDateTime
    /// How long it took.
    public var seconds: Int
    /// How far the wearer moved.
    public var movement: Movement
    /// Heart rates in beats per minute, one each second; 0 where there is none.
    public var samples: [UInt8]

    /// The most samples that are kept of one workout: those of an hour. What rings keep is not
    /// known.
    public static let mostSamples = 3600

    /// A workout; samples beyond the most are dropped.
    public init(
        sport: Sport, start: CivilDateTime, seconds: Int, movement: Movement,
        samples: [UInt8]
    ) {
        self.sport = sport
        self.start = start
        self.seconds = seconds
        self.movement = movement
        self.samples = Array(samples.prefix(Self.mostSamples))
    }

    /// The lowest, the average and the highest heart rate; zeros where there was none.
    public var heartRates: (least: UInt8, average: UInt8, most: UInt8) {
        let rates = samples.filter { $0 > 0 }
        guard let least = rates.min(), let most = rates.max() else { return (0, 0, 0) }
        let sum = rates.reduce(0) { $0 + Int($1) }
        return (least, UInt8(clamping: (sum + rates.count / 2) / rates.count), most)
    }
}
