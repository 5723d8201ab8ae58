#if os(Linux)
/// The number of a link, or of an attempt to connect.
struct LinkNumber: Hashable, Comparable, Sendable {
    let rawValue: UInt64

    static func < (one: LinkNumber, other: LinkNumber) -> Bool { one.rawValue < other.rawValue }
}
#endif
