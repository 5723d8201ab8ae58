public import HaloProtocol

/// Something that a ring has stored, and when.
public struct StoredEvent: Hashable, Sendable {
    /// When it was stored, on the ring's clock.
    public let time: CivilDateTime
    /// What was stored.
    public let content: Content

    init(_ time: CivilDateTime, _ content: Content) {
        self.time = time
        self.content = content
    }

    /// What was stored.
    public enum Content: Hashable, Sendable {
        /// A heart rate in beats per minute.
        case heartRate(UInt8)
        /// A stress score.
        case stress(UInt8)
        /// A heart-rate variability in milliseconds.
        case variability(UInt8)
        /// A blood oxygen in percent.
        case bloodOxygen(UInt8)
        /// A skin temperature in tenths of a degree above 20 °C.
        case temperature(UInt8)
        /// A record of activity, now that its hour is over.
        case activity
        /// A night.
        case night
        /// A nap.
        case nap
    }
}
