public import HaloProtocol

/// Everything that happens in a measurement, readings among it.
public enum LiveReport<Reading: Sendable>: Sendable {
    /// The ring measures and has no reading yet; the times between beats may come before.
    case warmingUp(beatInterval: UInt16?)
    /// A reading.
    case reading(Reading)
    /// The ring says that it is not worn, or not well.
    case notWorn
    /// A report with a fault that nobody has described, or one that says nothing: as it came.
    case other(RealtimeMeasurement.Reply)
    /// The link was lost; the measurement begins anew when it is made again.
    case interrupted
    /// So many reports were dropped here, because nobody fetched them.
    case missed(Int)
}

extension LiveReport: Equatable where Reading: Equatable {}
extension LiveReport: Hashable where Reading: Hashable {}
