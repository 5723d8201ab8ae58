internal import HaloDevices

/// A kind of samples: its code in the database, and the columns of a value.
struct SampleKind<Value: Sendable> {
    /// The numbers of a value; the first is never missing.
    typealias Columns = (value: Double, second: Double?, third: Double?)

    let kind: HistoryKind
    let list: WritableKeyPath<RingHistory, [TimedSample<Value>]>
    let columns: (Value) -> Columns
    let value: (Columns) -> Value

    var code: SQLiteValue { SQLiteValue(kind.sampleCode) }
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

extension RingHistory {
    static var sampleKinds:
        (
            SampleKind<Int>, SampleKind<Int>, SampleKind<Int>, SampleKind<ActivityAmount>,
            SampleKind<BloodOxygenRange>, SampleKind<Double>
        )
    {
        func whole(
            _ kind: HistoryKind, _ list: WritableKeyPath<RingHistory, [TimedSample<Int>]>
        ) -> SampleKind<Int> {
            SampleKind(kind: kind, list: list) {
                (Double($0), nil, nil)
            } value: {
                $0.value.whole
            }
        }
        return (
            whole(.heartRate, \.heartRates), whole(.stress, \.stress),
            whole(.heartRateVariability, \.heartRateVariability),
            SampleKind(kind: .activity, list: \.activity) {
                (Double($0.steps), Double($0.metres), $0.kilocalories)
            } value: {
                ActivityAmount(
                    steps: $0.value.whole, metres: ($0.second ?? 0).whole, kilocalories: $0.third)
            },
            SampleKind(kind: .bloodOxygen, list: \.bloodOxygen) {
                (Double($0.lowestPercent), Double($0.highestPercent), nil)
            } value: {
                BloodOxygenRange(
                    lowestPercent: $0.value.whole, highestPercent: ($0.second ?? $0.value).whole)
            },
            SampleKind(kind: .temperature, list: \.temperatures) {
                ($0, nil, nil)
            } value: {
                $0.value
            }
        )
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
