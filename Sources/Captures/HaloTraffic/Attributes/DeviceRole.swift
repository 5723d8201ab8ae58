/// The end of a connection at which the recorder was.
public enum DeviceRole: Hashable, Sendable {
    /// The recorder was on the app's host: the device is the remote side.
    case remote
    /// The recorder was on the device itself.
    case local
    /// The recorder was a sniffer between them.
    case overheard
    /// Unknown, as the recording began during the connection.
    case unknown
}
