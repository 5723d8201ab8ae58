/// The basis of an attribute's type.
public enum ResolutionBasis: Hashable, Sendable, CaseIterable {
    /// The options of the import.
    case mapped
    /// The log, which names the attribute.
    case named
    /// A discovery on this connection.
    case discovered
    /// A discovery on another connection of the file, which the app has cached.
    case discoveredElsewhere
    /// Writes to the attribute that switched the notifications of the attribute before it.
    case subscribed
    /// The handle, by the layout of known rings, after others of its handles were recognised.
    case layout
    /// The form of the values.
    case recognised
    /// No basis: the type is unknown.
    case unknown

    package var isGuess: Bool {
        switch self {
        case .mapped, .named, .discovered, .discoveredElsewhere: false
        case .subscribed, .layout, .recognised, .unknown: true
        }
    }
}

extension ResolutionBasis: CustomStringConvertible {
    /// The basis in words.
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
