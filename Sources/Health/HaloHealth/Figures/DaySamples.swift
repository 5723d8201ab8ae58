internal import HaloDevices

/// The samples of one kind, found by their day.
struct DaySamples<Value: Sendable>: Sendable {
    private let samples: [TimedSample<Value>]
    private let days: [CivilDate: Range<Int>]

    init(_ all: [TimedSample<Value>], isOut: (CivilDate) -> Bool) {
        let samples = all.filter { !isOut($0.time.date) }
            .sorted { ($0.time, $0.utc ?? $0.time) < ($1.time, $1.utc ?? $1.time) }
        var days: [CivilDate: Range<Int>] = [:]
        var first = 0
        for (index, sample) in samples.enumerated() {
            let next = index + 1
            if next < samples.count, samples[next].time.date == sample.time.date { continue }
            days[sample.time.date] = first..<next
            first = next
        }
        self.samples = samples
        self.days = days
    }

    /// The samples that begin on a day, the earliest first.
    subscript(day: CivilDate) -> ArraySlice<TimedSample<Value>> {
        days[day].map { samples[$0] } ?? []
    }

    /// The samples during a night.
    func during(_ night: Night) -> [TimedSample<Value>] {
        // Clocks of two zones can be a day apart.
        night.dates.flatMap { self[$0].filter(night.contains) }
    }
}

extension Sequence<Int> {
    /// The sum, at most the greatest number: values that come from a file may be any.
    var sum: Int {
        reduce(0) { sum, number in
            let (result, overflow) = sum.addingReportingOverflow(number)
            return overflow ? (number < 0 ? .min : .max) : result
        }
    }
}

extension Sequence {
    /// The mean of what a function returns; `nil` without elements.
    func mean(_ value: (Element) -> Double) -> Double? {
        var (sum, count) = (0.0, 0.0)
        for element in self {
            sum += value(element)
            count += 1
        }
        return count > 0 ? sum / count : nil
    }
}
