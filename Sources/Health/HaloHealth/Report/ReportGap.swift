internal import HaloDevices

/// Successive days without any value, for one reason.
struct ReportGap {
    let first: CivilDate
    private(set) var last: CivilDate
    let sentence: String

    init(_ day: ReportDay) {
        first = day.date
        last = day.date
        sentence = day.emptySentence
    }

    /// Makes the gap longer by the next day; returns `false` if the day has another reason.
    mutating func extend(_ day: ReportDay) -> Bool {
        guard day.emptySentence == sentence else { return false }
        last = day.date
        return true
    }

    var shortName: String { ReportText.shortPeriod(first, last) }

    var html: HTMLText {
        """
        <p class="gap"><b>\(ReportText.period(first, last))</b> \(sentence)</p>

        """
    }

    /// A day with values, or days without any.
    enum Run {
        case day(ReportDay)
        case gap(ReportGap)
    }

    /// Returns days with those that are gaps together.
    static func runs(_ days: [ReportDay]) -> [Run] {
        var runs: [Run] = []
        for day in days {
            guard day.isEmpty else {
                runs.append(.day(day))
                continue
            }
            if case .gap(var gap) = runs.last, gap.extend(day) {
                runs[runs.count - 1] = .gap(gap)
            } else {
                runs.append(.gap(ReportGap(day)))
            }
        }
        return runs
    }
}
