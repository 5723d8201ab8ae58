/// The evidence for a fact about rings.
public enum Evidence: Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// Traffic of real rings, with a valid checksum.
    case captured
    /// Two or more independent implementations that agree, without a capture.
    case severalSources
    /// Notes on the vendor's app only.
    case vendor
    /// One unverified source.
    case oneSource

    /// The evidence in words.
    public var description: String {
        switch self {
        case .captured: "captures"
        case .severalSources: "several sources"
        case .vendor: "vendor notes"
        case .oneSource: "one source"
        }
    }
}
