#if os(Linux)
/// The daemon's reasons for the end of a link, from 5.83 on: quoted from its source, never seen.
package enum BlueZReason {
    private static let prefix = "org.bluez.Reason."
    package static let unknown = prefix + "Unknown"
    /// The device was silent for the supervision timeout.
    package static let timeout = prefix + "Timeout"
    package static let local = prefix + "Local"
    package static let remote = prefix + "Remote"
    package static let authentication = prefix + "Authentication"
    package static let suspend = prefix + "Suspend"

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
