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
    /// The code of the kind in the table of samples, which the views of ``HealthSchema`` have too.
    var code: Int { get }
    var list: any WritableKeyPath<RingHistory, [TimedSample<Value>]> & Sendable { get }
}

extension SampleList {
    func copy(from one: RingHistory, to other: inout RingHistory) {
        other[keyPath: list] = one[keyPath: list]
    }
}

private struct SampleKind<Value: SampleValue>: SampleList {
    let kind: HistoryKind
    let code: Int
    let list: any WritableKeyPath<RingHistory, [TimedSample<Value>]> & Sendable
}

extension RingHistory {
    static let sampleKinds: [any SampleList] = [
        SampleKind(kind: .heartRate, code: 1, list: \.heartRates),
        SampleKind(kind: .stress, code: 2, list: \.stress),
        SampleKind(kind: .heartRateVariability, code: 3, list: \.heartRateVariability),
        SampleKind(kind: .activity, code: 4, list: \.activity),
        SampleKind(kind: .bloodOxygen, code: 5, list: \.bloodOxygen),
        SampleKind(kind: .temperature, code: 6, list: \.temperatures),
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
