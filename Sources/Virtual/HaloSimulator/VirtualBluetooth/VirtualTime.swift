internal import HaloProtocol
internal import HaloTransport

/// The time of a virtual air, which passes by its ``VirtualMode``.
struct VirtualTime: TransportTime {
    let world: VirtualWorld

    var loop: TransportLoop { world.loop }

    /// The clock of the air.
    var clock: any Clock<Duration> { VirtualClock(world: world) }

    /// The current moment.
    func now() -> Moment { world.read { $0.air.now } }

    /// The current time of a wall clock in the air.
    func wallClock() -> WallClock { world.read { $0.air.wallClock() } }

    /// Calls a function at a moment, or, for a past moment, when time passes next.
    func schedule(
        at moment: Moment, _ action: @escaping @Sendable () -> Void
    ) -> BLECancellable {
        let world = world
        let tag = world.change { state in
            let tag = state.makeTag()
            state.timers[tag] = action
            state.air.schedule(at: moment, tag: tag)
            return tag
        }
        return BLECancellable {
            _ = world.change { state in
                state.air.cancelTimer(tag: tag)
                return state.timers.removeValue(forKey: tag)
            }
        }
    }

    /// Notes the beginning or the end of a wait.
    ///
    /// Outside of a turn, call it *after* the request: in ``VirtualMode/automatic`` time may pass
    /// before this returns, until the reply has arrived.
    func waiting(_ change: WaitChange) { world.waiting(change) }
}
