internal import HaloProtocol
internal import HaloTransport

/// What all parts of a virtual Bluetooth share: the air, under a lock, and the one place where it
/// calls out.
///
/// Whoever has changed something calls ``pump()``. One thread at a time carries out what is to
/// be carried out, in order and without the lock; what comes up meanwhile, from a callback or from
/// another thread, is left to it. So callbacks never nest, and a long run is a loop.
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

    struct State {
        let air: Air
        let mode: VirtualMode
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

    let state: Locked<State>
    let wall: VirtualPacing

    init(
        seed: UInt64, mode: VirtualMode, startingAt start: WallClock, faults: FaultPlan,
        pacing: VirtualPacing
    ) {
        state = Locked(
            State(air: Air(seed: seed, startingAt: start, faults: faults), mode: mode))
        wall = pacing
    }

    /// Changes something, then carries out what follows from it.
    func change<Result>(_ body: (inout State) -> Result) -> Result {
        let result = state.withLock { state in
            catchUp(&state)
            state.activity &+= 1
            return body(&state)
        }
        pump()
        return result
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
        let start = state.withLock { state in
            catchUp(&state)
            state.activity &+= 1
            state[keyPath: count] -= 1
            state.runners += 1
            if state.waiters <= 0 { state.budget = 0 }
            return state.isDraining ? nil : keeper(&state)
        }
        start?()
    }

    /// Somebody begins to do something in several steps.
    func hold() {
        state.withLock { $0.actors += 1 }
    }

    /// They are done: the time that did not pass meanwhile does so now.
    func letGo() {
        let mustPump = state.withLock { state in
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
    func read<Result>(_ body: (inout State) -> Result) -> Result {
        if state.withLock({ isFollowing($0) }) { change { _ in } }
        return state.withLock(body)
    }

    /// Asks the air for something, under a new tag.
    func ask(_ completion: Completion, _ body: (Air, UInt64) -> Void) {
        change { state in
            let tag = state.makeTag()
            state.completions[tag] = completion
            body(state.air, tag)
        }
    }

    /// Carries out what is to be done, unless somebody does already.
    func pump() {
        let isMine = state.withLock { state in
            defer { state.isDraining = true }
            return !state.isDraining
        }
        guard isMine else { return }
        while let action = state.withLock(nextAction) { action() }
    }

    /// The next thing to be done without the lock; nothing once there is nothing left, and then
    /// whoever carries out has stopped.
    private func nextAction(_ state: inout State) -> Action? {
        while true {
            if let action = state.actions.popFirst() { return action }
            if let output = state.air.nextOutput() {
                if let action = self.action(for: output, &state) { return action }
                continue
            }
            guard passTime(&state) else { break }
        }
        if let start = keeper(&state) { return start }
        state.isDraining = false
        return nil
    }

    /// Lets time pass until the next event, if somebody wants that.
    private func passTime(_ state: inout State) -> Bool {
        let next = state.air.nextEventTime
        if let target = state.target {
            if let next, next <= target { return state.air.runNextEvent() }
            state.air.advance(to: target)
            state.target = nil
            return true
        }
        if state.steps > 0 {
            state.steps -= 1
            return state.air.runNextEvent()
        }
        guard next != nil, wantsTime(state), state.runners == 0, state.budget > 0 else {
            return false
        }
        guard state.actors == 0 else {
            state.isHeldUp = true
            return false
        }
        state.budget -= 1
        return state.air.runNextEvent()
    }

    /// Whether somebody waits for time to jump.
    func wantsTime(_ state: State) -> Bool {
        state.mode == .automatic && (state.waiters > 0 || state.sleepers > 0)
    }

    private func action(for output: AirOutput, _ state: inout State) -> Action? {
        switch output {
        case .heard(_, let discovery, let tag):
            guard let report = state.scans[tag] else { return nil }
            return { report(.success(discovery)) }
        case .connected(let number, let tag):
            guard case .link(let events, let completion) = state.completions[tag] else {
                state.air.disconnect(number)
                return nil
            }
            state.completions[tag] = nil
            state.links[number] = events
            let link = VirtualLink(number, self)
            return { completion(.success(link)) }
        case .services(let services, let tag):
            guard case .services(let completion) = state.completions.removeValue(forKey: tag)
            else { return nil }
            return { completion(.success(services)) }
        case .value(let value, let tag):
            guard case .value(let completion) = state.completions.removeValue(forKey: tag)
            else { return nil }
            return { completion(.success(value)) }
        case .done(let tag):
            guard case .done(let completion) = state.completions.removeValue(forKey: tag)
            else { return nil }
            return { completion(.success(())) }
        case .rssi(let rssi, let tag):
            guard case .rssi(let completion) = state.completions.removeValue(forKey: tag)
            else { return nil }
            return { completion(.success(rssi)) }
        case .failed(let error, let tag): return failure(error, tag, &state)
        case .event(let number, let event):
            guard let events = state.links[number] else { return nil }
            if case .disconnected = event { state.links[number] = nil }
            return { events(event) }
        case .timer(let tag): return state.timers.removeValue(forKey: tag)
        }
    }

    private func failure(_ error: BLEError, _ tag: UInt64, _ state: inout State) -> Action? {
        if let report = state.scans.removeValue(forKey: tag) {
            return { report(.failure(error)) }
        }
        switch state.completions.removeValue(forKey: tag) {
        case .services(let completion): return { completion(.failure(error)) }
        case .value(let completion): return { completion(.failure(error)) }
        case .done(let completion): return { completion(.failure(error)) }
        case .rssi(let completion): return { completion(.failure(error)) }
        case .link(_, let completion): return { completion(.failure(error)) }
        case nil: return nil
        }
    }
}
