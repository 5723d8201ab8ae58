#if os(Linux)
/// The names of the reasons that the daemon gives for the end of a link, from 5.83 on: as its
/// source has them, never seen.
package enum BlueZReason {
    private static let prefix = "org.bluez.Reason."
    /// Nobody knows.
    package static let unknown = prefix + "Unknown"
    /// The device was not heard of for the supervision timeout.
    package static let timeout = prefix + "Timeout"
    /// This computer has ended it.
    package static let local = prefix + "Local"
    /// The device has ended it.
    package static let remote = prefix + "Remote"
    /// The keys did not fit.
    package static let authentication = prefix + "Authentication"
    /// This computer goes to sleep.
    package static let suspend = prefix + "Suspend"

    /// What the daemon says besides.
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
