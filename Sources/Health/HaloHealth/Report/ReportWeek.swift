internal import HaloDevices

struct ReportWeek {
    /// The dates of the columns; `nil` for days outside of the report.
    let dates: [CivilDate?]
    let index: HistoryIndex

    var first: CivilDate? { dates.compactMap { $0 }.first }
    var last: CivilDate? { dates.compactMap { $0 }.last }

    /// Makes the days, in the columns' order.
    func days() -> [ReportDay?] { dates.map { $0.map { ReportDay($0, index) } } }
}
