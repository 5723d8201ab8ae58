#if os(Linux)
/// The limits of the specification.
enum DBusLimits {
    /// The longest message in bytes, with its header.
    static let messageLength = 1 << 27
    /// The longest array in bytes.
    static let arrayLength = 1 << 26
    /// The maximum nesting of containers and variants.
    static let depth = 2 * DBusType.maximumDepth
}
#endif
