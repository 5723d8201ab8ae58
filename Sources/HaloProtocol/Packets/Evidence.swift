/// How well a fact about a ring is known.
public enum Evidence: Hashable, Sendable, CaseIterable {
    /// Seen in traffic of real rings, with a right checksum.
    case captured
    /// Two or more independent implementations agree; no capture is at hand.
    case severalSources
    /// Known from notes on the vendor's app only.
    case vendor
    /// One source, unverified.
    case oneSource
}

extension Evidence: CustomStringConvertible {
    /// Where the knowledge comes from, in words.
    public var description: String {
        switch self {
        case .captured: "captures"
        case .severalSources: "several sources"
        case .vendor: "vendor notes"
        case .oneSource: "one source"
        }
    }
}
