package enum ChartNumber {
    private static let powers = [1.0, 10, 100, 1000, 10_000]

    /// Returns a decimal number with at most four decimals; `nil` for one that is no number.
    package static func text(_ value: Double, decimals: Int) -> String? {
        guard value.isFinite else { return nil }
        let decimals = min(max(decimals, 0), powers.count - 1)
        let power = powers[decimals]
        // At most 1e16, so that it fits into 64 bits.
        let scaled = Int64((ChartScale.bounded(value) * power).rounded())
        let unit = Int64(power)
        let whole = scaled.magnitude / unit.magnitude
        let sign = scaled < 0 ? "-" : ""
        guard decimals > 0 else { return "\(sign)\(whole)" }
        let rest = "\(scaled.magnitude % unit.magnitude)"
        let zeros = String(repeating: "0", count: max(decimals - rest.utf8.count, 0))
        return "\(sign)\(whole).\(zeros)\(rest)"
    }

    /// Returns the text of a label of a time axis: `30 s`, `5 min` or `2 h`.
    ///
    /// All labels of an axis have the same unit: the largest one that divides the distance between
    /// labels, and of which the axis has at least two.
    package static func duration(seconds: Int, step: Int, longest: Int) -> String {
        if longest >= 7200, step % 3600 == 0 { return "\(seconds / 3600) h" }
        if longest >= 120, step % 60 == 0 { return "\(seconds / 60) min" }
        return "\(seconds) s"
    }
}
