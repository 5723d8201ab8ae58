public import HaloProtocol
internal import HaloTransport

/// A workout that runs: a sequence of its progress, and the means to pause and to end it.
///
/// It ends on the ring when it is ended here, when a loop's task is cancelled, or when neither it
/// nor an iterator is held any more. When the link is lost, so is the sequence: whether the ring
/// goes on is not known, and what it stores can be read later.
public final class WorkoutRun: AsyncSequence, Sendable {
    /// What comes.
    public typealias Element = WorkoutProgress.Reply

    /// The sport.
    public let sport: Sport
    /// The key under which the ring will store it; see ``WorkoutControl``.
    public let start: CivilDateTime?

    private let loop: Loop<RingClient, StreamItem>
    /// What came before the ring said that it has begun.
    private let early: Locked<[WorkoutProgress.Reply]>

    private init(
        _ sport: Sport, start: CivilDateTime?, _ early: [WorkoutProgress.Reply],
        _ loop: Loop<RingClient, StreamItem>
    ) {
        self.sport = sport
        self.start = start
        self.loop = loop
        self.early = Locked(early)
    }

    /// Has the ring begin, and waits until it has.
    nonisolated(nonsending) static func start(
        _ sport: Sport, on ring: Ring
    ) async throws(DeviceError) -> WorkoutRun {
        if let refusal = ring.connection.refusal {
            var refusal = refusal
            refusal.command = WorkoutControl.name
            throw refusal
        }
        let loop = ring.loop(over: .workout(sport), once: true)
        var early: [WorkoutProgress.Reply] = []
        while let delivery = try await loop.next() {
            switch delivery.element {
            case .report(.started(let start)):
                return WorkoutRun(sport, start: start, early, loop)
            case .report(.workout(let reply)): early.append(reply)
            case .report, .interrupted: continue
            }
        }
        throw DeviceError(
            Task.isCancelled ? .cancelled : .disconnected, command: WorkoutControl.name)
    }

    /// Interrupts it: the seconds stand still.
    ///
    /// It returns before the ring is told. Reports go on, once a second; their
    /// ``WorkoutProgress/Reply/state`` says that it is interrupted.
    public func pause() { control(.pause) }

    /// Goes on.
    public func resume() { control(.resume) }

    /// Ends it; the sequence ends when the ring has. Workouts of 20 seconds were not stored,
    /// those of a minute were.
    public func end() { control(.end) }

    private func control(_ action: WorkoutControl.Action) {
        loop.connection.act { [loop] in $0.control(loop.number, action, &$1) }
    }

    /// Goes on where the last iterator has stopped: two of them share the reports.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(run: self) }

    nonisolated(nonsending) private func next() async throws(DeviceError)
        -> Delivery<StreamItem>?
    {
        let first = early.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        if let first {
            return Delivery(element: .report(.workout(first)), dropped: 0)
        }
        return try await loop.next()
    }

    /// Fetches the progress.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let run: WorkoutRun
        /// The number of reports so far that were dropped, because the buffer was full.
        public private(set) var missed = 0

        init(run: WorkoutRun) { self.run = run }

        /// The next report; `nil` when the workout has ended, or the task is cancelled.
        public nonisolated(nonsending) mutating func next() async throws(DeviceError)
            -> WorkoutProgress.Reply?
        {
            while let delivery = try await run.next() {
                missed &+= delivery.dropped
                if case .report(.workout(let reply)) = delivery.element { return reply }
            }
            return nil
        }
    }
}

@available(*, unavailable)
extension WorkoutRun.AsyncIterator: Sendable {}

extension Ring {
    /// Starts a workout, and gives its progress second by second; returns when the ring has begun.
    ///
    /// It is the one way to a heart rate for longer than a minute that is known to work on rings
    /// with a Realtek chip. Seen on an R10.
    public nonisolated(nonsending) func startWorkout(
        _ sport: Sport
    ) async throws(DeviceError) -> WorkoutRun {
        try await WorkoutRun.start(sport, on: self)
    }
}
