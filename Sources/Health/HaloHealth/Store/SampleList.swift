internal import HaloDevices
internal import HaloProtocol

/// The numbers of a value in the database; the first is never missing.
typealias SampleColumns = (value: Double, second: Double?, third: Double?)

/// A row of the table of samples.
struct SampleRow {
    let time: CivilDateTime
    let utc: CivilDateTime?
    let minutes: Int
    let columns: SampleColumns
}

protocol SampleValue: Hashable, Sendable {
    var columns: SampleColumns { get }

    init(_ columns: SampleColumns)

    /// Returns the samples of a query. It is a requirement so that the compiler specialises it.
    static func samples(_ rows: [SampleRow]) -> [TimedSample<Self>]
}

extension SampleValue {
    static func samples(_ rows: [SampleRow]) -> [TimedSample<Self>] {
        rows.map { row in
            TimedSample(
                time: row.time, minutes: row.minutes,
                secondsFromUTC: row.utc.map { row.time.seconds - $0.seconds },
                value: Self(row.columns))
        }
    }
}

/// The samples of one kind in a history.
protocol SampleList: Sendable {
    associatedtype Value: SampleValue

    var log: RingLog<TimedSample<Value>> { get }
    /// The code of the kind in the table of samples, which the views of ``HealthSchema`` have too.
    var code: Int { get }
}

extension SampleList {
    var kind: HistoryKind { log.kind }

    func copy(from one: RingHistory, to other: inout RingHistory) { other[log] = one[log] }
}

private struct SampleKind<Value: SampleValue>: SampleList {
    let log: RingLog<TimedSample<Value>>
    let code: Int
}

extension RingHistory {
    static let sampleKinds: [any SampleList] = [
        SampleKind(log: .heartRate, code: 1), SampleKind(log: .stress, code: 2),
        SampleKind(log: .heartRateVariability, code: 3), SampleKind(log: .activity, code: 4),
        SampleKind(log: .bloodOxygen, code: 5), SampleKind(log: .temperature, code: 6),
    ]
}

extension Int: SampleValue {
    var columns: SampleColumns { (Double(self), nil, nil) }

    init(_ columns: SampleColumns) { self = columns.value.whole }
}

extension Double: SampleValue {
    var columns: SampleColumns { (self, nil, nil) }

    init(_ columns: SampleColumns) { self = columns.value }
}

extension ActivityAmount: SampleValue {
    var columns: SampleColumns { (Double(steps), Double(metres), kilocalories) }

    init(_ columns: SampleColumns) {
        self.init(
            steps: columns.value.whole, metres: (columns.second ?? 0).whole,
            kilocalories: columns.third)
    }
}

extension BloodOxygenRange: SampleValue {
    var columns: SampleColumns { (Double(lowestPercent), Double(highestPercent), nil) }

    init(_ columns: SampleColumns) {
        self.init(
            lowestPercent: columns.value.whole,
            highestPercent: (columns.second ?? columns.value).whole)
    }
}

extension Double {
    /// The largest amount of a number of a file; greater ones are moved to it.
    static var farthestValue: Int { 1_000_000_000 }

    /// The number within the limits; 0 for what is no number.
    var limited: Double {
        let limit = Double(Self.farthestValue)
        return isNaN ? 0 : Swift.min(Swift.max(self, -limit), limit)
    }

    /// The nearest whole number within the limits.
    fileprivate var whole: Int { Int(limited.rounded()) }
}
