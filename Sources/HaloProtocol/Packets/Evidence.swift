/// How well a fact about a ring is known.
public enum Evidence: Hashable, Sendable {
    /// Seen in traffic of real rings, with a right checksum.
    case captured
    /// Two or more independent implementations agree; no capture is at hand.
    case severalSources
    /// Known from notes on the vendor's app only.
    case vendor
    /// One source, unverified.
    case oneSource
}
