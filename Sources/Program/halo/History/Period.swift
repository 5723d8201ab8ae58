import HaloDevices
import HaloProtocol

/// The days of a history that are asked for: `--days`, `--since`, `--until` and `--day`.
struct Period: Sendable {
    /// A day as it is named: a date, or a number of days before today.
    private enum Day {
        case date(CivilDate)
        case ago(Int)

        func date(_ today: CivilDate) -> CivilDate {
            switch self {
            case .date(let date): date
            case .ago(let count): today.advanced(byDays: -count) ?? today
            }
        }
    }

    private let days: Int?
    private let since: Day?
    private let until: Day?
    /// `true` if `--day` has named the only day.
    private let isOneDay: Bool

    static let usualDays = 7

    private static let daysOption = Option.number(
        "days", "N", in: 1...36_600,
        "the number of days: the last, or from --since, or up to --until (default: \(usualDays))"
    )
    private static let sinceOption = dayOption(
        "since", "the first day: \(words)")
    private static let untilOption = dayOption(
        "until", "the last day: \(words)")
    private static let oneDayOption = dayOption("day", "one day only: \(words)")
    private static let words = "a date like 2026-01-05, today or yesterday"

    static let options: [any VerbOption] = [daysOption, sinceOption, untilOption, oneDayOption]

    private static func dayOption(_ name: String, _ help: String) -> Option<Day> {
        Option(name, .text("DAY"), help) { (argument) throws(Failure) in
            switch argument.text.lowercased() {
            case "today": return .ago(0)
            case "yesterday": return .ago(1)
            case let text:
                guard let date = CivilDate(text: text[...]) else {
                    throw .wrongUsage("--\(name) takes \(words), not '\(argument.text)'")
                }
                return .date(date)
            }
        }
    }

    init(_ arguments: ParsedArguments) throws(Failure) {
        let day = try arguments.value(of: Self.oneDayOption)
        let since = try arguments.value(of: Self.sinceOption)
        let until = try arguments.value(of: Self.untilOption)
        days = try arguments.value(of: Self.daysOption)
        isOneDay = day != nil
        if day != nil, since != nil || until != nil || days != nil {
            throw .wrongUsage("--day is one day, without --days, --since and --until")
        }
        if since != nil, until != nil, days != nil {
            throw .wrongUsage("give two of --days, --since and --until")
        }
        (self.since, self.until) = (day ?? since, day ?? until)
        if case .date(let first)? = since, case .date(let last)? = until {
            try Self.check(first, isNotAfter: last)
        }
    }

    private static func check(
        _ first: CivilDate, isNotAfter last: CivilDate
    ) throws(Failure) {
        guard first > last else { return }
        throw .wrongUsage("--since \(first) is later than --until \(last)")
    }

    /// Returns the days of a history, of which the last one is known.
    ///
    /// - Parameters:
    ///   - read: The day of the last read, with which the last days end; `last` if left out.
    ///   - today: The day that `today` names; `last` if left out.
    func days(
        endingOn last: CivilDate, from read: CivilDate? = nil, today: CivilDate? = nil
    ) throws(Failure) -> ClosedRange<CivilDate> {
        let today = today ?? last
        let (since, until) = (since?.date(today), until?.date(today))
        // Values of another day would take the place of those of one that is still to come.
        if let since, since > last {
            let word = isOneDay ? "--day" : "--since"
            throw .wrongUsage("\(word) \(since) is later than the last day, \(last)")
        }
        if let since, let until { try Self.check(since, isNotAfter: until) }
        let length = days ?? Self.usualDays
        let end = until ?? (days == nil ? nil : since?.advanced(byDays: length - 1)) ?? last
        let start = since ?? (until ?? read ?? last).advanced(byDays: 1 - length) ?? end
        return start...max(min(end, last), start)
    }

    /// The first day to ask a ring for, as a date or as the number of days up to today.
    var beginning: (since: CivilDate?, days: Int) {
        let length = days ?? Self.usualDays
        switch (since, until) {
        case (.date(let date)?, _): return (date, length)
        case (.ago(let count)?, _): return (nil, count + 1)
        case (nil, .date(let date)?): return (date.advanced(byDays: 1 - length) ?? date, length)
        case (nil, .ago(let count)?): return (nil, length + count)
        case (nil, nil): return (nil, length)
        }
    }
}
