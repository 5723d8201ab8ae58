internal import HaloProtocol

extension ReportDay {
    /// The times of the day without values of the heart rate, which a worn ring measures all day:
    /// `02:10–06:00`. Those of today end when the ring was read.
    func gaps(_ kind: ReportKind) -> [String] {
        guard kind == .heartRate, let list = readings[kind] else { return [] }
        let day = CivilDateTime(date)
        var gaps: [String] = []
        var end = day
        for reading in list {
            if let gap = Self.gap(end, reading.time, of: day) { gaps.append(gap) }
            end = max(end, reading.time.advanced(bySeconds: reading.minutes * 60))
        }
        if let gap = Self.gap(end, self.end, of: day) { gaps.append(gap) }
        return Array(gaps.prefix(8))
    }

    /// Returns a period in words, if it is longer than any pause between measurements.
    private static func gap(
        _ start: CivilDateTime, _ end: CivilDateTime, of day: CivilDateTime
    ) -> String? {
        guard end >= start.advanced(bySeconds: 90 * 60) else { return nil }
        let isMidnight = end >= day.advanced(bySeconds: 86_400)
        return "\(ReportText.clock(start))–\(isMidnight ? "24:00" : ReportText.clock(end))"
    }
}
