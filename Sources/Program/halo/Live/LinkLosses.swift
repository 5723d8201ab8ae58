/// The times without a link in a live measurement.
struct LinkLosses: Sendable {
    private var count = 0
    private var total = 0.0
    /// The time of the loss that still lasts, in seconds from the beginning.
    private var since: Double?

    /// The share of a measurement that may pass without a link.
    private static let mostLost = 0.1

    /// Receives a reading with its seconds from the beginning. Any other than a loss shows that
    /// there is a link.
    mutating func receive(_ content: LiveReading.Content, at seconds: Double) {
        switch content {
        case .linkLost where since == nil:
            since = seconds
            count += 1
        case .linkLost, .missed: break
        case .warmingUp, .value, .notWorn, .other:
            if let since { total += max(seconds - since, 0) }
            since = nil
        }
    }

    /// Returns the status of a measurement that ends now, and a remark if a link was lost: a
    /// difference if it is lost still, or was for more than a tenth of the time.
    func conclusion(at end: Double) -> (status: ExitStatus, remark: String?) {
        guard count > 0 else { return (.success, nil) }
        let lost = total + (since.map { max(end - $0, 0) } ?? 0)
        let isMuch = since != nil || lost > end * Self.mostLost
        let times = count == 1 ? "once" : count == 2 ? "twice" : "\(count) times"
        let still = since == nil ? "" : ", and is lost still"
        let (part, whole) = (Self.words(lost), Self.words(end))
        return (
            isMuch ? .difference : .success,
            "the link was lost \(times), for \(part) of \(whole)\(still)"
        )
    }

    /// Seconds in the largest unit of which there are two: `90 s`, `90 min`, `15 h`.
    private static func words(_ seconds: Double) -> String {
        let seconds = Int(seconds.rounded())
        return seconds < 120
            ? "\(seconds) s" : seconds < 7200 ? "\(seconds / 60) min" : "\(seconds / 3600) h"
    }
}
