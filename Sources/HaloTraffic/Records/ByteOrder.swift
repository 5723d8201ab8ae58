/// Which byte of a number comes first in a file.
enum ByteOrder: Hashable, Sendable {
    /// The highest.
    case big
    /// The lowest.
    case little
}
