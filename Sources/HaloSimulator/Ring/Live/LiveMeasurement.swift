internal import HaloProtocol

/// A realtime measurement that runs.
struct LiveMeasurement: Sendable {
    typealias Quantity = RealtimeMeasurement.Quantity

    /// What is measured.
    let quantity: Reported<Quantity>
    /// When it began.
    let startedAt: Moment
    /// When the next report is due.
    var next: Moment
    /// When it ends by itself.
    var endsAt: Moment
    /// Whether it is interrupted.
    var isPaused = false
    /// How many values were reported.
    var valueCount = 0
    /// The value that was reported last.
    var lastValue: UInt8 = 0

    /// Twice a second, as on an R12.
    static let period: Duration = .milliseconds(500)
    /// After so many values firmware with ``RingQuirks/endsAfterTenValues`` ends.
    static let valueLimit = 10

    init(_ quantity: Reported<Quantity>, at now: Moment) {
        self.quantity = quantity
        startedAt = now
        next = now
        endsAt = now + Self.pace(of: quantity.known).budget
    }

    var pace: Pace { Self.pace(of: quantity.known) }

    /// How long a measurement takes.
    struct Pace: Sendable {
        /// When the first time between two beats is known; nothing if none is told.
        let firstInterval: Duration?
        /// When the first value is known; nothing if there never is one.
        let firstValue: Duration?
        /// After how long it ends by itself.
        var budget: Duration = .seconds(60)
    }

    /// What was seen on an R12, but for what the words say.
    ///
    /// No ring there ended by itself before the app stopped it, 30 or 62 seconds on: the budgets
    /// are choices, within what is said of R02, and as noted on R11CR for the stream.
    static func pace(of quantity: Quantity?) -> Pace {
        switch quantity {
        case .heartRate:
            Pace(firstInterval: .seconds(16), firstValue: .seconds(26))
        case .heartRateStream:
            Pace(firstInterval: .seconds(10), firstValue: .seconds(10), budget: .seconds(40))
        case .bloodOxygen:
            Pace(firstInterval: nil, firstValue: .seconds(26))
        case .stress:
            Pace(firstInterval: .milliseconds(300), firstValue: .seconds(26))
        case .heartRateVariability:
            Pace(firstInterval: .seconds(16), firstValue: .seconds(60), budget: .seconds(90))
        case .healthCheck:
            // One report of a finished check was captured; how long it took was not.
            Pace(firstInterval: .seconds(16), firstValue: .seconds(26))
        case .temperature:
            // One source has a value; when it came is a guess.
            Pace(firstInterval: nil, firstValue: .seconds(10))
        case .bloodPressure, .fatigue, .electrocardiogram, .bloodSugar, nil:
            Pace(firstInterval: nil, firstValue: nil)
        }
    }
}

extension LiveMeasurement {
    /// Goes on after a pause, and has its whole time again.
    ///
    /// Notes on R11CR firmware have a stream continued no earlier than ten seconds after its
    /// start; before that, the request changes nothing.
    mutating func resume(at now: Moment) {
        if isPaused {
            isPaused = false
            next = now
        }
        if now.duration(since: startedAt) >= .seconds(10) { endsAt = now + pace.budget }
    }
}
