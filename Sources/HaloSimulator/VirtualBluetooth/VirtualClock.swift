public import HaloProtocol
internal import HaloTransport

/// The clock of a virtual air, to sleep on: an hour of it takes no longer than what happens in it.
public struct VirtualClock: Clock {
    /// A moment on this clock.
    public struct Instant: InstantProtocol {
        /// The moment of the air.
        public let moment: Moment

        /// A moment of the air.
        public init(_ moment: Moment) {
            self.moment = moment
        }

        /// The moment a duration later.
        public func advanced(by duration: Duration) -> Instant { Instant(moment + duration) }

        /// How long it is until another moment.
        public func duration(to other: Instant) -> Duration {
            other.moment.duration(since: moment)
        }

        /// The earlier one is less.
        public static func < (left: Instant, right: Instant) -> Bool { left.moment < right.moment }
    }

    let world: VirtualWorld

    /// Now.
    public var now: Instant { Instant(world.read { $0.air.now }) }
    /// A microsecond: moments count in them.
    public var minimumResolution: Duration { .microseconds(1) }

    /// Waits until a moment; a sleep that is cancelled ends at once, with `CancellationError`.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let sleeper = VirtualSleeper(world)
        let isOver = await withTaskCancellationHandler {
            await withCheckedContinuation { sleeper.sleep(until: deadline.moment, $0) }
        } onCancel: {
            sleeper.end(isOver: false)
        }
        guard isOver else { throw CancellationError() }
    }
}

/// One sleep.
private final class VirtualSleeper: Sendable {
    private enum State {
        case awake
        case asleep(CheckedContinuation<Bool, Never>, timer: UInt64)
        case over(Bool)
    }

    private let world: VirtualWorld
    private let state = Locked(State.awake)

    init(_ world: VirtualWorld) {
        self.world = world
    }

    func sleep(until moment: Moment, _ continuation: CheckedContinuation<Bool, Never>) {
        world.hold()
        defer { world.letGo() }
        let tag = world.drain.withLock { $0.makeTag() }
        world.begin(\.sleepers)
        let ended: Bool? = state.withLock { state in
            if case .over(let isOver) = state { return isOver }
            state = .asleep(continuation, timer: tag)
            return nil
        }
        if let ended {
            world.end(\.sleepers)
            return continuation.resume(returning: ended)
        }
        world.change { state in
            // Whoever has ended the sleep meanwhile has found no timer to cancel.
            guard isAsleep else { return }
            state.timers[tag] = { self.end(isOver: true) }
            state.air.schedule(at: moment, tag: tag)
        }
    }

    private var isAsleep: Bool {
        state.withLock { if case .asleep = $0 { true } else { false } }
    }

    func end(isOver: Bool) {
        let sleep: (continuation: CheckedContinuation<Bool, Never>, timer: UInt64)? =
            state.withLock { state in
                defer { state = .over(isOver) }
                if case .asleep(let continuation, let timer) = state {
                    return (continuation, timer)
                }
                return nil
            }
        guard let sleep else { return }
        if !isOver {
            world.drain.withLock { state in
                state.timers[sleep.timer] = nil
                state.air.cancelTimer(tag: sleep.timer)
            }
        }
        world.end(\.sleepers)
        sleep.continuation.resume(returning: isOver)
    }
}
