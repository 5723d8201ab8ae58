internal import HaloProtocol
internal import HaloTransport

/// What all parts of a virtual Bluetooth share: the air, under a lock, and the one place where it
/// calls out.
///
/// A ``Drain`` carries out what is to be carried out. Everybody is an owner: virtual time must pass
/// on the thread that waits. Callbacks never nest, and a long run is a loop.
///
/// When time passes by itself, in ``VirtualMode/automatic``: whoever begins to wait lets it pass,
/// on its own thread, until somebody's wait is over. Then it stands still, though others may wait
/// longer, until whoever goes on waits again: else an hour that somebody sleeps would be over
/// between two questions of somebody else. Who never waits again is given some milliseconds
/// (``VirtualWorld/keepPace()``). Whoever only sleeps lets no time pass until nobody has done
/// anything for a moment: else a limit of ten seconds would be over before what it limits has
/// begun.
///
/// It also stands still while somebody is in the middle of something, as a link is that carries
/// out what was asked of it: what one thread has not come to yet would else be late by all the time
/// that another lets pass.
final class VirtualWorld: Sendable {
    /// Something to be done without the lock.
    typealias Action = @Sendable () -> Void

    /// Who wants to know what comes of an operation.
    enum Completion {
        case services(@Sendable (Result<[GATTService], BLEError>) -> Void)
        case value(@Sendable (Result<[UInt8], BLEError>) -> Void)
        case done(@Sendable (Result<Void, BLEError>) -> Void)
        case rssi(@Sendable (Result<Int, BLEError>) -> Void)
        case link(
            @Sendable (LinkEvent) -> Void,
            @Sendable (Result<any LinkDriver, BLEError>) -> Void)
    }

    /// What is done without the lock.
    enum Step: Sendable {
        case call(Action)
        /// A link is there, of which somebody is told.
        case opened(LinkNumber, @Sendable (Result<any LinkDriver, BLEError>) -> Void)
        /// A task has to see to it that time passes.
        case keepPace
    }

    struct State: DrainState {
        let air: Air
        let mode: VirtualMode
        let wall: VirtualPacing
        var waiters = 0
        var sleepers = 0
        var listeners = 0
        /// Those whose wait is over, and who have not begun another one.
        var runners = 0
        /// How many events may still come before somebody waits anew.
        var budget = 0
        /// Counts what anybody did.
        var activity: UInt64 = 0
        /// Those who are in the middle of something.
        var actors = 0
        /// Whether time would have passed if it were not for them.
        var isHeldUp = false
        /// Whether a thread carries something out.
        var isDraining = false
        /// Who called for time to pass, until when.
        var target: Moment?
        var steps = 0
        var nextTag: UInt64 = 1
        var actions = FIFO<Action>()
        var completions: [UInt64: Completion] = [:]
        var links: [LinkNumber: @Sendable (LinkEvent) -> Void] = [:]
        var scans: [UInt64: @Sendable (Result<Discovery, BLEError>) -> Void] = [:]
        var timers: [UInt64: Action] = [:]
        var observers: [UInt64: (CentralNumber, @Sendable (AdapterState) -> Void)] = [:]
        var pace = Pace()

        /// Whether anybody has done anything since the task looked last, or does now.
        var isBusy: Bool { activity != pace.activity || actors != 0 || isDraining }

        mutating func makeTag() -> UInt64 {
            defer { nextTag &+= 1 }
            return nextTag
        }
    }

    let drain: Drain<State>
    let wall: VirtualPacing

    init(
        seed: UInt64, mode: VirtualMode, startingAt start: WallClock, faults: FaultPlan,
        pacing: VirtualPacing
    ) {
        drain = Drain(
            State(
                air: Air(seed: seed, startingAt: start, faults: faults), mode: mode, wall: pacing))
        wall = pacing
    }

    /// Changes something, then carries out what follows from it.
    @discardableResult
    func change<Result>(_ body: (inout State) -> Result) -> Result {
        drain.change(as: .owner, perform: perform) { state in
            state.catchUp()
            state.activity &+= 1
            return body(&state)
        }
    }

    /// Carries out what is to be done, unless somebody does already.
    func pump() {
        drain.change(as: .owner, perform: perform) { _ in }
    }

    func perform(_ step: Step) {
        switch step {
        case .call(let action): action()
        case .opened(let number, let completion):
            completion(.success(VirtualLink(number, self)))
        case .keepPace: wall.spawn { await self.keepPace() }
        }
    }

    /// Somebody begins to wait: time may pass before this returns.
    func begin(_ count: WritableKeyPath<State, Int>) {
        change { state in
            state[keyPath: count] += 1
            state.runners = max(state.runners - 1, 0)
            if count == \.waiters { state.budget = Self.longestRun }
        }
    }

    /// A wait is over: whoever waited goes on next, so nothing is carried out here.
    func end(_ count: WritableKeyPath<State, Int>) {
        let start = drain.withLock { state in
            state.catchUp()
            state.activity &+= 1
            state[keyPath: count] -= 1
            state.runners += 1
            if state.waiters <= 0 { state.budget = 0 }
            return state.isDraining ? nil : state.keeper()
        }
        if let start { perform(start) }
    }

    /// Somebody begins to do something in several steps.
    func hold() {
        drain.withLock { $0.actors += 1 }
    }

    /// They are done: the time that did not pass meanwhile does so now.
    func letGo() {
        let mustPump = drain.withLock { state in
            state.actors -= 1
            guard state.actors == 0 else { return false }
            defer { state.isHeldUp = false }
            return state.isHeldUp
        }
        if mustPump { pump() }
    }

    /// How many events one thread carries out for somebody who waits, before a task goes on with
    /// it.
    private static let longestRun = 250_000

    /// Reads something, of now.
    func read<Result>(_ body: (State) -> Result) -> Result {
        if drain.read(\.isFollowing) { change { _ in } }
        return drain.read(body)
    }

    /// Asks the air for something, under a new tag.
    func ask(_ completion: Completion, _ body: (Air, UInt64) -> Void) {
        change { state in
            let tag = state.makeTag()
            state.completions[tag] = completion
            body(state.air, tag)
        }
    }
}

extension VirtualWorld.State {
    /// The next thing to be done without the lock; time passes until there is one, if somebody
    /// wants that.
    mutating func nextStep(for role: DrainRole) -> VirtualWorld.Step? {
        isDraining = true
        while true {
            if let action = actions.popFirst() { return .call(action) }
            if let output = air.nextOutput() {
                if let step = step(for: output) { return step }
                continue
            }
            guard passTime() else { break }
        }
        if let start = keeper() { return start }
        isDraining = false
        return nil
    }

    /// Lets time pass until the next event, if somebody wants that.
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
        guard next != nil, wantsTime, runners == 0, budget > 0 else {
            return false
        }
        guard actors == 0 else {
            isHeldUp = true
            return false
        }
        budget -= 1
        return air.runNextEvent()
    }

    /// Whether somebody waits for time to jump.
    var wantsTime: Bool {
        mode == .automatic && (waiters > 0 || sleepers > 0)
    }

    private mutating func step(for output: AirOutput) -> VirtualWorld.Step? {
        switch output {
        case .heard(_, let discovery, let tag):
            guard let report = scans[tag] else { return nil }
            return .call { report(.success(discovery)) }
        case .connected(let number, let tag):
            guard case .link(let events, let completion) = completions[tag] else {
                air.disconnect(number)
                return nil
            }
            completions[tag] = nil
            links[number] = events
            return .opened(number, completion)
        case .services(let services, let tag):
            guard case .services(let completion) = completions.removeValue(forKey: tag)
            else { return nil }
            return .call { completion(.success(services)) }
        case .value(let value, let tag):
            guard case .value(let completion) = completions.removeValue(forKey: tag)
            else { return nil }
            return .call { completion(.success(value)) }
        case .done(let tag):
            guard case .done(let completion) = completions.removeValue(forKey: tag)
            else { return nil }
            return .call { completion(.success(())) }
        case .rssi(let rssi, let tag):
            guard case .rssi(let completion) = completions.removeValue(forKey: tag)
            else { return nil }
            return .call { completion(.success(rssi)) }
        case .failed(let error, let tag): return failure(error, tag)
        case .event(let number, let event):
            guard let events = links[number] else { return nil }
            if case .disconnected = event { links[number] = nil }
            return .call { events(event) }
        case .timer(let tag): return timers.removeValue(forKey: tag).map { .call($0) }
        }
    }

    private mutating func failure(_ error: BLEError, _ tag: UInt64) -> VirtualWorld.Step? {
        if let report = scans.removeValue(forKey: tag) {
            return .call { report(.failure(error)) }
        }
        switch completions.removeValue(forKey: tag) {
        case .services(let completion): return .call { completion(.failure(error)) }
        case .value(let completion): return .call { completion(.failure(error)) }
        case .done(let completion): return .call { completion(.failure(error)) }
        case .rssi(let completion): return .call { completion(.failure(error)) }
        case .link(_, let completion): return .call { completion(.failure(error)) }
        case nil: return nil
        }
    }
}
