internal import HaloDevices

extension Array {
    /// Returns the samples that begin on a day, of a list in the order of time.
    func samples<Value>(of day: CivilDate) -> ArraySlice<Element>
    where Element == TimedSample<Value> {
        let first = partitionPoint { $0.time.date < day }
        let end = partitionPoint { $0.time.date <= day }
        return self[first..<end]
    }

    /// Returns the samples during a night, of a list in the order of time.
    func samples<Value>(during night: Night) -> [Element] where Element == TimedSample<Value> {
        // Clocks of two zones can be a day apart.
        night.dates.flatMap { samples(of: $0).filter(night.contains) }
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
