internal import HaloProtocol

struct VirtualMeasurement: Sendable {
    typealias Quantity = RealtimeMeasurement.Quantity

    let quantity: Reported<Quantity>
    let pace: Pace
    let startedAt: Moment
    /// The moment of the next report.
    var next: Moment
    var endsAt: Moment
    var isPaused = false
    var valueCount = 0
    /// `true` once it has sent a report.
    var hasReported = false
    var lastValue: UInt8 = 0

    /// The number of values after which firmware with ``RingQuirks/endsAfterTenValues`` stops.
    static let valueLimit = 10

    init(_ quantity: Reported<Quantity>, _ quirks: RingQuirks, at now: Moment) {
        self.quantity = quantity
        let isSteady = quirks.contains(.quietWhileWarmingUp) && quantity == .heartRateStream
        pace = isSteady ? .steady : Self.pace(of: quantity.known)
        startedAt = now
        next = now
        endsAt = now + pace.budget
    }

    struct Pace: Sendable {
        /// The delay of the first RR interval, or `nil` without RR intervals.
        let firstInterval: Duration?
        /// The delay of the first value, or `nil` if there is none.
        let firstValue: Duration?
        /// The time from the start to the automatic end.
        var budget: Duration = .seconds(60)
        /// The time between two reports: half a second, as on an R12.
        var period: Duration = .milliseconds(500)

        /// The pace of a stream without an end, as one source has it from an R02 with firmware
        /// 3.00.17, for minutes.
        static let steady = Pace(
            firstInterval: nil, firstValue: .seconds(19), budget: .seconds(86_400),
            period: .seconds(1))
    }

    /// The timing as seen on an R12, except where noted.
    ///
    /// No R12 ended a measurement before the app stopped it after 30 or 62 seconds. The limits are
    /// choices: within the reports of R02, and for the stream as noted on R11CR.
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
            // One report of a finished check was captured, without its duration.
            Pace(firstInterval: .seconds(16), firstValue: .seconds(26))
        case .temperature:
            // One source has a value; its delay is a guess.
            Pace(firstInterval: nil, firstValue: .seconds(10))
        case .bloodPressure, .fatigue, .electrocardiogram, .bloodSugar, nil:
            Pace(firstInterval: nil, firstValue: nil)
        }
    }

    /// Resumes after a pause, and restarts the full time.
    ///
    /// Notes on R11CR firmware let a stream be continued ten seconds after its start at the
    /// earliest; before that, the request has no effect.
    mutating func resume(at now: Moment) {
        if isPaused {
            isPaused = false
            next = now
        }
        if now.duration(since: startedAt) >= .seconds(10) { endsAt = now + pace.budget }
    }
}
