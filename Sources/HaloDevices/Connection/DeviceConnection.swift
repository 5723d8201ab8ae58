internal import HaloProtocol
internal import HaloTransport

/// One connection of an app to a device, over as many links as it takes: the state machine under
/// ``Ring`` and ``HeartRateSensor``.
///
/// | phase | input | next | what is done |
/// |---|---|---|---|
/// | idle | connect | opening | announce, limit, ask the backend |
/// | opening | a link | preparing | observe it, first step |
/// | | an error, the limit | fail | |
/// | preparing | a step is done | preparing | the next step |
/// | | the last step is done | ready | announce, waiters, client |
/// | | a required step fails | fail | after ``changeIsToldWithin`` if it failed as stale |
/// | | services change | preparing | from the first step; before services were found: nothing |
/// | | the limit | fail | in a required step |
/// | | | preparing, ready | else what the client says: it goes on, or all else is given up |
/// | ready | services change | renewing | the client stands still, subscriptions end, a new limit |
/// | renewing | the last step is done | ready | the client goes on, nothing is announced |
/// | | a step fails, the limit | fail | |
/// | | services change | renewing | from the first step, with the same limit |
/// | preparing, ready, renewing | the link ends | fail | |
/// | waiting | the delay is over | opening | limit, ask the backend |
/// | all but closed | disconnect | closed | close |
///
/// - **fail**: to `waiting`, if the policy has a delay for the next attempt; else to `closed`. A
///   link that was ready is lost, and attempts are counted from 0; a device that never gets ready
///   uses the attempts up. The first attempt is not repeated. A device of another kind, and a link
///   that the app has closed by itself (``DisconnectReason/Kind/local``), are final; any step may
///   be the first to learn of that. The order: the link is left, the change is announced, the delay
///   begins.
/// - **close**: the link is left, the change is announced; then those who wait for the connection
///   are told, the oldest first, then the client's loops, then loops over states.
/// - **leave**: the limit is cancelled, the client is told, what was begun for the link is
///   cancelled in its order, the link is closed.
/// - **Numbers.** What is begun has a number under which it can be cancelled, and is wanted as long
///   as the number is held. What comes of anything else, and of an earlier link, is ignored; a link
///   that comes too late is closed.
/// - **Services** may change at any time. That they have may be told only after something has
///   failed because of it. A subscription that fails after that time ends its loops, not the link:
///   the link would be made again and again.
/// - **Order.** Nothing is called while the state is locked, the clock neither. What is to be
///   called goes into one queue, and one thread at a time empties it. Virtual time does not jump
///   meanwhile. Timers and the link hold the connection weakly.
final class DeviceConnection<Client: DeviceClient>: Sendable {
    /// How far it is.
    enum Phase {
        /// Nothing was begun.
        case idle
        /// The backend makes the link.
        case opening(Attempt)
        /// The link is there; the device is prepared step by step.
        case preparing(Attempt, OpenLink, Preparation<Client>)
        /// The device can be asked.
        case ready(OpenLink)
        /// The device can be asked; its services are found anew until the limit.
        case renewing(OpenLink, Preparation<Client>, limit: UInt64)
        /// The link was lost; the next attempt begins when the delay is over.
        case waiting(index: Int, delay: UInt64, reason: DisconnectReason?)
        /// Closed for good, with the link that there was: it may take a while to close.
        case closed(DeviceError, BLELink?)
    }

    /// An attempt to connect.
    struct Attempt {
        let generation: UInt64
        /// How many attempts have failed since the link was lost; `nil` for the first of all.
        let index: Int?
        /// When all of it has taken too long.
        let deadline: Moment
        /// The timer of the deadline, or of the step that has less time.
        var limit: Timer
        /// The backend's attempt.
        let opening: UInt64
        /// Why the link before has ended.
        let lastReason: DisconnectReason?
    }

    /// A link that is there.
    struct OpenLink {
        /// The attempt's number: what another link says is ignored.
        let generation: UInt64
        let link: BLELink
        /// What is cancelled with it, in the order in which it was begun.
        var begun: [UInt64]
        /// `true` once services were found on it.
        var hasServices = false
        var subscriptions: [Subscription] = []
    }

    /// A subscription that all loops share.
    struct Subscription {
        let channel: Client.Channel
        let number: UInt64
        /// The time in which a change of services may be told, where it has failed as stale.
        var grace: UInt64?
    }

    /// A call of the clock that was asked for.
    struct Timer {
        let number: UInt64
        let moment: Moment
    }

    /// All that is remembered; used under the lock.
    struct State: DrainState {
        var phase = Phase.idle
        var client: Client
        var turn: ConnectionTurn
        /// The call that the client wants.
        var clientTimer: Timer?
        /// What was announced last.
        var announced: ConnectionState?
        var states: Consumers<ConnectionState>
        /// Who waits for the connection, in the order of joining.
        var waiters: [(number: UInt64, finish: ConnectionTurn.Finish<Void>)] = []

        mutating func nextStep(for role: DrainRole) -> [ConnectionTurn.Action]? {
            turn.takeActions()
        }
    }

    let identity: PeripheralIdentity
    let time: any TransportTime
    private let transport: any BLETransport
    let reconnect: ReconnectPolicy
    private let drain: Drain<State>

    /// A connection that is still to be begun.
    init(
        to identity: PeripheralIdentity, over transport: any BLETransport,
        reconnect: ReconnectPolicy, bufferLimit: Int, _ client: Client
    ) {
        self.identity = identity
        self.transport = transport
        self.reconnect = reconnect
        time = transport.time
        drain = Drain(
            State(
                client: client, turn: ConnectionTurn(now: time.now(), time.wallClock()),
                states: Consumers(limit: bufferLimit)))
    }

    /// How long after a failure a backend may say that the services have changed.
    static var changeIsToldWithin: Duration { .seconds(2) }
}

extension DeviceConnection {
    /// Reads the state as it is, or changes what nothing follows from.
    func read<Result>(_ body: (inout State) -> Result) -> Result { drain.withLock(body) }

    /// Changes the state, and then does what has to be done about it.
    ///
    /// - Parameters:
    ///   - role: The link owns what it tells; an app and the clock are guests.
    ///   - moment: When it has happened, if that is not now.
    @discardableResult
    func update<Result>(
        as role: DrainRole = .guest, at moment: Moment? = nil, _ change: (inout State) -> Result
    ) -> Result {
        time.acting { withinAction(as: role, at: moment, change) }
    }

    /// The same, where an action is under way already.
    private func withinAction<Result>(
        as role: DrainRole = .guest, at moment: Moment? = nil, _ change: (inout State) -> Result
    ) -> Result {
        let (now, wallClock) = (moment ?? time.now(), time.wallClock())
        return drain.change(as: role, perform: { $0.forEach { action in action() } }) { state in
            state.turn.now = max(state.turn.now, now)
            state.turn.wallClock = wallClock
            return change(&state)
        }
    }

    /// Calls the client.
    @discardableResult
    func act<Result>(_ body: (inout Client, inout ClientContext<Client>) -> Result) -> Result {
        update { tell(&$0, body) }
    }

    /// Calls the client, and does what has changed by that: what it wants to be sent, when it wants
    /// to be called, which step is done.
    @discardableResult
    func tell<Result>(
        _ state: inout State, _ body: (inout Client, inout ClientContext<Client>) -> Result
    ) -> Result {
        var context = ClientContext(
            connection: self, open: state.phase.openLink, turn: state.turn.handOver())
        let result = body(&state.client, &context)
        state.turn = context.turn
        subscribeAsWanted(&state)
        arm(&state)
        if context.stepHasEnded { nextStep(&state) }
        return result
    }

    /// Begins something that can be cancelled under a number.
    func begin(
        _ number: UInt64, _ state: inout State,
        _ body: @escaping @Sendable (DeviceConnection) -> Registration
    ) {
        state.turn.hold(number)
        state.turn.call { [weak self] in
            guard let self else { return }
            let registration = body(self)
            update { $0.turn.keep(registration, number) }
        }
    }

    /// Has something done when a moment has come, unless the number is dropped before.
    func schedule(
        _ number: UInt64, at moment: Moment, _ state: inout State,
        _ action: @escaping @Sendable (DeviceConnection, inout State) -> Void
    ) {
        begin(number, &state) { connection in
            connection.time.schedule(at: moment) { [weak connection] in
                guard let connection else { return }
                connection.update { state in
                    if state.turn.release(number) { action(connection, &state) }
                }
            }
        }
    }
}

extension DeviceConnection {
    /// The current connection state.
    var connectionState: ConnectionState { read { $0.connectionState } }

    /// The link as it is now.
    var link: BLELink? { read { $0.phase.openLink?.link } }

    /// Why the device cannot be asked now; `nil` if it can.
    var refusal: DeviceError? { read { $0.refusal } }

    /// Has something done with the link, if the device can be asked.
    nonisolated(nonsending) func withLink<Value>(
        _ body: nonisolated(nonsending) (BLELink) async throws(BLEError) -> Value
    ) async throws(DeviceError) -> Value {
        let (refusal, link) = read { ($0.refusal, $0.phase.openLink?.link) }
        guard let link, refusal == nil else { throw refusal ?? DeviceError(.disconnected) }
        do throws(BLEError) {
            return try await body(link)
        } catch {
            throw DeviceError(error)
        }
    }

    /// Connects for the first time, and waits until the device can be asked.
    nonisolated(nonsending) func connect(within timeout: Duration) async throws(DeviceError) {
        try await wait { number, finish, state in
            state.waiters.append((number, finish))
            if case .idle = state.phase { open(nil, within: timeout, after: nil, &state) }
        } forget: { _, state in
            close(.closedByTheApp, &state)
        }
    }

    /// Waits until the device can be asked; throws if it never will be again.
    nonisolated(nonsending) func waitUntilConnected() async throws(DeviceError) {
        try await wait { number, finish, state in
            switch state.phase {
            case .ready, .renewing: _ = finish(.success(()), &state.turn)
            case .closed(let error, _): _ = finish(.failure(error), &state.turn)
            case .idle, .opening, .preparing, .waiting: state.waiters.append((number, finish))
            }
        } forget: { number, state in
            state.waiters.removeAll { $0.number == number }
        }
    }

    /// Closes the link for good.
    func disconnect() {
        update { close(.closedByTheApp, &$0) }
    }

    /// Closes the link for good, and waits until it is closed.
    nonisolated(nonsending) func disconnectAndWait() async {
        let link = update { state in
            close(.closedByTheApp, &state)
            if case .closed(_, let link) = state.phase { return link }
            return BLELink?.none
        }
        await link?.disconnect()
    }

    /// The only place in which a task waits. It is resumed once: by the function that `register`
    /// is given, or at once when it is cancelled, and what it wanted is forgotten then.
    ///
    /// - Parameters:
    ///   - isLent: `true` for a task that is in the middle of an action: the action is over while
    ///     it waits, and begins again before it goes on, so that no time passes in between.
    nonisolated(nonsending) func wait<Value: Sendable>(
        _ patience: Patience = .waits, isLent: Bool = false,
        cancelled: Result<Value, DeviceError> = .failure(.taskCancelled),
        _ register: (UInt64, @escaping ConnectionTurn.Finish<Value>, inout State) -> Void,
        forget: (UInt64, inout State) -> Void
    ) async throws(DeviceError) -> Value {
        if Task.isCancelled { return try cancelled.get() }
        let number = read { $0.turn.beginWaiting() }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation {
                (continuation: CheckedContinuation<Result<Value, DeviceError>?, Never>) in
                let resume: @Sendable (Result<Value, DeviceError>?) -> Void = { [time] result in
                    if isLent { time.waiting(.actionBegins) }
                    time.waiting(patience.end)
                    continuation.resume(returning: result)
                }
                if !isLent { time.waiting(.actionBegins) }
                time.waiting(patience.beginning)
                withinAction { state in
                    guard state.turn.wait(number, cancel: { resume(nil) }) else { return }
                    let finish: ConnectionTurn.Finish<Value> = { result, turn in
                        turn.endWaiting(number) { resume(result) }
                    }
                    register(number, finish, &state)
                }
                time.waiting(.actionEnds)
            }
        } onCancel: {
            update { $0.turn.cancelWaiting(number) }
        }
        guard let result else {
            update { forget(number, &$0) }
            return try cancelled.get()
        }
        return try result.get()
    }
}

extension DeviceConnection {
    private func open(
        _ index: Int?, within timeout: Duration, after reason: DisconnectReason?,
        _ state: inout State
    ) {
        let generation = state.turn.newNumber()
        let limit = Timer(number: state.turn.newNumber(), moment: state.turn.now + timeout)
        let attempt = Attempt(
            generation: generation, index: index, deadline: limit.moment, limit: limit,
            opening: state.turn.newNumber(), lastReason: reason)
        state.phase = .opening(attempt)
        announce(&state)
        schedule(limit.number, at: limit.moment, &state) { $0.limitHasCome(&$1) }
        begin(attempt.opening, &state) { connection in
            connection.transport.submitConnect(to: connection.identity, timeout: timeout) {
                [weak connection] result in
                guard let connection else { return (try? result.get())?.close() ?? () }
                connection.opened(result, generation)
            }
        }
    }

    private func opened(_ result: Result<BLELink, BLEError>, _ generation: UInt64) {
        let unwanted: BLELink? = update(as: .owner) { state in
            guard case .opening(let attempt) = state.phase, attempt.generation == generation
            else { return try? result.get() }
            switch result {
            case .failure(let error): fail(DeviceError(error), &state)
            case .success(let link):
                let observation = state.turn.newNumber()
                let open = OpenLink(
                    generation: generation, link: link, begun: [attempt.opening, observation])
                state.phase = .preparing(attempt, open, Preparation())
                begin(observation, &state) { connection in
                    link.observe { [weak connection] event, moment in
                        connection?.happened(event, moment, generation)
                    }
                }
                prepare(state.client.preparation, &state)
            }
            return nil
        }
        unwanted?.close()
    }

    /// Something has happened on a link.
    func happened(_ event: LinkEvent, _ moment: Moment, _ generation: UInt64) {
        update(as: .owner, at: moment) { state in
            guard state.phase.openLink?.generation == generation else { return }
            switch event {
            case .value(let attribute, let bytes):
                tell(&state) { $0.receive(bytes, of: attribute, &$1) }
            case .servicesChanged: servicesChanged(&state)
            case .maximumLengthChanged: break
            case .disconnected(let reason):
                fail(DeviceError(BLEError(.disconnected, .receive, reason: reason)), &state)
            }
        }
    }

    /// The attempt, one of its steps, or a renewal has taken too long.
    func limitHasCome(_ state: inout State) {
        switch state.phase {
        case .opening: fail(DeviceError(BLEError(.timedOut, .connect)), &state)
        case .preparing(_, _, let preparation):
            switch preparation.rest.first {
            case .discover, .subscribe, nil:
                fail(DeviceError(BLEError(.timedOut, .connect)), &state)
            case .readInformation: becomeReady(&state)
            case .client(let step):
                let goesOn = tell(&state) { $0.timedOut(step, &$1) }
                if goesOn { nextStep(&state) } else { becomeReady(&state) }
            }
        case .renewing: fail(DeviceError(BLEError(.timedOut, .discover)), &state)
        case .idle, .ready, .waiting, .closed: break
        }
    }

    func fail(_ error: DeviceError, _ state: inout State) {
        let old = state.phase
        let (next, lastReason): (Int?, DisconnectReason?) =
            switch old {
            case .ready, .renewing: (0, nil)
            case .opening(let attempt), .preparing(let attempt, _, _):
                (attempt.index.map { $0 + 1 }, attempt.lastReason)
            case .idle, .waiting, .closed: (nil, nil)
            }
        guard let next, let delay = reconnect.delay(beforeAttempt: next),
            error.kind != .wrongDevice, error.reason?.kind != .local
        else { return close(error, &state) }
        let number = state.turn.newNumber()
        let reason = error.reason ?? lastReason
        state.phase = .waiting(index: next, delay: number, reason: reason)
        leave(old, error.reason, end: nil, &state)
        announce(&state)
        schedule(number, at: state.turn.now + delay, &state) { connection, state in
            connection.open(
                next, within: connection.reconnect.attemptTimeout, after: reason, &state)
        }
    }

    private func close(_ error: DeviceError, _ state: inout State) {
        let old = state.phase
        if case .closed = old { return }
        let end: Result<Void, DeviceError> =
            error.reason?.kind == .local ? .success(()) : .failure(error)
        state.phase = .closed(error, old.openLink?.link)
        leave(old, error.reason, end: end, &state)
        announce(&state)
        let waiters = state.waiters
        state.waiters = []
        for waiter in waiters { _ = waiter.finish(.failure(error), &state.turn) }
        tell(&state) { $0.closed(end, &$1) }
        state.states.finish(.success(()), &state.turn)
    }

    private func leave(
        _ old: Phase, _ reason: DisconnectReason?, end: Result<Void, DeviceError>?,
        _ state: inout State
    ) {
        switch old {
        case .opening(let attempt), .preparing(let attempt, _, _):
            state.turn.drop(attempt.limit.number)
        case .renewing(_, _, let limit): state.turn.drop(limit)
        case .waiting(_, let delay, _): state.turn.drop(delay)
        case .idle, .ready, .closed: break
        }
        tell(&state) { $0.linkEnded(reason, end: end, &$1) }
        if let timer = state.clientTimer { state.turn.drop(timer.number) }
        state.clientTimer = nil
        if case .opening(let attempt) = old { state.turn.drop(attempt.opening) }
        guard let open = old.openLink else { return }
        let subscriptions = open.subscriptions.flatMap { [$0.number, $0.grace] }
        for number in open.begun + (subscriptions + old.stepNumbers).compactMap({ $0 }) {
            state.turn.drop(number)
        }
        state.turn.call { open.link.close() }
    }

    func announce(_ state: inout State) {
        let current = state.connectionState
        guard current != state.announced else { return }
        state.announced = current
        state.states.send(current, &state.turn)
    }
}

extension DeviceConnection.State {
    /// Why the device cannot be asked now; `nil` if it can.
    var refusal: DeviceError? {
        switch phase {
        case .idle: DeviceError(.disconnected)
        case .opening(let attempt), .preparing(let attempt, _, _):
            DeviceError(.disconnected, reason: attempt.lastReason)
        case .ready, .renewing: nil
        case .waiting(_, _, let reason): DeviceError(.disconnected, reason: reason)
        case .closed(let error, _): error
        }
    }
}

extension DeviceError {
    /// The app has disconnected.
    static var closedByTheApp: DeviceError {
        DeviceError(.disconnected, reason: DisconnectReason(.local))
    }

    /// The task that waited was cancelled.
    static var taskCancelled: DeviceError { DeviceError(BLEError(.cancelled, .receive)) }
}
