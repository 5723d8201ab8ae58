/// The wall clock that a virtual air follows, with functions to wait and to start a task.
package struct VirtualPacing: Sendable {
    package var spawn: @Sendable (@escaping @Sendable () async -> Void) -> Void
    /// The elapsed time since an arbitrary origin.
    package var now: @Sendable () -> Duration
    package var pause: @Sendable (Duration) async -> Void

    package static func system() -> VirtualPacing {
        let clock = ContinuousClock()
        let origin = clock.now
        return VirtualPacing(
            spawn: { body in Task { await body() } },
            now: { origin.duration(to: clock.now) },
            pause: { try? await clock.sleep(for: $0) })
    }
}
