internal import HaloProtocol

/// The target of a step of a long read: its day, and the ring's clock at the request.
struct HistoryAim: Sendable {
    /// The ring's today at the request.
    let today: CivilDate
    /// `true` while ``today`` is only assumed by the app.
    let isAssumed: Bool
    /// The wanted day; today for a step of several days.
    let day: CivilDate
    /// The days between the wanted day and the ring's today.
    let daysAgo: DaysAgo
    /// The time that the ring's clock shows; `nil` if not known.
    let now: CivilDateTime?
    let dialect: Dialect
}
