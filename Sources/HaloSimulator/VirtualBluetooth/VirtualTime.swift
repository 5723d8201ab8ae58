public import HaloProtocol
public import HaloTransport

/// The time of a virtual air; ``VirtualMode`` says how it passes.
public struct VirtualTime: TransportTime {
    let world: VirtualWorld

    /// A clock to sleep on.
    public var clock: any Clock<Duration> { VirtualClock(world: world) }

    /// How far time has come.
    public func now() -> Moment { world.read { $0.air.now } }

    /// What a clock on the wall shows in the air.
    public func wallClock() -> WallClock { world.read { $0.air.wallClock() } }

    /// Calls a function when a moment has come, at the earliest when time passes next.
    public func schedule(
        at moment: Moment, _ action: @escaping @Sendable () -> Void
    ) -> Registration {
        let world = world
        let tag = world.change { state in
            let tag = state.makeTag()
            state.timers[tag] = action
            state.air.schedule(at: moment, tag: tag)
            return tag
        }
        return Registration {
            _ = world.change { state in
                state.air.cancelTimer(tag: tag)
                return state.timers.removeValue(forKey: tag)
            }
        }
    }

    /// Somebody begins to wait, or no longer does.
    ///
    /// To be said *after* asking for what is waited for: in ``VirtualMode/automatic`` time may
    /// pass before this returns, until what was asked for has come.
    public func waiting(_ change: WaitChange) {
        switch change {
        case .begins: world.begin(\.waiters)
        case .ends: world.end(\.waiters)
        case .listeningBegins: world.begin(\.listeners)
        case .listeningEnds: world.end(\.listeners)
        case .actionBegins: world.hold()
        case .actionEnds: world.letGo()
        }
    }
}
