/// A report of a measurement.
public enum LiveReport<Reading: Sendable>: Sendable {
    /// The ring measures, and has no reading yet. Intervals between beats may come earlier than
    /// readings.
    case warmingUp(beatInterval: Duration?)
    case reading(Reading)
    /// The ring reports that it is not worn, or not properly.
    case notWorn
    /// A report that is not described, in words for a log.
    case other(String)
    /// The link was lost; the measurement begins again with the next link.
    case interrupted
    /// The number of reports that were dropped because the loop was slow.
    case missed(Int)
}

extension LiveReport: Equatable where Reading: Equatable {}

extension LiveReport: Hashable where Reading: Hashable {}

extension LiveReport: Encodable where Reading: Encodable {}

extension LiveReport: Decodable where Reading: Decodable {}
