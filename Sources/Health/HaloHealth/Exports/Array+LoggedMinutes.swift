internal import HaloDevices

extension [TimedSample<Int>] {
    /// The longest interval at which rings log heart rates, in minutes. With a longer one, a day
    /// has fewer values than its figures need.
    private static var longestInterval: Int { 120 }
    /// The fewest values of a day that show an interval.
    private static var neededValues: Int { 3 }

    /// Returns heart rates with the minutes for which each stands; `nil` if no day shows the
    /// interval at which the ring logs.
    ///
    /// A ring that measures once an hour stores its values in slots of five minutes. So a value
    /// stands for the time until the next one, but at most for the usual distance of values of its
    /// day. On a day with too few values it is that of the day before.
    func withLoggedMinutes() -> [TimedSample<Int>]? {
        var days: [(samples: Range<Int>, interval: Int?)] = []
        var start = startIndex
        while start < endIndex {
            let date = self[start].time.date
            let end = self[start...].firstIndex { $0.time.date != date } ?? endIndex
            days.append((start..<end, Self.interval(of: self[start..<end])))
            start = end
        }
        guard var interval = days.lazy.compactMap(\.interval).first else { return nil }
        var samples = self
        for day in days {
            interval = day.interval ?? interval
            for index in day.samples {
                let isLast = index + 1 == day.samples.upperBound
                let distance = isLast ? interval : minutes(from: index)
                samples[index] = self[index].with(
                    minutes: Swift.max(Swift.min(distance, interval), self[index].minutes))
            }
        }
        return samples
    }

    /// Returns the minutes from the beginning of a value to that of the next one.
    private func minutes(from index: Int) -> Int {
        (self[index + 1].time.seconds - self[index].time.seconds) / 60
    }

    /// Returns the usual distance of the values of a day in minutes, the middle one of all.
    private static func interval(of day: ArraySlice<TimedSample<Int>>) -> Int? {
        guard day.count >= neededValues else { return nil }
        let distances = zip(day, day.dropFirst()).map {
            ($1.time.seconds - $0.time.seconds) / 60
        }.sorted()
        let usual = distances[(distances.count - 1) / 2]
        return usual <= longestInterval ? usual : nil
    }
}

extension TimedSample {
    fileprivate func with(minutes: Int) -> TimedSample {
        TimedSample(time: time, minutes: minutes, secondsFromUTC: secondsFromUTC, value: value)
    }
}
