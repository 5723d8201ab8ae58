public import HaloDevices

/// A report on the history of a ring: one HTML page, which needs no other file and no script.
///
///     let history = try await ring.history()
///     let page = HealthReport(history, ring: ring.name).html()
///
/// The page has each week at a glance and a section for each day, with ``HealthFigures``. Missing
/// values are marked, with the reason. Times are those of the ring's clock. The page makes no
/// diagnosis.
///
/// A page has at most 366 days, the latest ones of a longer history.
public struct HealthReport: Sendable {
    /// The history that the report shows.
    let history: RingHistory
    /// The name of the ring, if it is known.
    let ring: String?
    /// The levels of the ring's battery, from the earliest one on.
    let battery: [TimedSample<BatteryCharge>]
    let logging: [HistoryKind: Bool]
    var figures: [CivilDate: DayFigures]

    /// The most days of a page.
    package static let mostDays = 366

    /// The days before a page that its figures compare with at the most: a week with the 28 days
    /// before it.
    package static let daysBefore = 35

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - first: The first day of the page; `nil` for all of the history. Values of at most 35
    ///     earlier days are for figures that compare, such as the usual heart-rate variability.
    ///   - logging: The kinds that the ring is known to log, or not to, for the reasons of what is
    ///     missing: `ring.healthSettings().logging`.
    ///   - ageYears: The wearer's age, for zones of the heart rate.
    public init(
        _ history: RingHistory, since first: CivilDate? = nil, ring: String? = nil,
        battery: [TimedSample<BatteryCharge>] = [],
        logging: [HistoryKind: Bool] = [:], ageYears: Int? = nil
    ) {
        let all = HealthFigures(history, ageYears: ageYears)
        let days = (0..<Self.mostDays).compactMap { history.today.advanced(byDays: -$0) }
        figures = Dictionary(uniqueKeysWithValues: days.map { ($0, DayFigures(all.day($0))) })
        self.history = first.map(history.since) ?? history
        self.ring = ring
        self.battery = battery
        self.logging = logging
    }

    /// Returns the page.
    public func html() -> String { String(decoding: htmlBytes(), as: UTF8.self) }

    package func htmlBytes() -> [UInt8] { page().bytes }

    /// Returns the page in UTF-8, and its days, from the first one with a value on; no days without
    /// any value.
    package func page() -> (bytes: [UInt8], days: ClosedRange<CivilDate>?) {
        let page = ReportPage(self)
        return (page.html().bytes, page.days)
    }
}

extension RingHistory {
    fileprivate func since(_ first: CivilDate) -> RingHistory {
        var history = limited(to: CivilDateTime(first)...CivilDateTime(secondsSince1970: .max))
        history.coverage = HistoryCoverage()
        for day in coverage.days where day.date >= first {
            history.coverage[day.kind, day.date] = day.outcome
        }
        return history
    }
}
