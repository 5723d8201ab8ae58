public import HaloProtocol

/// Everything that happens while a heart-rate sensor measures.
public enum HeartRateReport: Hashable, Sendable {
    /// A measurement.
    case measurement(MeasuredHeartRate)
    /// A value that is no measurement, when it came, and what is wrong with it.
    case malformed([UInt8], Moment, PacketError)
    /// The sensor has lost the skin, or found it again; only some can tell.
    case contact(HeartRateMeasurement.Contact)
    /// The link was lost; measurements go on when it is made again.
    case interrupted
    /// So many reports were dropped here, because nobody fetched them.
    case missed(Int)
}
