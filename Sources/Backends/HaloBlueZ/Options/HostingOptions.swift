#if os(Linux)
/// The options of ``BlueZTransport/host(_:_:)``.
public struct HostingOptions: Hashable, Sendable {
    /// `true` to give the adapter the device's name while the device is hosted.
    ///
    /// Otherwise a central may see the computer's name once it is connected: advertisements have
    /// the device's name, the adapter's GAP service its own. A program that is killed leaves the
    /// name behind.
    public var renamesAdapter: Bool

    /// Creates options; by default the adapter keeps its name.
    public init(renamesAdapter: Bool = false) { self.renamesAdapter = renamesAdapter }
}
#endif
