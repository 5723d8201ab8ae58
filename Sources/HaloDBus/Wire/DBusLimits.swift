#if os(Linux)
/// What a message may have at most.
enum DBusLimits {
    /// The longest message in bytes, header and all.
    static let messageLength = 1 << 27
    /// The longest array in bytes.
    static let arrayLength = 1 << 26
    /// How deep values may lie in each other, variants counted.
    static let depth = 2 * DBusSignature.maximumDepth
}
#endif
