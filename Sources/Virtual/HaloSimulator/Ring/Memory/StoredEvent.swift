package import HaloProtocol

/// A stored value.
package struct StoredEvent: Hashable, Sendable {
    /// The time of storing, on the ring's clock.
    package let time: CivilDateTime
    /// The kind of value.
    package let content: Content

    /// The kind of value.
    package enum Content: Hashable, Sendable {
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
        /// An activity record whose hour is over.
        case activity
        /// A night.
        case night
        /// A nap.
        case nap
    }
}
