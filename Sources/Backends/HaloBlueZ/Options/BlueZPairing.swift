#if os(Linux)
/// The way to pair with a device: without input and output on this computer, which is what rings
/// and straps expect.
public struct BlueZPairing: Hashable, Sendable {
    /// Creates options for pairing, without interaction.
    public init() {}
}
#endif
