#if os(Linux)
/// The names of the reasons that the daemon gives for the end of a link, from 5.82 on: as its
/// documentation has them, never seen.
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
}
#endif
