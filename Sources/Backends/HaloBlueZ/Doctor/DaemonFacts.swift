#if os(Linux)
internal import HaloDBus

struct DaemonFacts: Sendable {
    /// `true` if the daemon's name has an owner.
    var isRunning = false
    /// `true` if the bus can start the daemon.
    var isActivatable = false
    /// `true` if the daemon's process is visible here: only then its settings can be read.
    var isLocal = false
    var arguments: [String] = []
    /// The daemon's objects; `nil` if they were not requested, or no reply came.
    var objects: DaemonObjects?
    var error: DBusError?
}
#endif
