internal import HaloProtocol
internal import HaloTransport

/// A device of one kind, as its connection asks for it: what is done with a new link, and what is
/// made of what comes.
///
/// It is a value under the connection's lock. It calls nobody: what is to be done goes into the
/// context that each call has.
protocol DeviceClient: Sendable {
    /// What the device sends its values on.
    associatedtype Channel: Hashable, Sendable
    /// A step of preparing that is the client's own.
    associatedtype Step: Hashable, Sendable
    typealias Context = ClientContext<Self>

    /// The steps after which the device can be asked: the same for every link.
    var preparation: [PreparationStep<Self>] { get }
    /// Takes in what a discovery has found; throws if it is a device of another kind.
    mutating func found(_ services: [GATTService]) throws(DeviceError)
    /// The characteristic of a channel, if the device has it.
    func source(of channel: Channel) -> GATTCharacteristic?
    /// Takes in what the device says of itself.
    mutating func learn(_ information: DeviceInformation)

    /// The time that a step of its own has.
    func limit(of step: Step, before deadline: Moment, at now: Moment) -> StepLimit
    /// Begins a step; ``ClientContext/endStep()`` ends it.
    mutating func begin(_ step: Step, _ context: inout Context)
    /// A step has taken too long; `false` if all others are to be left out.
    mutating func timedOut(_ step: Step, _ context: inout Context) -> Bool

    /// A link is there, or its services are others while it is prepared: nothing was said on it.
    mutating func linkOpened(_ context: inout Context)
    /// The device can be asked.
    mutating func ready(_ context: inout Context)
    /// The services are found anew, and nothing can be sent meanwhile.
    mutating func suspended(_ context: inout Context)
    /// They have been found.
    mutating func resumed(_ context: inout Context)
    /// The link has ended, or the attempt to make one. If there will be no other, `end` says how
    /// loops end.
    mutating func linkEnded(
        _ reason: DisconnectReason?, end: Result<Void, DeviceError>?, _ context: inout Context)
    /// Nothing comes any more: all loops end.
    mutating func closed(_ end: Result<Void, DeviceError>, _ context: inout Context)

    /// Takes in a value.
    mutating func receive(
        _ bytes: [UInt8], of attribute: AttributeID, _ context: inout Context)
    /// The next moment at which to call ``tick(_:)``.
    var deadline: Moment? { get }
    /// The deadline has come, or perhaps not yet.
    mutating func tick(_ context: inout Context)

    /// The channels that are subscribed to only while a loop wants it.
    static var onDemand: [Channel] { get }
    /// Whether a loop wants one of these.
    func isWanted(_ channel: Channel) -> Bool
    /// The device is told to send on a channel.
    mutating func subscribed(to channel: Channel, at now: Moment)
    /// It is not any more.
    mutating func unsubscribed(from channel: Channel)
    /// The device does not send on a channel.
    mutating func refused(
        _ channel: Channel, _ error: DeviceError, _ context: inout Context)
}

/// A client needs no steps of its own, nothing of what a device says of itself, and no channel on
/// demand.
extension DeviceClient {
    mutating func learn(_ information: DeviceInformation) {}
    mutating func linkOpened(_ context: inout Context) {}
    mutating func suspended(_ context: inout Context) {}
    mutating func resumed(_ context: inout Context) {}
    static var onDemand: [Channel] { [] }
    func isWanted(_ channel: Channel) -> Bool { false }
    mutating func subscribed(to channel: Channel, at now: Moment) {}
    mutating func unsubscribed(from channel: Channel) {}
    mutating func refused(
        _ channel: Channel, _ error: DeviceError, _ context: inout Context
    ) {}
}

extension DeviceClient where Step == Never {
    func limit(of step: Never, before deadline: Moment, at now: Moment) -> StepLimit {}
    mutating func begin(_ step: Never, _ context: inout Context) {}
    mutating func timedOut(_ step: Never, _ context: inout Context) -> Bool {}
}

/// What is done with a new link before the device can be asked.
enum PreparationStep<Client: DeviceClient>: Sendable {
    /// Find the services.
    case discover
    /// Have the device send, if it has the channel.
    case subscribe(Client.Channel)
    /// Read some of what the device says of itself; what cannot be read is left out.
    case readInformation([BluetoothUUID])
    /// A step of the client's own.
    case client(Client.Step)

    /// `true` if the device is of no use without it.
    var isRequired: Bool {
        switch self {
        case .discover, .subscribe: true
        case .readInformation, .client: false
        }
    }
}

/// How far a device is prepared.
struct Preparation<Client: DeviceClient>: Sendable {
    /// The step under way; what comes of another one is ignored.
    var number: UInt64?
    /// The step under way, and those after it.
    var rest: ArraySlice<PreparationStep<Client>>
    /// The time in which a change of services may be told, where a step has failed as stale.
    var grace: UInt64?

    init(_ steps: [PreparationStep<Client>] = []) { rest = steps[...] }
}

/// The time that a step has.
enum StepLimit {
    /// None: it is left out.
    case skipped
    /// What is left of the attempt's.
    case ofAttempt
    /// Until a moment.
    case own(Moment)
}

/// What a client sees of its connection while it is called.
struct ClientContext<Client: DeviceClient> {
    let connection: DeviceConnection<Client>
    let open: DeviceConnection<Client>.OpenLink?
    var turn: ConnectionTurn
    var stepHasEnded = false

    var now: Moment { turn.now }

    /// The step of the client's own is done.
    mutating func endStep() { stepHasEnded = true }

    /// Has something done with the link, if there is one; a failure is told to the client as long
    /// as it is the same.
    mutating func send(
        _ operation:
            @escaping @Sendable (BLELink, @escaping BLECompletion<Void>) -> Void,
        failed: @escaping @Sendable (BLEError, inout Client, inout ClientContext) -> Void
    ) {
        guard let open else { return }
        turn.call { [weak connection] in
            operation(open.link) { [weak connection] result in
                guard case .failure(let error) = result, let connection else { return }
                connection.update(as: .owner) { state in
                    guard state.phase.openLink?.generation == open.generation else { return }
                    connection.tell(&state) { failed(error, &$0, &$1) }
                }
            }
        }
    }
}

// MARK: - What is known of a phase

extension DeviceConnection.Phase {
    /// The link, while there is one.
    var openLink: DeviceConnection.OpenLink? {
        switch self {
        case .preparing(_, let open, _), .ready(let open), .renewing(let open, _, _): open
        case .idle, .opening, .waiting, .closed: nil
        }
    }

    /// The steps that are left, while a device is prepared.
    var preparation: Preparation<Client>? {
        switch self {
        case .preparing(_, _, let preparation), .renewing(_, let preparation, _): preparation
        case .idle, .opening, .ready, .waiting, .closed: nil
        }
    }

    /// What was begun for the step under way.
    var stepNumbers: [UInt64?] { [preparation?.number, preparation?.grace] }

    /// Changes the link that is there, and the steps that are left.
    mutating func change(
        _ body: (inout DeviceConnection.OpenLink, inout Preparation<Client>) -> Void
    ) {
        switch self {
        case .preparing(let attempt, var open, var preparation):
            body(&open, &preparation)
            self = .preparing(attempt, open, preparation)
        case .ready(var open):
            var none = Preparation<Client>()
            body(&open, &none)
            self = .ready(open)
        case .renewing(var open, var preparation, let limit):
            body(&open, &preparation)
            self = .renewing(open, preparation, limit: limit)
        case .idle, .opening, .waiting, .closed: break
        }
    }
}

// MARK: - The steps of a connection

extension DeviceConnection {
    /// Begins with the steps of a link, with a conversation in which nothing was said.
    func prepare(_ steps: [PreparationStep<Client>], _ state: inout State) {
        state.phase.change { $1 = Preparation(steps) }
        if case .preparing = state.phase { tell(&state) { $0.linkOpened(&$1) } }
        runStep(&state)
    }

    func servicesChanged(_ state: inout State) {
        let steps = state.client.preparation
        switch state.phase {
        case .preparing(let attempt, let open, let preparation)
        where open.hasServices || preparation.grace != nil:
            dropStep(&state)
            setLimit(at: attempt.deadline, &state)
            unsubscribeAll(&state)
            prepare(steps, &state)
        case .ready(let open):
            tell(&state) { $0.suspended(&$1) }
            let limit = state.turn.newNumber()
            state.phase = .renewing(open, Preparation(), limit: limit)
            schedule(limit, at: state.turn.now + reconnect.attemptTimeout, &state) {
                $0.limitHasCome(&$1)
            }
            unsubscribeAll(&state)
            prepare(steps.filter { $0.isRequired }, &state)
        case .renewing:
            dropStep(&state)
            unsubscribeAll(&state)
            prepare(steps.filter { $0.isRequired }, &state)
        case .preparing, .idle, .opening, .waiting, .closed: break
        }
    }

    private func setLimit(at moment: Moment, _ state: inout State) {
        guard case .preparing(var attempt, let open, let preparation) = state.phase else { return }
        state.turn.drop(attempt.limit.number)
        attempt.limit = Timer(number: state.turn.newNumber(), moment: moment)
        state.phase = .preparing(attempt, open, preparation)
        schedule(attempt.limit.number, at: moment, &state) { $0.limitHasCome(&$1) }
    }

    func nextStep(_ state: inout State) {
        state.phase.change { $1.rest = $1.rest.dropFirst() }
        runStep(&state)
    }

    /// Does the first of the steps that are left; when none is, the device is ready.
    private func runStep(_ state: inout State) {
        guard let open = state.phase.openLink, let preparation = state.phase.preparation else {
            return
        }
        guard let step = preparation.rest.first else { return becomeReady(&state) }
        let number = state.turn.newNumber()
        state.phase.change { $1.number = number }
        switch step {
        case .discover:
            begin(number, &state) { connection in
                open.link.submitServices { [weak connection] result in
                    connection?.ended(number, result) { services, state throws(DeviceError) in
                        try state.client.found(services)
                        state.phase.change { open, _ in open.hasServices = true }
                    }
                }
            }
        case .subscribe(let channel):
            guard let source = state.client.source(of: channel) else { return nextStep(&state) }
            let subscription = Subscription(channel: channel, number: state.turn.newNumber())
            state.phase.change { open, _ in open.subscriptions.append(subscription) }
            begin(subscription.number, &state) { connection in
                open.link.submitSubscription(to: source) { [weak connection] result in
                    connection?.ended(number, result) { _, _ in }
                }
            }
        case .readInformation(let characteristics):
            begin(number, &state) { connection in
                open.link.submitDeviceInformation(characteristics) { [weak connection] result in
                    connection?.update(as: .owner) { state in
                        guard state.turn.release(number),
                            state.phase.preparation?.number == number
                        else { return }
                        if case .failure(let error) = result, error.kind == .disconnected {
                            connection?.fail(DeviceError(error), &state)
                            return
                        }
                        if let information = try? result.get() { state.client.learn(information) }
                        connection?.nextStep(&state)
                    }
                }
            }
        case .client(let step):
            guard case .preparing(let attempt, _, _) = state.phase else { return }
            switch state.client.limit(of: step, before: attempt.deadline, at: state.turn.now) {
            case .skipped: return nextStep(&state)
            case .ofAttempt where attempt.limit.moment == attempt.deadline: break
            case .ofAttempt: setLimit(at: attempt.deadline, &state)
            case .own(let moment): setLimit(at: moment, &state)
            }
            tell(&state) { $0.begin(step, &$1) }
        }
    }

    /// Goes on after a required step, or gives the link up.
    private func ended<Value: Sendable>(
        _ number: UInt64, _ result: Result<Value, BLEError>,
        _ success: (Value, inout State) throws(DeviceError) -> Void
    ) {
        update(as: .owner) { state in
            _ = state.turn.release(number)
            guard state.phase.preparation?.number == number else { return }
            do throws(DeviceError) {
                switch result {
                case .success(let value):
                    try success(value, &state)
                    nextStep(&state)
                case .failure(let error) where error.isStale:
                    let grace = state.turn.newNumber()
                    state.phase.change { $1.grace = grace }
                    schedule(grace, at: state.turn.now + Self.changeIsToldWithin, &state) {
                        $0.fail(DeviceError(error), &$1)
                    }
                case .failure(let error): throw DeviceError(error)
                }
            } catch {
                fail(error, &state)
            }
        }
    }

    /// What still comes of the step under way is ignored.
    private func dropStep(_ state: inout State) {
        for number in state.phase.stepNumbers.compactMap({ $0 }) { state.turn.drop(number) }
    }

    /// The device can be asked from now on.
    func becomeReady(_ state: inout State) {
        dropStep(&state)
        switch state.phase {
        case .preparing(let attempt, let open, _):
            state.turn.drop(attempt.limit.number)
            state.phase = .ready(open)
            announce(&state)
            let waiters = state.waiters
            state.waiters = []
            for waiter in waiters { _ = waiter.finish(.success(()), &state.turn) }
            tell(&state) { $0.ready(&$1) }
        case .renewing(let open, _, let limit):
            state.turn.drop(limit)
            state.phase = .ready(open)
            tell(&state) { $0.resumed(&$1) }
        case .idle, .opening, .ready, .waiting, .closed: break
        }
    }
}

// MARK: - What the client wants

extension DeviceConnection {
    /// Has the clock call when the client wants to be called.
    ///
    /// A call that comes too early does no harm, so that a later deadline needs no new one.
    func arm(_ state: inout State) {
        guard let deadline = state.client.deadline else { return }
        if let timer = state.clientTimer {
            if timer.moment <= deadline { return }
            state.turn.drop(timer.number)
        }
        let timer = Timer(number: state.turn.newNumber(), moment: deadline)
        state.clientTimer = timer
        schedule(timer.number, at: deadline, &state) { connection, state in
            state.clientTimer = nil
            connection.tell(&state) { $0.tick(&$1) }
        }
    }

    /// Subscribes to what the client wants while the device can be asked, and no longer to what it
    /// does not want any more.
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
            tell(&state) { $0.refused(channel, DeviceError(.notSupported), &$1) }
            return
        }
        let number = state.turn.newNumber()
        state.phase.change { open, _ in
            open.subscriptions.append(Subscription(channel: channel, number: number))
        }
        state.client.subscribed(to: channel, at: state.turn.now)
        arm(&state)
        begin(number, &state) { connection in
            open.link.submitSubscription(to: source) { [weak connection] result in
                if case .failure(let error) = result { connection?.refused(number, error) }
            }
        }
    }

    /// The end of the link is told by the link, and so is a change of services, if it comes in
    /// time.
    private func refused(_ number: UInt64, _ error: BLEError) {
        guard error.kind != .disconnected, error.kind != .cancelled else { return }
        update(as: .owner) { state in
            guard error.isStale else { return giveUp(number, DeviceError(error), &state) }
            let grace = state.turn.newNumber()
            state.phase.change { open, _ in
                let index = open.subscriptions.firstIndex { $0.number == number }
                if let index { open.subscriptions[index].grace = grace }
            }
            schedule(grace, at: state.turn.now + Self.changeIsToldWithin, &state) {
                $0.giveUp(number, DeviceError(error), &$1)
            }
        }
    }

    private func giveUp(_ number: UInt64, _ error: DeviceError, _ state: inout State) {
        let all = state.phase.openLink?.subscriptions ?? []
        guard let subscription = all.first(where: { $0.number == number }) else { return }
        unsubscribe(subscription, &state)
        tell(&state) { $0.refused(subscription.channel, error, &$1) }
    }

    /// Has the device send no more; the clock is not to call for that either.
    private func unsubscribe(_ subscription: Subscription, _ state: inout State) {
        state.phase.change { open, _ in
            open.subscriptions.removeAll { $0.number == subscription.number }
        }
        state.turn.drop(subscription.number)
        if let grace = subscription.grace { state.turn.drop(grace) }
        guard Client.onDemand.contains(subscription.channel) else { return }
        state.client.unsubscribed(from: subscription.channel)
        guard state.client.deadline == nil, let timer = state.clientTimer else { return }
        state.turn.drop(timer.number)
        state.clientTimer = nil
    }

    private func unsubscribeAll(_ state: inout State) {
        for subscription in state.phase.openLink?.subscriptions ?? [] {
            unsubscribe(subscription, &state)
        }
    }
}
