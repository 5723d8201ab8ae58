/// How it is known what an attribute is.
public enum ResolutionBasis: Hashable, Sendable, CaseIterable {
    /// The user has said so.
    case mapped
    /// The log itself names it.
    case named
    /// The device has said so on this connection.
    case discovered
    /// The device has said so on another connection in the file, which the app remembered.
    case discoveredElsewhere
    /// What was written there switches the notifications of the attribute before it.
    case subscribed
    /// Other handles were recognised, and lie as on rings whose captures are known.
    case layout
    /// What went over it looks like it.
    case recognised
    /// It is not.
    case unknown

    /// Whether it may be wrong.
    public var isGuess: Bool {
        switch self {
        case .mapped, .named, .discovered, .discoveredElsewhere: false
        case .subscribed, .layout, .recognised, .unknown: true
        }
    }
}

extension ResolutionBasis: CustomStringConvertible {
    /// In words.
    public var description: String {
        switch self {
        case .mapped: "as told"
        case .named: "named by the log"
        case .discovered: "discovered"
        case .discoveredElsewhere: "discovered on another connection"
        case .subscribed: "guessed by its use"
        case .layout: "guessed by its place"
        case .recognised: "guessed by its values"
        case .unknown: "unknown"
        }
    }
}
