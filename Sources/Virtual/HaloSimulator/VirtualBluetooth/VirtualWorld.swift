internal import HaloProtocol
internal import HaloTransport

/// The backend of a virtual Bluetooth: the air, and the callbacks of its requests, in the loop.
///
/// At the end of each turn the next step is done, until there is none: virtual time passes on the
/// thread that makes it pass, and a long run is a loop.
///
/// In ``VirtualMode/automatic``, a task that begins to wait lets time pass until any wait is over.
/// Then time stops, even if others still wait, until the resumed task waits again: otherwise an
/// hour of sleep in one task would pass between two requests of another. A task that never waits
/// again gets some milliseconds (``VirtualWorld/runPacing(_:)``). A task that only sleeps lets no
/// time pass until the air is idle for a moment: otherwise a timeout of ten seconds would be over
/// before its operation has begun.
///
/// Time also stops during an action of several turns.
final class VirtualWorld: LoopBackend, TransportTime {
    typealias Action = @Sendable () -> Void

    /// A scan, an attempt to connect or an operation.
    struct Request {
        /// The callback for the events of the link, if there will be one.
        var events: (@Sendable (LinkEvent) -> Void)?
        let receive: @Sendable (AirOutput, VirtualWorld) -> Void
    }

    enum Step {
        case call(Action)
        case event(LinkEvent, @Sendable (LinkEvent) -> Void)
        case output(AirOutput, @Sendable (AirOutput, VirtualWorld) -> Void)
        /// A task with this number has to be started, which lets time pass.
        case runPacing(UInt64)
    }

    struct State {
        let air: Air
        let mode: VirtualMode
        let wall: VirtualPacing
        var waiters = 0
        var sleepers = 0
        var listeners = 0
        /// The number of tasks that were resumed and have not begun another wait.
        var runners = 0
        /// The number of events that may still run before the current waiter has to continue.
        var budget = 0
        var activity: UInt64 = 0
        var actors = 0
        /// The moment to which time must advance, by ``VirtualBluetooth/advance(by:)`` or the wall
        /// clock; `nil` for none.
        var target: Moment?
        var steps = 0
        var nextTag: UInt64 = 1
        var actions = Queue<Action>()
        var requests: [UInt64: Request] = [:]
        var links: [AirLinkNumber: @Sendable (LinkEvent) -> Void] = [:]
        var timers: [UInt64: Action] = [:]
        var observers: [UInt64: (CentralNumber, @Sendable (AdapterState) -> Void)] = [:]
        var pace = Pace()

        /// `true` if there was a call since the last poll, or if one is in progress.
        var isBusy: Bool { activity != pace.activity || actors != 0 }
    }

    /// The progress of an air that follows the wall clock, and of the task that runs events for
    /// idle waits.
    struct Pace {
        var isRunning = false
        /// The number of the task. One that was replaced has another, and ends.
        var number: UInt64 = 0
        /// The wall time at which the task wakes up; `nil` unless it sleeps until an event.
        var wakeUp: Duration?
        /// The wall time and the air's moment at which following began; `nil` while the air does
        /// not follow.
        var anchor: (wall: Duration, air: Moment)?
        /// The number of calls at the last poll.
        var activity: UInt64 = 0
        var idlePolls = 0
        /// The number of events to run at once.
        var burst = 1
    }

    let loop = TransportLoop()
    let state: InLoop<State>
    private let wall: VirtualPacing

    init(
        seed: UInt64, mode: VirtualMode, startingAt start: WallClock, faults: FaultPlan,
        pacing: VirtualPacing
    ) {
        state = InLoop(
            loop,
            State(
                air: Air(seed: seed, startingAt: start, faults: faults), mode: mode, wall: pacing))
        wall = pacing
        loop.add(self, notesBeginnings: mode != .manual)
    }

    @discardableResult
    func change<Result>(_ body: (inout State) -> Result) -> Result {
        state.run { state in
            state.activity &+= 1
            return body(&state)
        }
    }

    func turnBegins() -> Bool {
        state.run { state in
            state.catchUp()
            return state.target != nil
        }
    }

    func goOn() -> Bool {
        guard let step = state.run({ $0.nextStep() }) else { return false }
        switch step {
        case .call(let action): action()
        case .event(let event, let receive): receive(event)
        case .output(let output, let receive): receive(output, self)
        case .runPacing(let number):
            loop.afterwards { [self] in wall.spawn { await self.runPacing(number) } }
        }
        return true
    }

    /// Notes the beginning or the end of a wait or an action. Time passes at the end of the turn;
    /// not during an action, which may have several turns.
    ///
    /// Outside of a turn, call it *after* the request: in ``VirtualMode/automatic`` time may pass
    /// before this returns, until the reply has arrived.
    func waiting(_ change: WaitChange) { state.run { $0.waiting(change) } }

    func read<Result>(_ body: (State) -> Result) -> Result {
        state.run { body($0) }
    }

    @discardableResult
    private func tagged(_ body: (inout State, UInt64) -> Void) -> UInt64 {
        change { state in
            let tag = state.nextTag
            state.nextTag &+= 1
            body(&state, tag)
            return tag
        }
    }

    /// Begins something that ``BLECancellable/cancel()`` ends. What the end returns is released
    /// outside of the state.
    func begin<Rest>(
        _ body: (inout State, UInt64) -> Void,
        end: @escaping @Sendable (inout State, UInt64) -> Rest
    ) -> BLECancellable {
        let tag = tagged(body)
        return BLECancellable { [self] in _ = change { end(&$0, tag) } }
    }

    /// Begins an operation of a link, whose value is in the output that ends it.
    func ask<Value>(
        _ completion: @escaping @Sendable (Result<Value, BLEError>) -> Void,
        _ value: @escaping @Sendable (AirOutput) -> Value?, _ body: (Air, UInt64) -> Void
    ) {
        tagged { state, tag in
            state.requests[tag] = Request { output, _ in
                if case .failed(let error, _) = output { completion(.failure(error)) }
                if let value = value(output) { completion(.success(value)) }
            }
            body(state.air, tag)
        }
    }

    /// Runs the events that no call runs: those due by the wall clock, or, while a task waits and
    /// the air is idle for ten polls, one event, then two, four, eight. Polls are a millisecond
    /// apart while a resumed task has not begun another wait, otherwise 0.1 ms.
    func runPacing(_ number: UInt64) async {
        while let pause = state.run({ $0.nextPause(of: number) }) {
            await wall.pause(pause)
            state.run { $0.poll(by: number) }
        }
    }

    // MARK: The time of the air, which passes by its mode

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

extension VirtualWorld.State {
    /// The maximum number of events that one waiting thread runs before a task continues.
    private static let longestRun = 250_000

    fileprivate mutating func waiting(_ change: WaitChange) {
        let before = waiters + listeners + sleepers
        switch change {
        case .actionBegins: return actors += 1
        case .actionEnds: return actors -= 1
        case .begins:
            waiters += 1
            budget = Self.longestRun
        case .listeningBegins: listeners += 1
        case .sleepBegins: sleepers += 1
        case .ends:
            waiters -= 1
            if waiters <= 0 { budget = 0 }
        case .listeningEnds: listeners -= 1
        case .sleepEnds: sleepers -= 1
        }
        activity &+= 1
        // A task that waits runs no longer; one whose wait has ended continues next.
        let isBeginning = waiters + listeners + sleepers > before
        runners = isBeginning ? max(runners - 1, 0) : runners + 1
    }

    /// Removes and returns the next step. While a task waits, time passes until there is one.
    mutating func nextStep() -> VirtualWorld.Step? {
        while true {
            if let action = actions.popFirst() { return .call(action) }
            if let output = air.nextOutput() {
                if let step = step(for: output) { return step }
                continue
            }
            guard passTime() else { return pacingStep() }
        }
    }

    /// Advances time to the next event if a call or a waiting task needs it. Returns `false` if
    /// time does not pass.
    private mutating func passTime() -> Bool {
        let next = air.nextEventTime
        if let target {
            if let next, next <= target { return air.runNextEvent() }
            air.advance(to: target)
            self.target = nil
            return true
        }
        if steps > 0 {
            steps -= 1
            return air.runNextEvent()
        }
        guard next != nil, needsTime, runners == 0, budget > 0, actors == 0 else { return false }
        budget -= 1
        return air.runNextEvent()
    }

    var needsTime: Bool {
        mode == .automatic && (waiters > 0 || sleepers > 0)
    }

    private mutating func step(for output: AirOutput) -> VirtualWorld.Step? {
        switch output {
        case .heard(_, _, let tag): return requests[tag].map { .output(output, $0.receive) }
        case .connected(_, let tag), .services(_, let tag), .value(_, let tag), .done(let tag),
            .rssi(_, let tag), .failed(_, let tag):
            guard let request = requests.removeValue(forKey: tag) else { return nil }
            if case .connected(let number, _) = output { links[number] = request.events }
            return .output(output, request.receive)
        case .event(let number, let event):
            guard let events = links[number] else { return nil }
            if case .disconnected = event { links[number] = nil }
            return .event(event, events)
        case .timer(let tag): return timers.removeValue(forKey: tag).map { .call($0) }
        }
    }
}

extension VirtualWorld.State {
    /// The longest sleep of the task, and so the longest life of one that was replaced.
    private static let longestPause = Duration.milliseconds(100)

    /// How late the task may be for an event that was scheduled while it slept.
    private static let lateness = Duration.milliseconds(1)

    /// The speed relative to the wall clock, or `nil` if the air does not follow it.
    private var speed: Int64? {
        switch mode {
        case .automatic: listeners > 0 && !needsTime ? 1 : nil
        case .manual: nil
        case .realTime(let speed): Int64(min(max(speed, 1), 1_000_000))
        }
    }

    var isFollowing: Bool { speed != nil }

    mutating func catchUp() {
        guard isFollowing else {
            pace.anchor = nil
            return
        }
        let wall = wall.now()
        guard let moment = moment(at: wall) else {
            pace.anchor = (wall, air.now)
            return
        }
        if moment > air.now { target = max(target ?? moment, moment) }
    }

    /// Follows the wall clock from the current moment on, if the air is ahead of it: a task waited
    /// meanwhile, or the app has advanced the time.
    private mutating func followAfterJump() {
        guard pace.anchor != nil else { return }
        let wall = wall.now()
        if let moment = moment(at: wall), moment < air.now { pace.anchor = (wall, air.now) }
    }

    /// The moment of the air at a time of the wall clock; `nil` if the air does not follow it yet.
    private func moment(at wall: Duration) -> Moment? {
        guard let speed, let anchor = pace.anchor else { return nil }
        let passed = (wall - anchor.wall).wholeMicroseconds
        let (scaled, overflow) = passed.multipliedReportingOverflow(by: speed)
        return anchor.air.advanced(byMicroseconds: overflow ? .max : scaled)
    }

    /// The step that starts the task; `nil` if it runs or is not needed.
    ///
    /// A task that sleeps for too long is replaced by another.
    mutating func pacingStep() -> VirtualWorld.Step? {
        followAfterJump()
        guard let pause else { return nil }
        if pace.isRunning {
            guard let wakeUp = pace.wakeUp, wall.now() + pause + Self.lateness < wakeUp else {
                return nil
            }
        }
        pace = VirtualWorld.Pace(
            isRunning: true, number: pace.number + 1, anchor: pace.anchor, activity: activity)
        if pace.anchor == nil, isFollowing {
            pace.anchor = (wall.now(), air.now)
        }
        return .runPacing(pace.number)
    }

    /// How long the task may sleep from now on; `nil` if it is not needed.
    private var pause: Duration? {
        guard needsTime || isFollowing && isAwaited, let next = air.nextEventTime else {
            return nil
        }
        guard let speed else { return runners > 0 ? .milliseconds(1) : .microseconds(100) }
        let wait = next.microseconds(since: air.now) / speed
        return min(max(.microseconds(wait), .microseconds(100)), Self.longestPause)
    }

    private var isAwaited: Bool { listeners + waiters + sleepers > 0 }

    /// The next sleep of the task, or `nil` if it is no longer needed.
    fileprivate mutating func nextPause(of number: UInt64) -> Duration? {
        guard number == pace.number else { return nil }
        let pause = pause
        pace.isRunning = pause != nil
        pace.wakeUp = isFollowing ? pause.map { wall.now() + $0 } : nil
        return pause
    }

    /// The number of idle polls before events run. On a busy computer a poll takes longer, since it
    /// is scheduled like any task.
    private static let pollLimit = 10

    /// Checks for activity. After enough idle polls, events may run.
    fileprivate mutating func poll(by number: UInt64) {
        guard number == pace.number else { return }
        pace.wakeUp = nil
        catchUp()
        guard needsTime else { return }
        guard !isBusy else {
            pace.activity = activity
            pace.idlePolls = 0
            pace.burst = 1
            return
        }
        pace.idlePolls += 1
        guard pace.idlePolls >= Self.pollLimit else { return }
        runners = 0
        budget = pace.burst
        pace.burst = min(pace.burst * 2, 1 << 16)
    }
}
