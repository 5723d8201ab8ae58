/// A kind of data that scrubbing replaces; a list that can grow.
public struct ScrubKind: Hashable, Sendable {
    /// The name, as in reports and on the command line.
    package let name: String

    /// Addresses, system identifiers and manufacturer data.
    public static let addresses = ScrubKind(name: "addresses")
    /// Names of devices, phones, connections and files.
    public static let names = ScrubKind(name: "names")
    /// Serial numbers.
    public static let serials = ScrubKind(name: "serials")
    /// Days of the calendar, without times of day.
    public static let dates = ScrubKind(name: "dates")
    /// Measurements, properties of the body, and goals.
    public static let health = ScrubKind(name: "health")
    /// Bytes with unknown meaning, among them messages, contacts and locations.
    public static let unknown = ScrubKind(name: "unknown")
    /// Comments between the packets.
    public static let comments = ScrubKind(name: "comments")

    /// All kinds, in the order of reports.
    public static let all: [ScrubKind] = [
        addresses, names, serials, dates, health, unknown, comments,
    ]
}

extension ScrubKind: CustomStringConvertible {
    /// The name.
    public var description: String { name }

    /// Creates the kind with a name; `nil` if there is none.
    package init?(named name: String) {
        guard let kind = Self.all.first(where: { $0.name == name }) else { return nil }
        self = kind
    }
}
