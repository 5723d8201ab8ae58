package import HaloProtocol

package struct StoredEvent: Hashable, Sendable {
    /// The time of storing, on the ring's clock.
    package let time: CivilDateTime
    package let content: Content

    package enum Content: Hashable, Sendable {
        case heartRate(UInt8)
        case stress(UInt8)
        /// A heart-rate variability in milliseconds.
        case variability(UInt8)
        case bloodOxygen(UInt8)
        /// A skin temperature in tenths of a degree above 20 °C.
        case temperature(UInt8)
        /// An activity record whose hour is over.
        case activity
        case night
        case nap
    }
}
