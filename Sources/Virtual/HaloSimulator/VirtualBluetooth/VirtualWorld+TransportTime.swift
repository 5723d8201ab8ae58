internal import HaloProtocol
internal import HaloTransport

/// The time of a virtual air, which passes by its ``VirtualMode``.
extension VirtualWorld: TransportTime {
    var clock: any Clock<Duration> { VirtualClock(self) }

    func now() -> Moment { read { $0.air.now } }

    func wallClock() -> WallClock { read { $0.air.wallClock() } }

    /// Calls a function at a moment, or, for a past moment, when time passes next.
    func schedule(
        at moment: Moment, _ action: @escaping @Sendable () -> Void
    ) -> BLECancellable {
        begin { state, tag in
            state.timers[tag] = action
            state.air.schedule(at: moment, tag: tag)
        } end: { state, tag in
            state.air.cancelTimer(tag: tag)
            return state.timers.removeValue(forKey: tag)
        }
    }
}
