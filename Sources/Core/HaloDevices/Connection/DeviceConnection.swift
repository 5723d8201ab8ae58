internal import HaloProtocol
internal import HaloTransport

/// A connection of an app to a device, which survives lost links: the state machine under ``Ring``,
/// ``HeartRateSensor`` and ``LEDStrip``. It is used in turns of the transport's loop.
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
/// - Timers and the link hold the connection weakly.
final class DeviceConnection<Client: DeviceClient>: Sendable {
    enum Phase {
        case idle
        case opening(Attempt)
        /// The link is open; the device is prepared step by step.
        case preparing(Attempt, OpenLink)
        case ready(OpenLink)
        /// The device accepts requests; its services are discovered again before the timeout.
        case renewing(OpenLink)
        /// The link was lost; the next attempt begins when the delay is over, or when Bluetooth is
        /// on again; `observation` is the number of the operation that watches the adapter.
        case waiting(index: Int, observation: UInt64, reason: DisconnectReason?)
        /// The connection is closed for good; its last link may still be closing.
        case closed(DeviceError, BLELink?)
    }

    struct Attempt {
        /// The number of the attempt, and of the backend's operation.
        let generation: UInt64
        /// The number of attempts that have failed since the link was lost; `nil` for the first
        /// attempt of the connection.
        let index: Int?
        let timeout: Duration
        /// The deadline of the whole attempt; the distant future until the link is open, if the
        /// policy waits for the device.
        var deadline: Moment
        let lastReason: DisconnectReason?
    }

    struct OpenLink {
        /// The number of the attempt, and then of the operation that observes the link: events of
        /// another link are ignored.
        let generation: UInt64
        let link: BLELink
        var hasServices = false
        var subscriptions: [Subscription] = []
        /// The number of the step under way; results of another one are ignored.
        var step: UInt64?
        /// The step under way, and those after it.
        var rest: ArraySlice<PreparationStep<Client>> = []
        /// `true` after the step has failed as stale. A timer has its number then: until it fires,
        /// a change of services may be reported.
        var isStale = false
    }

    /// A subscription shared by all loops over its channel.
    struct Subscription {
        let channel: Client.Channel
        /// The number of the operation. After it has failed as stale, a timer has the number: until
        /// it fires, a change of services may be reported.
        let number: UInt64
    }

    struct Timer {
        let number: UInt64
        let moment: Moment
    }

    struct State {
        var phase = Phase.idle
        var client: Client
        var operations: DeviceOperations
        /// The timer of the phase: the deadline of the attempt, of an earlier step or of the
        /// renewal, or the end of the delay.
        var limit: Timer?
        var clientTimer: Timer?
        var announced: ConnectionState?
        var states: Consumers<ConnectionState>
        /// The tasks that wait for the connection, the oldest first.
        var waiters: [Promise<Void, DeviceError>] = []
        /// `true` once the device has accepted requests.
        var wasReady = false
        /// The deadline of the first attempt; `nil` until its link is open.
        var firstDeadline: Moment?
    }

    let identity: PeripheralIdentity
    let time: any TransportTime
    let transport: any BLETransport
    let reconnect: ReconnectPolicy
    private let loop: TransportLoop
    private let state: InLoop<State>

    init(
        to identity: PeripheralIdentity, over transport: any BLETransport,
        reconnect: ReconnectPolicy, bufferLimit: Int, _ client: Client
    ) {
        self.identity = identity
        self.transport = transport
        self.reconnect = reconnect
        time = transport.time
        loop = time.loop
        state = InLoop(
            loop,
            State(
                client: client, operations: DeviceOperations(now: time.now(), loop),
                states: Consumers(limit: bufferLimit)))
    }

    /// The time after a failure within which a backend may report changed services.
    static var changeIsReportedWithin: Duration { .seconds(2) }

    func read<Result>(_ body: (State) -> Result) -> Result { state.run { body($0) } }

    @discardableResult
    func update<Result>(
        at moment: Moment? = nil, _ change: (inout State) -> Result
    ) -> Result {
        state.run { state in
            state.operations.now = max(state.operations.now, moment ?? time.now())
            return change(&state)
        }
    }

    @discardableResult
    func withClient<Result>(_ body: (inout Client, inout ClientContext<Client>) -> Result) -> Result
    {
        update { withClient(&$0, body) }
    }

    /// Calls the client, and handles its changes: the wanted channels, its deadline, and the end of
    /// its step.
    @discardableResult
    func withClient<Result>(
        _ state: inout State, _ body: (inout Client, inout ClientContext<Client>) -> Result
    ) -> Result {
        var context = ClientContext(
            connection: self, open: state.phase.openLink, now: state.operations.now,
            isFirstAttempt: state.phase.isFirstAttempt)
        let result = body(&state.client, &context)
        subscribeAsWanted(&state)
        arm(&state)
        if context.stepHasEnded { nextStep(&state) }
        if context.callsApp { state.endWaiters(.success(())) }
        return result
    }

    /// Schedules an action for a moment; dropping the number cancels it.
    func schedule(
        _ number: UInt64, at moment: Moment, _ state: inout State,
        _ action: @escaping @Sendable (DeviceConnection, inout State) -> Void
    ) {
        let timer = time.schedule(at: moment) { [weak self, loop] in
            loop.report {
                guard let self else { return }
                self.update { state in
                    if state.operations.end(number) { action(self, &state) }
                }
            }
        }
        state.operations.add(number, timer)
    }

    var connectionState: ConnectionState { read { $0.connectionState } }

    var link: BLELink? { read { $0.phase.openLink?.link } }

    /// Throws the error with which a request of a command fails now, if the device accepts none.
    func checkReady(for command: FieldName) throws(DeviceError) {
        guard var refusal = read({ $0.refusal }) else { return }
        refusal.command = command
        throw refusal
    }

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

    /// Connects for the first time, and waits until the device accepts requests. Called once.
    ///
    /// - Parameter waitsForDevice: `true` if the time begins with the link.
    nonisolated(nonsending) func connect(
        within timeout: Duration, waitsForDevice: Bool = false
    ) async throws(DeviceError) {
        try await waitToConnect {
            open(nil, within: timeout, waitsForDevice: waitsForDevice, after: nil, &$0)
        }
        while !read({ $0.wasReady }) {
            let task = read { $0.client.appTask }
            let isDone = if let task { (try? await task.body()) != nil } else { false }
            try await waitToConnect { state in
                guard let task else { return }
                withClient(&state) { $0.ended(task, isDone: isDone, &$1) }
            }
        }
    }

    /// Waits until the device accepts requests, or until a step waits for a function of the app.
    private nonisolated(nonsending) func waitToConnect(
        _ begin: (inout State) -> Void
    ) async throws(DeviceError) {
        try await wait { (waiter: Promise<Void, DeviceError>, state) in
            begin(&state)
            if join(waiter, &state), state.client.appTask != nil { state.endWaiters(.success(())) }
        } forget: { connection, _, state in
            connection.close(.closedByTheApp, &state)
        }
    }

    /// Adds a task that waits for the connection; returns `false` if its wait is over already.
    @discardableResult
    private func join(_ waiter: Promise<Void, DeviceError>, _ state: inout State) -> Bool {
        switch state.phase {
        case .ready, .renewing: waiter.resolve(.success(()))
        case .closed(let error, _): waiter.resolve(.failure(error))
        case .idle, .opening, .preparing, .waiting:
            state.waiters.append(waiter)
            return true
        }
        return false
    }

    /// Waits until the device accepts requests; throws if the connection is closed.
    nonisolated(nonsending) func waitUntilConnected() async throws(DeviceError) {
        try await wait { (waiter: Promise<Void, DeviceError>, state) in
            join(waiter, &state)
        } forget: { _, waiter, state in
            state.waiters.removeAll { $0 === waiter }
        }
    }

    /// Waits until the device accepts requests; throws if the connection is closed, or at the
    /// timeout.
    nonisolated(nonsending) func waitUntilConnected(
        within timeout: Duration
    ) async throws(DeviceError) {
        guard read({ $0.refusal }) != nil else { return }
        let timer = update { $0.operations.newNumber() }
        defer { update { $0.operations.drop(timer) } }
        try await wait { (waiter: Promise<Void, DeviceError>, state) in
            guard join(waiter, &state) else { return }
            schedule(timer, at: state.operations.now + timeout, &state) { _, state in
                state.waiters.removeAll { $0 === waiter }
                waiter.resolve(.failure(state.refusal ?? DeviceError(.disconnected)))
            }
        } forget: { _, waiter, state in
            state.waiters.removeAll { $0 === waiter }
        }
    }

    func disconnect() {
        update { close(.closedByTheApp, &$0) }
    }

    /// Closes the connection that no app holds any more.
    func release() { loop.later { [self] in disconnect() } }

    nonisolated(nonsending) func disconnectAndWait() async {
        let link = update { state in
            close(.closedByTheApp, &state)
            if case .closed(_, let link) = state.phase { return link }
            return BLELink?.none
        }
        await link?.disconnect()
    }

    /// Suspends a task, until the promise is resolved. If the task is cancelled before, `forget` is
    /// called.
    nonisolated(nonsending) func wait<Value: Sendable>(
        _ kind: WaitKind = .waits,
        _ register: (Promise<Value, DeviceError>, inout State) -> Void,
        forget:
            @escaping @Sendable (
                DeviceConnection, Promise<Value, DeviceError>, inout State
            ) -> Void
    ) async throws(DeviceError) -> Value {
        let promise = Promise<Value, DeviceError>(
            kind, cancelled: .failure(.taskCancelled), on: time)
        return try await promise.value {
            update { register(promise, &$0) }
            return BLECancellable { self.update { forget(self, promise, &$0) } }
        }
    }

    private func open(
        _ index: Int?, within timeout: Duration, waitsForDevice: Bool,
        after reason: DisconnectReason?, _ state: inout State
    ) {
        let generation = state.operations.newNumber()
        let deadline = waitsForDevice ? .distantFuture : state.operations.now + timeout
        state.phase = .opening(
            Attempt(
                generation: generation, index: index, timeout: timeout, deadline: deadline,
                lastReason: reason))
        announce(&state)
        if !waitsForDevice { setLimit(at: deadline, &state) }
        let opening = transport.submitConnect(
            to: identity, timeout: waitsForDevice ? nil : timeout
        ) { [weak self] result in
            guard let self else { return (try? result.get())?.close() ?? () }
            opened(result, generation)
        }
        state.operations.add(generation, opening)
    }

    private func opened(_ result: Result<BLELink, BLEError>, _ generation: UInt64) {
        let unwanted: BLELink? = update { state in
            guard case .opening(let attempt) = state.phase, attempt.generation == generation
            else { return try? result.get() }
            switch result {
            case .failure(let error): fail(DeviceError(error), &state)
            case .success(let link):
                var attempt = attempt
                if attempt.deadline == .distantFuture {
                    attempt.deadline = state.operations.now + attempt.timeout
                    setLimit(at: attempt.deadline, &state)
                }
                if attempt.index == nil { state.firstDeadline = attempt.deadline }
                state.phase = .preparing(attempt, OpenLink(generation: generation, link: link))
                _ = state.operations.end(generation)
                let observing = link.observe { [weak self] event, moment in
                    self?.receive(event, moment, generation)
                }
                state.operations.add(generation, observing)
                prepare(state.client.preparation, &state)
            }
            return nil
        }
        unwanted?.close()
    }

    func receive(_ event: LinkEvent, _ moment: Moment, _ generation: UInt64) {
        update(at: moment) { state in
            guard state.phase.openLink?.generation == generation else { return }
            switch event {
            case .value(let attribute, let bytes):
                withClient(&state) { $0.receive(bytes, of: attribute, &$1) }
            case .servicesChanged: servicesChanged(&state)
            case .maximumLengthChanged: break
            case .disconnected(let reason):
                fail(
                    DeviceError(BLEError(.disconnected, .receive, disconnectReason: reason)), &state
                )
            }
        }
    }

    private func setLimit(at moment: Moment?, _ state: inout State) {
        if let limit = state.limit { state.operations.drop(limit.number) }
        state.limit = moment.map { Timer(number: state.operations.newNumber(), moment: $0) }
        guard let limit = state.limit else { return }
        schedule(limit.number, at: limit.moment, &state) { connection, state in
            state.limit = nil
            connection.timedOut(&state)
        }
    }

    /// Handles the timeout of an attempt, a step or a renewal, and the end of a delay.
    private func timedOut(_ state: inout State) {
        switch state.phase {
        case .opening: fail(DeviceError(BLEError(.timedOut, .connect)), &state)
        case .preparing(_, let open):
            switch open.rest.first {
            case .discover, .subscribe, nil:
                fail(DeviceError(BLEError(.timedOut, .connect)), &state)
            case .client(let step):
                let goesOn = withClient(&state) { $0.timedOut(step, &$1) }
                if goesOn { nextStep(&state) } else { becomeReady(&state) }
            }
        case .renewing: fail(DeviceError(BLEError(.timedOut, .discover)), &state)
        case .waiting: openAgain(&state)
        case .idle, .ready, .closed: break
        }
    }

    func fail(_ error: DeviceError, _ state: inout State) {
        let old = state.phase
        let (next, lastReason): (Int?, DisconnectReason?) =
            switch old {
            case .ready, .renewing: (0, nil)
            case .opening(let attempt), .preparing(let attempt, _):
                (attempt.index.map { $0 + 1 }, attempt.lastReason)
            case .idle, .waiting, .closed: (nil, nil)
            }
        guard let next, let delay = reconnect.delay(beforeAttempt: next),
            error.kind != .wrongDevice, error.disconnectReason?.kind != .local, !error.isOfLostBond
        else { return close(error, &state) }
        let observation = state.operations.newNumber()
        state.phase = .waiting(
            index: next, observation: observation, reason: error.disconnectReason ?? lastReason)
        leave(old, error.disconnectReason, end: nil, &state)
        announce(&state)
        setLimit(at: state.operations.now + delay, &state)
        guard error.kind == .bluetoothOff || error.disconnectReason?.kind == .adapterGone else {
            return
        }
        let observing = transport.observeAdapter { [weak self, loop] adapter in
            guard adapter == .poweredOn else { return }
            loop.report { self?.bluetoothIsOn(observation) }
        }
        state.operations.add(observation, observing)
    }

    private func bluetoothIsOn(_ observation: UInt64) {
        update { state in
            guard case .waiting(_, observation, _) = state.phase else { return }
            openAgain(&state)
        }
    }

    private func openAgain(_ state: inout State) {
        guard case .waiting(let index, let observation, let reason) = state.phase else { return }
        setLimit(at: nil, &state)
        state.operations.drop(observation)
        open(
            index, within: reconnect.attemptTimeout, waitsForDevice: reconnect.waitsForDevice,
            after: reason, &state)
    }

    private func close(_ error: DeviceError, _ state: inout State) {
        let old = state.phase
        if case .closed = old { return }
        let end: Result<Void, DeviceError> =
            error.disconnectReason?.kind == .local ? .success(()) : .failure(error)
        state.phase = .closed(error, old.openLink?.link)
        leave(old, error.disconnectReason, end: end, &state)
        announce(&state)
        state.endWaiters(.failure(error))
        withClient(&state) { $0.closed(end, &$1) }
        state.states.finish(.success(()))
    }

    private func leave(
        _ old: Phase, _ reason: DisconnectReason?, end: Result<Void, DeviceError>?,
        _ state: inout State
    ) {
        setLimit(at: nil, &state)
        if case .waiting(_, let observation, _) = old { state.operations.drop(observation) }
        withClient(&state) { $0.linkEnded(reason, end: end, &$1) }
        if let timer = state.clientTimer { state.operations.drop(timer.number) }
        state.clientTimer = nil
        if case .opening(let attempt) = old { state.operations.drop(attempt.generation) }
        guard let open = old.openLink else { return }
        let begun = [open.generation] + open.subscriptions.map(\.number) + [open.step]
        for number in begun.compactMap(\.self) { state.operations.drop(number) }
        open.link.close()
    }

    func announce(_ state: inout State) {
        let current = state.connectionState
        guard current != state.announced else { return }
        state.announced = current
        state.states.send(current)
    }
}

// MARK: - The phase

extension DeviceConnection.Phase {
    fileprivate var isFirstAttempt: Bool {
        switch self {
        case .opening(let attempt), .preparing(let attempt, _): attempt.index == nil
        case .idle, .ready, .renewing, .waiting, .closed: false
        }
    }

    /// The open link. Setting it keeps the phase; in a phase without a link it does nothing.
    var openLink: DeviceConnection.OpenLink? {
        get {
            switch self {
            case .preparing(_, let open), .ready(let open), .renewing(let open): open
            case .idle, .opening, .waiting, .closed: nil
            }
        }
        set {
            guard let newValue else { return }
            switch self {
            case .preparing(let attempt, _): self = .preparing(attempt, newValue)
            case .ready: self = .ready(newValue)
            case .renewing: self = .renewing(newValue)
            case .idle, .opening, .waiting, .closed: break
            }
        }
    }
}

// MARK: - The steps of a connection

extension DeviceConnection {
    func prepare(_ steps: [PreparationStep<Client>], _ state: inout State) {
        state.phase.openLink?.rest = steps[...]
        if case .preparing = state.phase { withClient(&state) { $0.linkOpened(&$1) } }
        runStep(&state)
    }

    func servicesChanged(_ state: inout State) {
        let steps = state.client.preparation
        switch state.phase {
        case .preparing(let attempt, let open) where open.hasServices || open.isStale:
            dropStep(&state)
            setLimit(at: attempt.deadline, &state)
            unsubscribeAll(&state)
            prepare(steps, &state)
        case .ready(let open):
            withClient(&state) { $0.suspended(&$1) }
            state.phase = .renewing(open)
            setLimit(at: state.operations.now + reconnect.attemptTimeout, &state)
            unsubscribeAll(&state)
            prepare(steps.filter { $0.isRequired }, &state)
        case .renewing:
            dropStep(&state)
            unsubscribeAll(&state)
            prepare(steps.filter { $0.isRequired }, &state)
        case .preparing, .idle, .opening, .waiting, .closed: break
        }
    }

    func nextStep(_ state: inout State) {
        _ = state.phase.openLink?.rest.popFirst()
        runStep(&state)
    }

    /// Runs the first of the remaining steps; without any, the device is ready.
    private func runStep(_ state: inout State) {
        guard let open = state.phase.openLink else { return }
        guard let step = open.rest.first else { return becomeReady(&state) }
        let number = state.operations.newNumber()
        state.phase.openLink?.step = number
        switch step {
        case .discover:
            let discovery = open.link.submitServices { [weak self] result in
                self?.ended(number, result) { services, state throws(DeviceError) in
                    try state.client.found(services)
                    state.phase.openLink?.hasServices = true
                }
            }
            state.operations.add(number, discovery)
        case .subscribe(let channel):
            guard let source = state.client.source(of: channel) else { return nextStep(&state) }
            let subscription = Subscription(channel: channel, number: state.operations.newNumber())
            state.phase.openLink?.subscriptions.append(subscription)
            let subscribing = open.link.submitSubscription(to: source) { [weak self] result in
                self?.ended(number, result) { _, _ in }
            }
            state.operations.add(subscription.number, subscribing)
        case .client(let step):
            guard case .preparing(let attempt, _) = state.phase else { return }
            let (deadline, now) = (attempt.deadline, state.operations.now)
            guard let limit = state.client.limit(of: step, before: deadline, at: now) else {
                return nextStep(&state)
            }
            if limit != state.limit?.moment { setLimit(at: limit, &state) }
            withClient(&state) { $0.start(step, &$1) }
        }
    }

    /// Continues after a step. If it fails, the link fails.
    private func ended<Value: Sendable>(
        _ number: UInt64, _ result: Result<Value, BLEError>,
        _ success: (Value, inout State) throws(DeviceError) -> Void
    ) {
        update { state in
            _ = state.operations.end(number)
            guard state.phase.openLink?.step == number else { return }
            do throws(DeviceError) {
                switch result {
                case .success(let value):
                    try success(value, &state)
                    nextStep(&state)
                case .failure(let error) where error.isStale:
                    state.phase.openLink?.isStale = true
                    awaitChange(number, &state) { $0.fail(DeviceError(error), &$1) }
                case .failure(let error): throw DeviceError(error)
                }
            } catch {
                fail(error, &state)
            }
        }
    }

    /// Lets time pass in which a backend may report that the services have changed.
    private func awaitChange(
        _ number: UInt64, _ state: inout State,
        orElse failure: @escaping @Sendable (DeviceConnection, inout State) -> Void
    ) {
        let end = state.operations.now + Self.changeIsReportedWithin
        schedule(number, at: end, &state, failure)
    }

    private func dropStep(_ state: inout State) {
        guard var open = state.phase.openLink else { return }
        if let step = open.step { state.operations.drop(step) }
        (open.step, open.isStale, open.rest) = (nil, false, [])
        state.phase.openLink = open
    }

    func becomeReady(_ state: inout State) {
        // Without a link, the limit is the delay of a reconnection.
        guard state.phase.openLink != nil else { return }
        dropStep(&state)
        setLimit(at: nil, &state)
        switch state.phase {
        case .preparing(_, let open):
            state.phase = .ready(open)
            state.wasReady = true
            announce(&state)
            state.endWaiters(.success(()))
            withClient(&state) { $0.ready(&$1) }
        case .renewing(let open):
            state.phase = .ready(open)
            withClient(&state) { $0.resumed(&$1) }
        case .idle, .opening, .ready, .waiting, .closed: break
        }
    }

    // MARK: Deadlines and subscriptions of the client

    /// Sets the timer of the client's deadline.
    ///
    /// A timer may fire early, so a later deadline needs no new timer.
    func arm(_ state: inout State) {
        guard let deadline = state.client.deadline else { return }
        if let timer = state.clientTimer {
            if timer.moment <= deadline { return }
            state.operations.drop(timer.number)
        }
        let timer = Timer(number: state.operations.newNumber(), moment: deadline)
        state.clientTimer = timer
        schedule(timer.number, at: deadline, &state) { connection, state in
            state.clientTimer = nil
            connection.withClient(&state) { $0.tick(&$1) }
        }
    }

    /// Subscribes to the channels with loops, while the device accepts requests, and unsubscribes
    /// from the others.
    func subscribeAsWanted(_ state: inout State) {
        for channel in Client.onDemand {
            let isWanted = state.client.isWanted(channel)
            let subscription = state.phase.openLink?.subscriptions.first { $0.channel == channel }
            if let subscription {
                if !isWanted { unsubscribe(subscription, &state) }
            } else if isWanted, case .ready(let open) = state.phase {
                subscribe(to: channel, open, &state)
            }
        }
    }

    private func subscribe(to channel: Client.Channel, _ open: OpenLink, _ state: inout State) {
        guard let source = state.client.source(of: channel) else {
            withClient(&state) { $0.refused(channel, DeviceError(.notSupported), &$1) }
            return
        }
        let number = state.operations.newNumber()
        state.phase.openLink?.subscriptions.append(
            Subscription(channel: channel, number: number))
        state.client.subscribed(to: channel, at: state.operations.now)
        arm(&state)
        let subscribing = open.link.submitSubscription(to: source) { [weak self] result in
            if case .failure(let error) = result { self?.refused(number, error) }
        }
        state.operations.add(number, subscribing)
    }

    /// Handles the failure of a subscription. The end of the link and, within
    /// ``changeIsReportedWithin``, a change of services are reported by the link itself.
    private func refused(_ number: UInt64, _ error: BLEError) {
        guard error.kind != .disconnected, error.kind != .cancelled else { return }
        update { state in
            guard error.isStale else { return giveUp(number, DeviceError(error), &state) }
            _ = state.operations.end(number)
            awaitChange(number, &state) { $0.giveUp(number, DeviceError(error), &$1) }
        }
    }

    private func giveUp(_ number: UInt64, _ error: DeviceError, _ state: inout State) {
        let all = state.phase.openLink?.subscriptions ?? []
        guard let subscription = all.first(where: { $0.number == number }) else { return }
        // The channel has no loops any more, so that the subscription ends at the end of the turn.
        withClient(&state) { $0.refused(subscription.channel, error, &$1) }
    }

    /// Unsubscribes from a channel, and cancels the timer of its failed subscription.
    private func unsubscribe(_ subscription: Subscription, _ state: inout State) {
        state.phase.openLink?.subscriptions.removeAll { $0.number == subscription.number }
        state.operations.drop(subscription.number)
        guard Client.onDemand.contains(subscription.channel) else { return }
        state.client.unsubscribed(from: subscription.channel)
        guard state.client.deadline == nil, let timer = state.clientTimer else { return }
        state.operations.drop(timer.number)
        state.clientTimer = nil
    }

    private func unsubscribeAll(_ state: inout State) {
        for subscription in state.phase.openLink?.subscriptions ?? [] {
            unsubscribe(subscription, &state)
        }
    }
}

// MARK: - The state

extension DeviceConnection.State {
    /// The error with which a request fails now; `nil` if the device accepts requests.
    var refusal: DeviceError? {
        switch phase {
        case .idle: DeviceError(.disconnected)
        case .opening(let attempt), .preparing(let attempt, _):
            DeviceError(.disconnected, disconnectReason: attempt.lastReason)
        case .ready, .renewing: nil
        case .waiting(_, _, let reason): DeviceError(.disconnected, disconnectReason: reason)
        case .closed(let error, _): error
        }
    }

    mutating func endWaiters(_ result: Result<Void, DeviceError>) {
        let ended = waiters
        waiters = []
        for waiter in ended { waiter.resolve(result) }
    }
}

extension DeviceError {
    static var closedByTheApp: DeviceError {
        DeviceError(.disconnected, disconnectReason: DisconnectReason(.local))
    }

    static var taskCancelled: DeviceError { DeviceError(BLEError(.cancelled, .receive)) }
}
