internal import HaloProtocol
internal import HaloTransport

/// The time of a virtual air, which passes by its ``VirtualMode``.
extension VirtualWorld: TransportTime {
    var clock: any Clock<Duration> { VirtualClock(world: self) }

    func now() -> Moment { read { $0.air.now } }

    func wallClock() -> WallClock { read { $0.air.wallClock() } }

    /// Calls a function at a moment, or, for a past moment, when time passes next.
    func schedule(
        at moment: Moment, _ action: @escaping @Sendable () -> Void
    ) -> BLECancellable {
        let tag = change { state in
            let tag = state.makeTag()
            state.timers[tag] = action
            state.air.schedule(at: moment, tag: tag)
            return tag
        }
        return BLECancellable { [self] in
            _ = change { state in
                state.air.cancelTimer(tag: tag)
                return state.timers.removeValue(forKey: tag)
            }
        }
    }
}
