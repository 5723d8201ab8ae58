public import HaloProtocol

/// A workout that runs: a sequence of its progress, and the means to pause and to end it.
///
/// It ends on the ring when it is ended here, or when neither it nor an iterator is held any more.
/// When the link is lost, so is the sequence: whether the ring goes on is not known, and a workout
/// that it stores can be read later.
public final class WorkoutRun: AsyncSequence, Sendable {
    /// What comes.
    public typealias Element = WorkoutProgress.Reply

    /// The sport.
    public let sport: Sport
    /// The key under which the ring will store it; see ``WorkoutControl``.
    public let start: CivilDateTime?

    let subscription: StreamSubscription

    init(_ sport: Sport, start: CivilDateTime?, _ subscription: StreamSubscription) {
        self.sport = sport
        self.start = start
        self.subscription = subscription
    }

    /// Interrupts it: the seconds stand still, the reports go on.
    public nonisolated(nonsending) func pause() async throws(DeviceError) {
        try await control(.pause)
    }

    /// Goes on.
    public nonisolated(nonsending) func resume() async throws(DeviceError) {
        try await control(.resume)
    }

    /// Ends it; the sequence ends with it. Workouts of 20 seconds were not stored, those of a
    /// minute were.
    public nonisolated(nonsending) func end() async throws(DeviceError) {
        try await control(.end)
    }

    /// Goes on where the last iterator has stopped: two of them share the reports.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(run: self)
    }

    /// Fetches the progress.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let run: WorkoutRun
        /// How many reports were dropped so far, because nobody fetched them.
        public private(set) var missed = 0

        init(run: WorkoutRun) {
            self.run = run
        }

        /// The next report; nothing when the workout has ended, or the task is cancelled.
        public nonisolated(nonsending) mutating func next() async throws(DeviceError)
            -> WorkoutProgress.Reply?
        {
            while let delivery = try await run.subscription.next() {
                missed &+= delivery.dropped
                if case .report(.workout(let reply)) = delivery.element { return reply }
            }
            return nil
        }
    }
}

@available(*, unavailable)
extension WorkoutRun.AsyncIterator: Sendable {}
