/// Which end of a connection the recorder sat at.
public enum DeviceRole: Hashable, Sendable {
    /// The recorder's host is the app's: the device is the other one.
    case remote
    /// The recorder's host is the device itself.
    case local
    /// The recorder listened between them.
    case overheard
    /// Nobody knows: the recording began in the middle of the connection.
    case unknown
}
