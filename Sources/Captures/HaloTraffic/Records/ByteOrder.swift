/// The byte order of a number in a file.
enum ByteOrder: Hashable, Sendable {
    /// The highest byte first (big-endian).
    case big
    /// The lowest byte first (little-endian).
    case little
}
