internal import HaloProtocol
internal import HaloTransport

/// A connection of an app to a device, which survives lost links: the state machine under ``Ring``,
/// ``HeartRateSensor`` and ``LEDStrip``.
///
/// | phase | input | next | action |
/// |---|---|---|---|
/// | idle | connect | opening | announce, timeout, request a link |
/// | opening | a link | preparing | observe it, first step |
/// | | an error, the timeout | fail | |
/// | preparing | a step ends | preparing | the next step |
/// | | the last step ends | ready | announce, waiters, client |
/// | | a required step fails | fail | after ``changeIsReportedWithin`` if it failed as stale |
/// | | services change | preparing | from the first step, if services were found |
/// | | the timeout | fail | in a required step |
/// | | | preparing, ready | in another step: the client continues, or drops the remaining steps |
/// | ready | services change | renewing | the client is suspended, subscriptions end, new timeout |
/// | renewing | the last step ends | ready | the client is resumed, nothing is announced |
/// | | a step fails, the timeout | fail | |
/// | | services change | renewing | from the first step, with the same timeout |
/// | preparing, ready, renewing | the link ends | fail | |
/// | waiting | the delay is over, Bluetooth is on again | opening | timeout, request a link |
/// | all but closed | disconnect | closed | close |
///
/// - **fail**: to `waiting`, if the policy has a delay for the next attempt; else to `closed`.
///   Attempts are counted from 0 after a link that was ready, so a device that is never ready uses
///   all of them. The first attempt of the connection is not repeated. There is no further attempt
///   for a device of another kind, after a lost bond, which only the user can mend, nor after a
///   link that the app has closed (``DisconnectReason/Kind/local``), in any step. The order: end
///   the link, announce, begin the delay.
/// - **close**: end the link, announce; then finish the tasks that wait for the connection, the
///   oldest first, then the client's loops, then loops over states.
/// - **end the link**: cancel the timeout, call the client, cancel all operations of the link in
///   their order, close it.
/// - **Numbers.** Each operation has a number under which it can be cancelled. The results of
///   dropped operations and of earlier links are ignored. A link that is opened too late is closed.
/// - **Services** may change at any time, and an operation may fail because of the change before
///   the change is reported. A subscription that fails for another reason ends its loops, not the
///   link: otherwise reconnecting would have no end.
/// - **Order.** While the state is locked, no callback runs, and the clock is not read. Callbacks
///   go into one queue, which one thread at a time drains. Virtual time does not pass during that.
///   Timers and the link hold the connection weakly.
final class DeviceConnection<Client: DeviceClient>: Sendable {
    /// The phase of the connection.
    enum Phase {
        /// No attempt has begun.
        case idle
        /// The backend connects.
        case opening(Attempt)
        /// The link is open; the device is prepared step by step.
        case preparing(Attempt, OpenLink, Preparation<Client>)
        /// The device accepts requests.
        case ready(OpenLink)
        /// The device accepts requests; its services are discovered again before the timeout.
        case renewing(OpenLink, Preparation<Client>, limit: UInt64)
        /// The link was lost; the next attempt begins when the delay is over, or when Bluetooth is
        /// on again. The numbers are those of the timer and of the observation.
        case waiting(index: Int, numbers: [UInt64], reason: DisconnectReason?)
        /// The connection is closed for good; its last link may still be closing.
        case closed(DeviceError, BLELink?)
    }

    /// An attempt to connect.
    struct Attempt {
        let generation: UInt64
        /// The number of attempts that have failed since the link was lost; `nil` for the first
        /// attempt of the connection.
        let index: Int?
        /// The time of the whole attempt.
        let timeout: Duration
        /// The deadline of the whole attempt; the distant future until the link is open, if the
        /// policy waits for the device.
        var deadline: Moment
        /// The timer of the deadline, or of the step under way if its deadline is earlier.
        var limit: Timer
        /// The number of the backend's attempt.
        let opening: UInt64
        /// The reason for which the last link has ended.
        let lastReason: DisconnectReason?
    }

    /// An open link.
    struct OpenLink {
        /// The number of the attempt: events of another link are ignored.
        let generation: UInt64
        let link: BLELink
        /// The operations that are cancelled with the link, in the order in which they have begun.
        var begun: [UInt64]
        /// `true` once its services were discovered.
        var hasServices = false
        var subscriptions: [Subscription] = []
    }

    /// A subscription shared by all loops over its channel.
    struct Subscription {
        let channel: Client.Channel
        let number: UInt64
        /// The timer until which a change of services may be reported; `nil` unless the
        /// subscription has failed as stale.
        var grace: UInt64?
    }

    /// A timer of the clock.
    struct Timer {
        let number: UInt64
        var moment: Moment
    }

    /// The state, used under the lock.
    struct State: DrainState {
        var phase = Phase.idle
        var client: Client
        var turn: ConnectionTurn
        /// The timer of the client's deadline.
        var clientTimer: Timer?
        /// The connection state that was announced last.
        var announced: ConnectionState?
        var states: Consumers<ConnectionState>
        /// The tasks that wait for the connection, the oldest first.
        var waiters: [(number: UInt64, finish: ConnectionTurn.Finish<Void>)] = []

        mutating func nextStep(for role: DrainRole) -> [ConnectionTurn.Action]? {
            turn.drainActions()
        }
    }

    let identity: PeripheralIdentity
    let time: any TransportTime
    private let transport: any BLETransport
    let reconnect: ReconnectPolicy
    private let drain: Drain<State>

    /// Creates a connection, without an attempt to connect.
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

    /// The time after a failure within which a backend may report changed services.
    static var changeIsReportedWithin: Duration { .seconds(2) }
}

extension DeviceConnection {
    /// Reads the state, or makes a change without effects.
    func read<Result>(_ body: (inout State) -> Result) -> Result { drain.withLock(body) }

    /// Changes the state, and then runs the callbacks that were queued.
    ///
    /// - Parameters:
    ///   - role: The role of the thread that drains the queue.
    ///   - moment: The moment of the change; by default, the current moment.
    @discardableResult
    func update<Result>(
        as role: DrainRole = .app, at moment: Moment? = nil, _ change: (inout State) -> Result
    ) -> Result {
        time.holdingTime { withinAction(as: role, at: moment, change) }
    }

    /// Changes the state during an action that is under way.
    private func withinAction<Result>(
        as role: DrainRole = .app, at moment: Moment? = nil, _ change: (inout State) -> Result
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

    /// Calls the client, and handles its changes: the wanted channels, its deadline, and the end of
    /// its step.
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

    /// Begins an operation, which can be cancelled by its number.
    func begin(
        _ number: UInt64, _ state: inout State,
        _ body: @escaping @Sendable (DeviceConnection) -> Cancellable
    ) {
        state.turn.hold(number)
        state.turn.call { [weak self] in
            guard let self else { return }
            let cancellable = body(self)
            update { $0.turn.keep(cancellable, number) }
        }
    }

    /// Schedules an action for a moment; dropping the number cancels it.
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

    /// The open link.
    var link: BLELink? { read { $0.phase.openLink?.link } }

    /// Throws the error with which a request of a command fails now, if the device accepts none.
    func checkReady(for command: FieldName) throws(DeviceError) {
        guard var refusal = read({ $0.refusal }) else { return }
        refusal.command = command
        throw refusal
    }

    /// Calls a function with the link, if the device accepts requests.
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

    /// Connects for the first time, and waits until the device accepts requests.
    ///
    /// - Parameters:
    ///   - timeout: The time of the attempt.
    ///   - waitsForDevice: `true` if the time begins with the link.
    nonisolated(nonsending) func connect(
        within timeout: Duration, waitsForDevice: Bool = false
    ) async throws(DeviceError) {
        try await wait { number, finish, state in
            state.waiters.append((number, finish))
            if case .idle = state.phase {
                open(nil, within: timeout, waitsForDevice: waitsForDevice, after: nil, &state)
            }
        } forget: { _, state in
            close(.closedByTheApp, &state)
        }
    }

    /// Waits until the device accepts requests; throws if the connection is closed.
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

    /// Closes the connection for good.
    func disconnect() {
        update { close(.closedByTheApp, &$0) }
    }

    /// Closes the connection for good, and waits until the link is closed.
    nonisolated(nonsending) func disconnectAndWait() async {
        let link = update { state in
            close(.closedByTheApp, &state)
            if case .closed(_, let link) = state.phase { return link }
            return BLELink?.none
        }
        await link?.disconnect()
    }

    /// Suspends a task. The task is resumed once: by the function that `register` receives, or at
    /// once when it is cancelled. Then `forget` is called.
    ///
    /// - Parameters:
    ///   - isLent: `true` for a task in the middle of an action. The action ends while the task
    ///     waits, and begins again before the task continues, so that no virtual time passes in
    ///     between.
    nonisolated(nonsending) func wait<Value: Sendable>(
        _ kind: WaitKind = .waits, isLent: Bool = false,
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
                    time.waiting(kind.end)
                    continuation.resume(returning: result)
                }
                if !isLent { time.waiting(.actionBegins) }
                time.waiting(kind.beginning)
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
        _ index: Int?, within timeout: Duration, waitsForDevice: Bool,
        after reason: DisconnectReason?, _ state: inout State
    ) {
        let generation = state.turn.newNumber()
        let limit = Timer(
            number: state.turn.newNumber(),
            moment: waitsForDevice ? .distantFuture : state.turn.now + timeout)
        let attempt = Attempt(
            generation: generation, index: index, timeout: timeout, deadline: limit.moment,
            limit: limit, opening: state.turn.newNumber(), lastReason: reason)
        state.phase = .opening(attempt)
        announce(&state)
        if !waitsForDevice {
            schedule(limit.number, at: limit.moment, &state) { $0.timedOut(&$1) }
        }
        begin(attempt.opening, &state) { connection in
            connection.transport.submitConnect(
                to: connection.identity, timeout: waitsForDevice ? nil : timeout
            ) {
                [weak connection] result in
                guard let connection else { return (try? result.get())?.close() ?? () }
                connection.opened(result, generation)
            }
        }
    }

    private func opened(_ result: Result<BLELink, BLEError>, _ generation: UInt64) {
        let unwanted: BLELink? = update(as: .backend) { state in
            guard case .opening(let attempt) = state.phase, attempt.generation == generation
            else { return try? result.get() }
            switch result {
            case .failure(let error): fail(DeviceError(error), &state)
            case .success(let link):
                var attempt = attempt
                if attempt.deadline == .distantFuture {
                    attempt.deadline = state.turn.now + attempt.timeout
                    attempt.limit.moment = attempt.deadline
                    schedule(attempt.limit.number, at: attempt.deadline, &state) {
                        $0.timedOut(&$1)
                    }
                }
                let observation = state.turn.newNumber()
                let open = OpenLink(
                    generation: generation, link: link, begun: [attempt.opening, observation])
                state.phase = .preparing(attempt, open, Preparation())
                begin(observation, &state) { connection in
                    link.observe { [weak connection] event, moment in
                        connection?.handle(event, moment, generation)
                    }
                }
                prepare(state.client.preparation, &state)
            }
            return nil
        }
        unwanted?.close()
    }

    /// Handles an event of a link.
    func handle(_ event: LinkEvent, _ moment: Moment, _ generation: UInt64) {
        update(as: .backend, at: moment) { state in
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

    /// Handles the timeout of an attempt, a step or a renewal.
    func timedOut(_ state: inout State) {
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
            error.kind != .wrongDevice, error.reason?.kind != .local, !error.isOfLostBond
        else { return close(error, &state) }
        let (timer, observation) = (state.turn.newNumber(), state.turn.newNumber())
        state.phase = .waiting(
            index: next, numbers: [timer, observation], reason: error.reason ?? lastReason)
        leave(old, error.reason, end: nil, &state)
        announce(&state)
        schedule(timer, at: state.turn.now + delay, &state) { $0.openAgain(&$1) }
        guard error.kind == .bluetoothOff || error.reason?.kind == .adapterGone else { return }
        begin(observation, &state) { connection in
            connection.transport.observeAdapter { [weak connection] adapter in
                guard adapter == .poweredOn, let connection else { return }
                connection.update(as: .backend) { state in
                    guard case .waiting(_, let numbers, _) = state.phase,
                        numbers.contains(observation)
                    else { return }
                    connection.openAgain(&state)
                }
            }
        }
    }

    /// Begins the next attempt.
    private func openAgain(_ state: inout State) {
        guard case .waiting(let index, let numbers, let reason) = state.phase else { return }
        for number in numbers { state.turn.drop(number) }
        open(
            index, within: reconnect.attemptTimeout, waitsForDevice: reconnect.waitsForDevice,
            after: reason, &state)
    }

    private func close(_ error: DeviceError, _ state: inout State) {
        let old = state.phase
        if case .closed = old { return }
        let end: Result<Void, DeviceError> =
            error.reason?.kind == .local ? .success(()) : .failure(error)
        state.phase = .closed(error, old.openLink?.link)
        leave(old, error.reason, end: end, &state)
        announce(&state)
        state.endWaiters(.failure(error))
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
        case .waiting(_, let numbers, _): for number in numbers { state.turn.drop(number) }
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
    /// The error with which a request fails now; `nil` if the device accepts requests.
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

    /// Ends all tasks that wait for the connection.
    mutating func endWaiters(_ result: Result<Void, DeviceError>) {
        let ended = waiters
        waiters = []
        for waiter in ended { _ = waiter.finish(result, &turn) }
    }
}

extension DeviceError {
    /// The error after the app has disconnected.
    static var closedByTheApp: DeviceError {
        DeviceError(.disconnected, reason: DisconnectReason(.local))
    }

    /// The error of a task that was cancelled while it waited.
    static var taskCancelled: DeviceError { DeviceError(BLEError(.cancelled, .receive)) }
}
