#if os(Linux)
internal import HaloTransport

/// The parts of a link outside of the session.
struct LinkShell: Sendable {
    let events: @Sendable (LinkEvent) -> Void
    let makeDriver: @Sendable (LinkNumber) -> any LinkDriver
}
#endif
