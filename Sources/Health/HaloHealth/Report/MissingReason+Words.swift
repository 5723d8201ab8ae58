package import HaloDevices

extension MissingReason {
    /// The reason in at most eight letters.
    package var word: String {
        switch self {
        case .unsupported: "lacking"
        case .failed, .notRead: "not read"
        case .wrongClock: "misdated"
        case .notKept(nil), .noValues: "none"
        case .notKept: "not kept"
        case .notSynced: "unsynced"
        case .notWorn: "not worn"
        case .notYet: "none yet"
        }
    }

    /// The reason as a word of JSON.
    package var code: String {
        switch self {
        case .unsupported: "unsupported"
        case .failed: "failed"
        case .wrongClock: "wrongClock"
        case .notKept: "notKept"
        case .notSynced: "notSynced"
        case .notWorn: "notWorn"
        case .noValues: "noValues"
        case .notYet: "notYet"
        case .notRead: "notRead"
        }
    }

    package func sentence(of kind: HistoryKind) -> String {
        switch self {
        case .unsupported: "The ring does not measure \(kind)."
        case .failed(let error?): "Not read: \(error)"
        case .failed(nil), .notRead: "Not read."
        case .wrongClock: "Left out: the ring’s clock showed another day."
        case .notKept(let days?):
            "The ring had stored no more than \(days) \(days == 1 ? "day" : "days") of \(kind)."
        case .notKept(nil): "The ring has stored no \(kind)."
        case .notSynced(let last, let next): Self.notSynced(last, next)
        case .notYet: "No \(kind) yet when the ring was read."
        case .notWorn, .noValues: "No values: the ring was not worn, or did not measure."
        }
    }

    private static func notSynced(_ last: CivilDate, _ next: CivilDate) -> String {
        func text(_ date: CivilDate) -> String {
            let day = ReportText.dayAndMonth(date)
            return last.year == next.year ? day : "\(day) \(date.year)"
        }
        return "Not synced in time: read on \(text(last)), and next on \(text(next))."
    }
}
