/// The basis of an attribute's type, in words.
public enum ResolutionBasis: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// The options of the import.
    case mapped = "as told"
    /// The log, which names the attribute.
    case named = "named by the log"
    /// A discovery on this connection.
    case discovered = "discovered"
    /// A discovery on another connection of the file, which the app has cached.
    case discoveredElsewhere = "discovered on another connection"
    /// Writes to the attribute that switched the notifications of the attribute before it.
    case subscribed = "guessed by its use"
    /// The handle, by the layout of known rings, after others of its handles were recognised.
    case layout = "guessed by its place"
    /// The form of the values.
    case recognised = "guessed by its values"
    /// No basis: the type is unknown.
    case unknown = "unknown"

    package var isGuess: Bool {
        switch self {
        case .mapped, .named, .discovered, .discoveredElsewhere: false
        case .subscribed, .layout, .recognised, .unknown: true
        }
    }

    /// The basis in words.
    public var description: String { rawValue }
}
