internal import HaloDevices

/// The numbers of a value in the database; the first is never missing.
typealias SampleColumns = (value: Double, second: Double?, third: Double?)

protocol SampleValue: Sendable {
    var columns: SampleColumns { get }

    init(_ columns: SampleColumns)
}

/// The samples of one kind in a history.
protocol SampleList: Sendable {
    associatedtype Value: SampleValue

    var kind: HistoryKind { get }
    var list: any WritableKeyPath<RingHistory, [TimedSample<Value>]> & Sendable { get }
}

extension SampleList {
    var code: SQLiteValue { SQLiteValue(kind.sampleCode) }

    func copy(from one: RingHistory, to other: inout RingHistory) {
        other[keyPath: list] = one[keyPath: list]
    }
}

private struct SampleKind<Value: SampleValue>: SampleList {
    let kind: HistoryKind
    let list: any WritableKeyPath<RingHistory, [TimedSample<Value>]> & Sendable
}

extension RingHistory {
    static let sampleKinds: [any SampleList] = [
        SampleKind(kind: .heartRate, list: \.heartRates),
        SampleKind(kind: .stress, list: \.stress),
        SampleKind(kind: .heartRateVariability, list: \.heartRateVariability),
        SampleKind(kind: .activity, list: \.activity),
        SampleKind(kind: .bloodOxygen, list: \.bloodOxygen),
        SampleKind(kind: .temperature, list: \.temperatures),
    ]
}

extension HistoryKind {
    /// The code of the samples of a kind, which the views of ``HealthSchema`` have as well; `nil`
    /// for a kind with a table of its own.
    var sampleCode: Int? {
        switch self {
        case .heartRate: 1
        case .stress: 2
        case .heartRateVariability: 3
        case .activity: 4
        case .bloodOxygen: 5
        case .temperature: 6
        case .sleep, .workouts, .totals: nil
        }
    }
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
