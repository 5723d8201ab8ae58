internal import HaloProtocol
internal import HaloTransport

struct RunningClock: Hashable, Sendable {
    private var shown: CivilDateTime
    private var since: Moment

    init(showing time: CivilDateTime, at moment: Moment) {
        shown = time
        since = moment
    }

    func time(at moment: Moment) -> CivilDateTime {
        let elapsed = moment.microseconds(since: since)
        let second: Int64 = 1_000_000
        let floor = elapsed / second - (elapsed % second < 0 ? 1 : 0)
        return shown.advanced(bySeconds: Int(clamping: floor))
    }

    /// The moment at which the clock begins to show a time.
    func moment(of time: CivilDateTime) -> Moment {
        let seconds = Int64(time.secondsSince1970) - Int64(shown.secondsSince1970)
        return since.advanced(byMicroseconds: seconds * 1_000_000)
    }

    mutating func set(to time: CivilDateTime, at moment: Moment) {
        self = RunningClock(showing: time, at: moment)
    }

    /// The time of an unset clock. Rings are reported to show the year 2000; the day is a choice.
    static var factoryTime: CivilDateTime {
        let date = try? CivilDate(year: 2000, month: 1, day: 1)
        return date.map { CivilDateTime($0) } ?? CivilDateTime(secondsSince1970: 0)
    }
}

extension SplitMix {
    mutating func next(_ range: ClosedRange<Int64>) -> Int64 {
        let width = UInt64(bitPattern: range.upperBound &- range.lowerBound)
        return range.lowerBound &+ Int64(bitPattern: remainder(in: 0...width))
    }
}
