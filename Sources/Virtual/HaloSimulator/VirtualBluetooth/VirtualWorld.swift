internal import HaloProtocol
internal import HaloTransport

/// The backend of a virtual Bluetooth: the air, and the callbacks of its requests, in the loop.
///
/// At the end of each turn the next step is done, until there is none: a long run is a loop.
///
/// In ``VirtualMode/automatic``, time passes while tasks wait:
///
/// 1. **It stops for a task that runs**: from the end of a task's wait until the same task waits
///    again, however many others wait. Otherwise an hour of sleep in one task would pass between
///    two requests of another. A task that does not wait again here (it has ended, or waits for
///    something else) gets some milliseconds of real time.
/// 2. **It passes in small steps**: after `longestStep` events the turn ends, and
///    the thread goes back to the pool, behind all tasks that are ready. So a task that has not
///    waited here yet, and that nothing here knows of, gets its turn.
/// 3. **A single task runs its first step itself.** With others, the pool gets its thread first.
/// 4. **A sleep alone lets no time pass** until nothing has happened for a moment: otherwise a
///    timeout of ten seconds would be over before its operation has begun.
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
        var tasks = Tasks()
        /// The number of events that may still run in this turn.
        var budget = 0
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
    }

    /// The tasks of the app, as far as they wait or have waited here.
    struct Tasks {
        var waiters = 0
        var sleepers = 0
        var listeners = 0
        /// The number of tasks whose wait has ended, and which do not run yet.
        var resumed = 0
        /// Those that run again, and have not begun another wait. A task is known by its hash.
        var running: Set<Int> = []
        /// The number of actions of several turns.
        var actions = 0
        /// The number of changes so far.
        var changes: UInt64 = 0

        var waiting: Int { waiters + sleepers + listeners }

        /// `true` while time has to stop.
        var areActive: Bool { resumed > 0 || !running.isEmpty || actions > 0 }

        /// A number of the current task; 0 outside of a task.
        static var current: Int { withUnsafeCurrentTask { $0?.hashValue ?? 0 } }
    }

    /// The progress of an air that follows the wall clock, and of the task that lets time pass for
    /// others.
    struct Pace {
        var isRunning = false
        /// The number of the task. One that was replaced has another, and ends.
        var number: UInt64 = 0
        /// The wall time at which the task wakes up; `nil` unless it sleeps.
        var wakeUp: Duration?
        /// The wall time and the air's moment at which following began; `nil` while the air does
        /// not follow.
        var anchor: (wall: Duration, air: Moment)?
        /// The number of changes of ``Tasks`` at the last poll.
        var changes: UInt64 = 0
        /// The number of polls since a change.
        var idlePolls = 0
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
    func waiting(_ change: WaitChange) {
        // No time passes until the task waits again.
        guard change == .resumes else { return state.run { $0.waiting(change) } }
        loop.peek { state.run { $0.waiting(change) } }
    }

    func read<Result>(_ body: (State) -> Result) -> Result {
        state.run { body($0) }
    }

    @discardableResult
    private func tagged(_ body: (inout State, UInt64) -> Void) -> UInt64 {
        state.run { state in
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
        return BLECancellable { [self] in _ = state.run { end(&$0, tag) } }
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

    /// Runs the events that no call runs: those due by the wall clock, or those for waiting tasks,
    /// a step each time that the pool gets to this task.
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
    /// The maximum number of events in one turn.
    fileprivate static let longestStep = 50

    fileprivate mutating func waiting(_ change: WaitChange) {
        tasks.changes &+= 1
        switch change {
        case .begins: tasks.waiters += 1
        case .listeningBegins: tasks.listeners += 1
        case .sleepBegins: tasks.sleepers += 1
        case .ends: tasks.waiters -= 1
        case .listeningEnds: tasks.listeners -= 1
        case .sleepEnds: tasks.sleepers -= 1
        case .actionBegins: tasks.actions += 1
        case .actionEnds: tasks.actions -= 1
        case .resumes: break
        }
        // Only in this mode does time depend on what tasks do.
        guard mode == .automatic else { return }
        switch change {
        case .begins, .listeningBegins, .sleepBegins:
            tasks.running.remove(VirtualWorld.Tasks.current)
            budget = change == .begins && tasks.waiting == 1 ? Self.longestStep : 0
        case .ends, .listeningEnds, .sleepEnds: tasks.resumed += 1
        case .resumes:
            tasks.resumed = max(tasks.resumed - 1, 0)
            tasks.running.insert(VirtualWorld.Tasks.current)
        case .actionBegins, .actionEnds: break
        }
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
        guard next != nil, needsTime, budget > 0, !tasks.areActive else { return false }
        budget -= 1
        return air.runNextEvent()
    }

    var needsTime: Bool {
        mode == .automatic && (tasks.waiters > 0 || tasks.sleepers > 0)
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
        case .automatic: tasks.listeners > 0 && !needsTime && !tasks.areActive ? 1 : nil
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

    /// Follows the wall clock from the current moment on if this begins, or if the air is ahead of
    /// it: a task waited meanwhile, or the app has advanced the time.
    private mutating func followFromHere() {
        guard isFollowing else { return }
        let wall = wall.now()
        if let moment = moment(at: wall), moment >= air.now { return }
        pace.anchor = (wall, air.now)
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
        followFromHere()
        guard let pause else { return nil }
        if pace.isRunning {
            guard let wakeUp = pace.wakeUp,
                pause == .zero || wall.now() + pause + Self.lateness < wakeUp
            else { return nil }
        }
        pace = VirtualWorld.Pace(
            isRunning: true, number: pace.number + 1, anchor: pace.anchor, changes: tasks.changes)
        return .runPacing(pace.number)
    }

    /// How long the task may sleep from now on, zero for a yield; `nil` if it is not needed.
    private var pause: Duration? {
        guard tasks.waiting > 0, let next = air.nextEventTime else { return nil }
        if let speed {
            let wait = next.microseconds(since: air.now) / speed
            return min(max(.microseconds(wait), .microseconds(100)), Self.longestPause)
        }
        guard mode == .automatic, tasks.actions == 0 else { return nil }
        let polls = pace.changes == tasks.changes ? pace.idlePolls : 0
        let patience = patience
        let isPolling =
            polls >= patience.yields
            && (polls < patience.yields + patience.polls || tasks.areActive)
        return isPolling ? patience.pause : .zero
    }

    /// The number of polls without a change before time passes: some that only yield, then some
    /// with a pause.
    ///
    /// A task that is resumed but does not run yet is waited for, but not forever: a program may
    /// block the thread that it needs, until another task has its reply. While other threads
    /// compute, a task that is waited for may be among what they do, or a busy computer may have
    /// taken its thread away: it gets some time more.
    private var patience: (yields: Int, polls: Int, pause: Duration) {
        if tasks.resumed > 0 { return (50, 1_000, .milliseconds(1)) }
        if !tasks.running.isEmpty { return (50, 15, .milliseconds(1)) }
        return tasks.waiters > 0 ? (4, 0, .zero) : (4, 10, .microseconds(100))
    }

    /// The number of polls more while other threads compute.
    private static let morePolls = 50

    /// The next sleep of the task, or `nil` if it is no longer needed.
    fileprivate mutating func nextPause(of number: UInt64) -> Duration? {
        guard number == pace.number else { return nil }
        let pause = pause
        pace.isRunning = pause != nil
        pace.wakeUp = pause.flatMap { $0 == .zero ? nil : wall.now() + $0 }
        return pause
    }

    /// Checks for changes. After enough polls without one, a step of events may run.
    fileprivate mutating func poll(by number: UInt64) {
        guard number == pace.number else { return }
        pace.wakeUp = nil
        catchUp()
        guard mode == .automatic, tasks.actions == 0, !isFollowing else { return }
        guard pace.changes == tasks.changes else {
            pace.changes = tasks.changes
            pace.idlePolls = 0
            return
        }
        pace.idlePolls += 1
        let patience = patience
        let rest = patience.yields + patience.polls - pace.idlePolls
        guard rest <= 0 else { return }
        if tasks.areActive, -rest < Self.morePolls, wall.othersCompute() { return }
        tasks.resumed = 0
        tasks.running = []
        budget = Self.longestStep
    }
}
