#if os(Linux)
/// The daemon's reasons for the end of a link, from 5.83 on: quoted from its source, never seen.
package enum BlueZReason {
    private static let prefix = "org.bluez.Reason."
    /// The daemon knows no reason.
    package static let unknown = prefix + "Unknown"
    /// The device was silent for the supervision timeout.
    package static let timeout = prefix + "Timeout"
    /// This computer ended the link.
    package static let local = prefix + "Local"
    /// The device ended the link.
    package static let remote = prefix + "Remote"
    /// The keys did not match.
    package static let authentication = prefix + "Authentication"
    /// This computer is suspended.
    package static let suspend = prefix + "Suspend"

    /// Returns the text that the daemon sends with a reason.
    package static func text(of reason: String) -> String {
        switch reason {
        case timeout: "Connection timeout"
        case local: "Connection terminated by local host"
        case remote: "Connection terminated by remote user"
        case authentication: "Connection terminated due to authentication failure"
        case suspend: "Connection terminated by local host for suspend"
        default: "Unspecified"
        }
    }
}
#endif
