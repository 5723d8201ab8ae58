internal import HaloProtocol

enum Wording {
    /// Returns a duration as `300 ms`, `1.5 s`, `20 s` or `5 min`.
    static func duration(_ duration: Duration) -> String {
        let milliseconds = duration / .milliseconds(1)
        let (number, unit): (Double, String) =
            switch milliseconds {
            case 1..<1000: (milliseconds, "ms")
            case 120_000... where milliseconds.remainder(dividingBy: 60_000) == 0:
                (milliseconds / 60_000, "min")
            default: (milliseconds / 1000, "s")
            }
        let rounded = (number * 10).rounded() / 10
        return "\(Int64(exactly: rounded).map { "\($0)" } ?? "\(rounded)") \(unit)"
    }

    static func state(_ isOn: Bool) -> String { isOn ? "on" : "off" }

    /// Returns an offset from UTC as `UTC`, `UTC+2` or `UTC−3:30`.
    static func offset(secondsFromUTC seconds: Int) -> String {
        guard seconds != 0 else { return "UTC" }
        let minutes = seconds.magnitude / 60
        let rest = minutes % 60
        let tail = rest == 0 ? "" : ":" + DecimalText.two(Int(rest))
        return "UTC\(seconds < 0 ? "−" : "+")\(minutes / 60)\(tail)"
    }
}
