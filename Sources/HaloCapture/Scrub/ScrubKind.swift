/// A kind of thing that scrubbing replaces; a list that can grow.
public struct ScrubKind: Hashable, Sendable {
    /// The name, as reports and the command line write it.
    public let name: String

    /// What tells one device from another: addresses, system identifiers, maker's data.
    public static let addresses = ScrubKind(name: "addresses")
    /// What people call devices, phones, connections and files.
    public static let names = ScrubKind(name: "names")
    /// Serial numbers.
    public static let serials = ScrubKind(name: "serials")
    /// Days of the calendar; times of day stay.
    public static let dates = ScrubKind(name: "dates")
    /// What was measured on a body, what that body is like and what its wearer wants of it.
    public static let health = ScrubKind(name: "health")
    /// Bytes that nobody can name: messages, contacts and places are among them.
    public static let unknown = ScrubKind(name: "unknown")
    /// What people wrote between the packets.
    public static let comments = ScrubKind(name: "comments")

    /// All kinds, in the order of reports.
    public static let all: [ScrubKind] = [
        addresses, names, serials, dates, health, unknown, comments,
    ]

    private init(name: String) {
        self.name = name
    }

    /// The kind of that name.
    public init?(named name: String) {
        guard let kind = Self.all.first(where: { $0.name == name }) else { return nil }
        self = kind
    }
}

extension ScrubKind: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}
