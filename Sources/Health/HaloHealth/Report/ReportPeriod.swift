internal import HaloDevices

/// The days of a report, by weeks. Days are made when they are written, so that a year needs the
/// memory of a week.
struct ReportPeriod {
    let index: HistoryIndex
    /// The first and the last day; `nil` without any value.
    let days: ClosedRange<CivilDate>?

    /// The most days that have a section with all charts.
    private static let mostDaysInFull = 31

    init(_ report: HealthReport) {
        index = HistoryIndex(report)
        days = index.period
    }

    /// The number of days.
    var count: Int { days.map { $0.lowerBound.daysAgo(from: $0.upperBound) + 1 } ?? 0 }

    /// `true` if the sections of days are short, because there are many.
    var isCompact: Bool { count > Self.mostDaysInFull }

    /// The weeks from Monday to Sunday; up to seven days are one week, whatever its first day.
    var weeks: [ReportWeek] {
        guard let days else { return [] }
        let length = min(count, 7)
        let lead = count <= 7 ? 0 : ReportText.weekdayIndex(days.lowerBound)
        return stride(from: -lead, to: count, by: 7).map { start in
            let dates = (start..<start + length).map { offset in
                0..<count ~= offset ? days.lowerBound.advanced(byDays: offset) : nil
            }
            return ReportWeek(dates: dates, index: index)
        }
    }
}

/// A week of a report.
struct ReportWeek {
    /// The dates of the columns; `nil` for days outside of the report.
    let dates: [CivilDate?]
    fileprivate let index: HistoryIndex

    /// Makes the days, in the columns' order.
    func days() -> [ReportDay?] { dates.map { $0.map { ReportDay($0, index) } } }
}
