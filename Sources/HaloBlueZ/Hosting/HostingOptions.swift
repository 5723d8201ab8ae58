#if os(Linux)
/// How this computer is a device.
public struct HostingOptions: Hashable, Sendable {
    /// Whether the adapter is called by the device's name meanwhile, and by its own again in the
    /// end. Otherwise a central may see the computer's name once it is connected: advertisements
    /// have the device's name, the adapter answers with its own. A program that is killed leaves
    /// the name behind.
    public var renamesAdapter: Bool

    /// The usual way: the adapter keeps its name.
    public init(renamesAdapter: Bool = false) {
        self.renamesAdapter = renamesAdapter
    }
}
#endif
