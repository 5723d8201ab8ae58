public import HaloDevices

/// A report on the history of a ring: one HTML page, which needs no other file and no script.
///
///     let history = try await ring.history()
///     let page = HealthReport(history, ring: ring.name).html()
///
/// The page has each week at a glance and a section for each day, with ``HealthFigures``. Of more
/// than 31 days, it has trends by week and month, and each month at a glance. Missing values are
/// marked, with the reason. Times are those of the ring's clock. The page makes no diagnosis.
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
    /// A sentence on top of the page.
    let remark: String?
    /// The first day that was asked for.
    let first: CivilDate?
    /// The last day of the page.
    let last: CivilDate
    /// The reasons for what is missing, found in the whole history.
    let reasons: MissingReasons
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
    ///   - last: The last day of the page; `nil` for the day of the last read. A page that ends
    ///     earlier does not say which kinds have values no more.
    ///   - logging: The kinds that the ring is known to log, or not to, for the reasons of what is
    ///     missing: `ring.healthSettings().logging`.
    ///   - ageYears: The wearer's age, for zones of the heart rate.
    ///   - remark: A sentence on top of the page, for example that the ring is a virtual one.
    public init(
        _ history: RingHistory, since first: CivilDate? = nil, through last: CivilDate? = nil,
        ring: String? = nil, battery: [TimedSample<BatteryCharge>] = [],
        logging: [HistoryKind: Bool] = [:], ageYears: Int? = nil, remark: String? = nil
    ) {
        let all = HealthFigures(history, ageYears: ageYears)
        let last = min(last ?? history.today, history.today)
        let days = (0..<Self.mostDays).compactMap { last.advanced(byDays: -$0) }
        figures = Dictionary(uniqueKeysWithValues: days.map { ($0, DayFigures(all.day($0))) })
        // The page mentions values dated after the day of the read, but does not show them.
        let first = first.map { min($0, last) }
        let (earliest, latest) = (
            CivilDateTime(secondsSince1970: 0).date, CivilDateTime(secondsSince1970: .max).date
        )
        self.history =
            first == nil && last == history.today
            ? history
            : history.limited(to: (first ?? earliest)...(last < history.today ? last : latest))
        self.last = last
        self.ring = ring
        self.battery = battery
        self.logging = logging
        self.remark = remark
        self.first = first
        reasons = MissingReasons(history)
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
    /// Returns the history with the values and the outcomes of some days. It is still one of the
    /// read that it comes from, which may be on a later day.
    package func limited(to days: ClosedRange<CivilDate>) -> RingHistory {
        var history = limited(to: CivilDateTime(days.lowerBound)...days.upperBound.lastSecond)
        history.coverage = coverage.limited(to: days, today: today)
        if !days.contains(today) { history.totals = nil }
        return history
    }
}
