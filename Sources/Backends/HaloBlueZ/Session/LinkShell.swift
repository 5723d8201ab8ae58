#if os(Linux)
internal import HaloTransport

/// The parts of a link outside of the session.
struct LinkShell: Sendable {
    let events: @Sendable (LinkEvent) -> Void
    /// Creates the app's driver for a link.
    let makeDriver: @Sendable (LinkNumber) -> any LinkDriver
}
#endif
