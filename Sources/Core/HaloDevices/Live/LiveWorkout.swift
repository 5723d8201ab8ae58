public import HaloProtocol
internal import HaloTransport

/// A running workout: a sequence of its reports, with functions to pause and to end it.
///
/// The workout ends on the ring when ``end()`` is called, when the task of a loop is cancelled, and
/// when neither this object nor an iterator is held any more. When the link is lost, the sequence
/// throws. The workout may continue on the ring then; the stored workout can be read later. If the
/// ring stops reporting over a link that is not lost, the workout is ended after 35 s, and the
/// sequence throws ``DeviceError/Kind/silent``.
public final class LiveWorkout: AsyncSequence, Sendable {
    /// The sport.
    public let sport: Sport
    /// The key under which the ring will store the workout; see ``WorkoutRecord/key``.
    public let key: CivilDateTime?

    private let loop: Loop<RingClient, StreamItem>
    /// The reports that have arrived before the ring's confirmation of the start.
    private let early: Locked<[WorkoutProgress.Reply]>

    fileprivate init(
        _ sport: Sport, key: CivilDateTime?, _ early: [WorkoutProgress.Reply],
        _ loop: Loop<RingClient, StreamItem>
    ) {
        self.sport = sport
        self.key = key
        self.loop = loop
        self.early = Locked(early)
    }

    /// Pauses the workout and its time.
    ///
    /// The call returns before the ring has received the request. Reports continue once a second,
    /// in the state ``WorkoutReport/State/paused``.
    public func pause() { control(.pause) }

    /// Resumes a paused workout.
    public func resume() { control(.resume) }

    /// Ends the workout; the sequence ends when the ring has ended the workout. Workouts of 20
    /// seconds were not stored, workouts of a minute were.
    public func end() { control(.end) }

    private func control(_ action: WorkoutControl.Action) {
        loop.connection.withClient { [loop] in $0.control(loop.number, action, &$1) }
    }

    /// Creates an iterator that continues where the last one stopped. Two iterators share the
    /// reports.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(run: self) }

    nonisolated(nonsending) private func next() async throws(DeviceError) -> StreamItem? {
        let first = early.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        if let first { return .report(.workout(first)) }
        return try await loop.next()
    }

    /// The iterator over a workout's reports.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let run: LiveWorkout
        /// The number of reports so far that were dropped because the loop was slow.
        public private(set) var missed = 0

        /// Waits for the next report; `nil` when the workout has ended, and when the task is
        /// cancelled.
        public nonisolated(nonsending) mutating func next() async throws(DeviceError)
            -> WorkoutReport?
        {
            while let item = try await run.next() {
                switch item {
                case .report(.workout(let reply)): return WorkoutReport(reply)
                case .missed(let count): missed &+= count
                case .report, .interrupted: continue
                }
            }
            return nil
        }
    }
}

@available(*, unavailable)
extension LiveWorkout.AsyncIterator: Sendable {}

extension Ring {
    /// Starts a workout, and returns when the ring has confirmed it.
    ///
    /// On rings with a Realtek chip, this is the only known way to measure the heart rate for
    /// longer than a minute. Seen on an R10.
    ///
    /// A ring that refuses throws ``DeviceError/Kind/notSupported``, and one that does not reply
    /// ``DeviceError/Kind/silent``. A workout whose start is cancelled is ended on the ring.
    public nonisolated(nonsending) func startWorkout(
        _ sport: Sport
    ) async throws(DeviceError) -> LiveWorkout {
        try connection.checkReady(for: WorkoutControl.name)
        let loop = loop(over: .workout(sport), once: false)
        var early: [WorkoutProgress.Reply] = []
        while let item = try await loop.next() {
            switch item {
            case .report(.started(let key)): return LiveWorkout(sport, key: key, early, loop)
            case .report(.workout(let reply)): early.append(reply)
            case .report, .interrupted, .missed: continue
            }
        }
        if Task.isCancelled { throw DeviceError(.cancelled, command: WorkoutControl.name) }
        // The error has the reason if the app has disconnected.
        try connection.checkReady(for: WorkoutControl.name)
        throw DeviceError(.disconnected, command: WorkoutControl.name)
    }
}
