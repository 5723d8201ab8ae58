internal import HaloProtocol
internal import HaloTransport

/// The part of a ``DeviceConnection`` for one kind of device: the steps of preparing a link, and
/// the values that the device sends.
///
/// A client is a value under the connection's lock. Its effects go into the context of each call,
/// and are performed later.
protocol DeviceClient: Sendable {
    /// The characteristics on which the device sends values.
    associatedtype Channel: Hashable, Sendable
    /// A step of preparing a link that only this client has.
    associatedtype Step: Hashable, Sendable
    typealias Context = ClientContext<Self>

    /// The steps after which the device accepts requests.
    var preparation: [PreparationStep<Self>] { get }
    /// Receives the services; throws if the device is of another kind.
    mutating func found(_ services: [GATTService]) throws(DeviceError)
    /// Returns the characteristic of a channel, if the device has it.
    func source(of channel: Channel) -> GATTCharacteristic?
    /// Receives the device information.
    mutating func learn(_ information: DeviceInformation)

    /// Returns the timeout of one of the client's own steps.
    func limit(of step: Step, before deadline: Moment, at now: Moment) -> StepLimit
    /// Begins a step, which ``ClientContext/endStep()`` ends.
    mutating func begin(_ step: Step, _ context: inout Context)
    /// Ends a step that has timed out; returns `false` to skip the steps that are left.
    mutating func timedOut(_ step: Step, _ context: inout Context) -> Bool

    /// Handles a new link, or services that have changed while the link is prepared.
    mutating func linkOpened(_ context: inout Context)
    /// Handles the end of the preparation: the device accepts requests.
    mutating func ready(_ context: inout Context)
    /// Handles the beginning of a rediscovery of the services. Until ``resumed(_:)`` no request can
    /// be sent.
    mutating func suspended(_ context: inout Context)
    /// Handles the end of a rediscovery of the services.
    mutating func resumed(_ context: inout Context)
    /// Handles the end of the link or of an attempt to connect. `end` is the end of all loops if no
    /// further attempt follows.
    mutating func linkEnded(
        _ reason: DisconnectReason?, end: Result<Void, DeviceError>?, _ context: inout Context)
    /// Handles the end of the connection: all loops end.
    mutating func closed(_ end: Result<Void, DeviceError>, _ context: inout Context)

    /// Receives a value.
    mutating func receive(
        _ bytes: [UInt8], of attribute: AttributeID, _ context: inout Context)
    /// The next moment at which to call ``tick(_:)``; `nil` for none.
    var deadline: Moment? { get }
    /// Handles the deadline; the call may be early.
    mutating func tick(_ context: inout Context)

    /// The channels whose subscriptions exist only during loops.
    static var onDemand: [Channel] { get }
    /// Returns `true` if there is a loop over an on-demand channel.
    func isWanted(_ channel: Channel) -> Bool
    /// Handles a new subscription to a channel.
    mutating func subscribed(to channel: Channel, at now: Moment)
    /// Handles the end of the subscription to a channel.
    mutating func unsubscribed(from channel: Channel)
    /// Handles the failure of a subscription.
    mutating func refused(
        _ channel: Channel, _ error: DeviceError, _ context: inout Context)
}

/// The defaults: no steps of its own, no device information, no channel on demand, no deadline.
extension DeviceClient {
    mutating func ready(_ context: inout Context) {}
    var deadline: Moment? { nil }
    mutating func tick(_ context: inout Context) {}
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

/// A step of preparing a link.
enum PreparationStep<Client: DeviceClient>: Sendable {
    /// Discovers the services.
    case discover
    /// Subscribes to a channel, if the device has it.
    case subscribe(Client.Channel)
    /// Reads some of the device information; values that cannot be read are left out.
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

/// The progress of preparing a link.
struct Preparation<Client: DeviceClient>: Sendable {
    /// The number of the step under way; results of another one are ignored.
    var number: UInt64?
    /// The step under way, and those after it.
    var rest: ArraySlice<PreparationStep<Client>>
    /// The timer until which a change of services may be reported; `nil` unless a step has failed
    /// as stale.
    var grace: UInt64?

    init(_ steps: [PreparationStep<Client>] = []) { rest = steps[...] }
}

/// The timeout of a step.
enum StepLimit {
    /// The step is skipped.
    case skipped
    /// The timeout is the rest of the attempt's timeout.
    case ofAttempt
    /// The step has a deadline of its own.
    case own(Moment)
}

/// The connection as seen by a client during a call.
struct ClientContext<Client: DeviceClient> {
    let connection: DeviceConnection<Client>
    let open: DeviceConnection<Client>.OpenLink?
    var turn: ConnectionTurn
    var stepHasEnded = false

    var now: Moment { turn.now }

    /// Ends the client's own step.
    mutating func endStep() { stepHasEnded = true }

    /// An operation on a link, which calls its completion once.
    typealias Operation = @Sendable (BLELink, @escaping BLECompletion<Void>) -> Void

    /// Performs an operation on the link, if there is one. A failure is reported to the client if
    /// the link is still the same.
    mutating func send(
        _ operation: @escaping Operation,
        failed: @escaping @Sendable (BLEError, inout Client, inout ClientContext) -> Void
    ) {
        perform(operation) { result in
            guard case .failure(let error) = result else { return nil }
            return { failed(error, &$0, &$1) }
        }
    }

    /// Performs an operation on the link, if there is one. Its end is reported to the client if the
    /// link is still the same.
    mutating func send(
        _ operation: @escaping Operation,
        ended:
            @escaping @Sendable (
                Result<Void, BLEError>, inout Client, inout ClientContext
            ) -> Void
    ) {
        perform(operation) { result in { ended(result, &$0, &$1) } }
    }

    /// - Parameter report: Returns what to tell the client of a result; `nil` for nothing.
    private mutating func perform(
        _ operation: @escaping Operation,
        _ report:
            @escaping @Sendable (
                Result<Void, BLEError>
            ) -> ((inout Client, inout ClientContext) -> Void)?
    ) {
        guard let open else { return }
        turn.call { [weak connection] in
            operation(open.link) { [weak connection] result in
                guard let connection, let report = report(result) else { return }
                connection.update(as: .backend) { state in
                    guard state.phase.openLink?.generation == open.generation else { return }
                    connection.tell(&state) { report(&$0, &$1) }
                }
            }
        }
    }
}

// MARK: - The phase

extension DeviceConnection.Phase {
    /// The open link.
    var openLink: DeviceConnection.OpenLink? {
        switch self {
        case .preparing(_, let open, _), .ready(let open), .renewing(let open, _, _): open
        case .idle, .opening, .waiting, .closed: nil
        }
    }

    /// The progress of preparing the link.
    var preparation: Preparation<Client>? {
        switch self {
        case .preparing(_, _, let preparation), .renewing(_, let preparation, _): preparation
        case .idle, .opening, .ready, .waiting, .closed: nil
        }
    }

    /// The numbers of the step under way.
    var stepNumbers: [UInt64?] { [preparation?.number, preparation?.grace] }

    /// Changes the open link, and the progress of preparing it.
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
    /// Begins the steps of a link.
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
                $0.timedOut(&$1)
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
        schedule(attempt.limit.number, at: moment, &state) { $0.timedOut(&$1) }
    }

    func nextStep(_ state: inout State) {
        state.phase.change { $1.rest = $1.rest.dropFirst() }
        runStep(&state)
    }

    /// Runs the first of the remaining steps; without any, the device is ready.
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
                    connection?.update(as: .backend) { state in
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

    /// Continues after a required step, or fails the link.
    private func ended<Value: Sendable>(
        _ number: UInt64, _ result: Result<Value, BLEError>,
        _ success: (Value, inout State) throws(DeviceError) -> Void
    ) {
        update(as: .backend) { state in
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
                    schedule(grace, at: state.turn.now + Self.changeIsReportedWithin, &state) {
                        $0.fail(DeviceError(error), &$1)
                    }
                case .failure(let error): throw DeviceError(error)
                }
            } catch {
                fail(error, &state)
            }
        }
    }

    /// Cancels the step under way.
    private func dropStep(_ state: inout State) {
        for number in state.phase.stepNumbers.compactMap({ $0 }) { state.turn.drop(number) }
    }

    /// Makes the device ready for requests.
    func becomeReady(_ state: inout State) {
        dropStep(&state)
        switch state.phase {
        case .preparing(let attempt, let open, _):
            state.turn.drop(attempt.limit.number)
            state.phase = .ready(open)
            announce(&state)
            state.endWaiters(.success(()))
            tell(&state) { $0.ready(&$1) }
        case .renewing(let open, _, let limit):
            state.turn.drop(limit)
            state.phase = .ready(open)
            tell(&state) { $0.resumed(&$1) }
        case .idle, .opening, .ready, .waiting, .closed: break
        }
    }
}

// MARK: - Deadlines and subscriptions of the client

extension DeviceConnection {
    /// Sets the timer of the client's deadline.
    ///
    /// A timer may fire early, so a later deadline needs no new timer.
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

    /// Handles the failure of a subscription. The end of the link and, within
    /// ``changeIsReportedWithin``, a change of services are reported by the link itself.
    private func refused(_ number: UInt64, _ error: BLEError) {
        guard error.kind != .disconnected, error.kind != .cancelled else { return }
        update(as: .backend) { state in
            guard error.isStale else { return giveUp(number, DeviceError(error), &state) }
            let grace = state.turn.newNumber()
            state.phase.change { open, _ in
                let index = open.subscriptions.firstIndex { $0.number == number }
                if let index { open.subscriptions[index].grace = grace }
            }
            schedule(grace, at: state.turn.now + Self.changeIsReportedWithin, &state) {
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

    /// Unsubscribes from a channel, and cancels the timer of its failed subscription.
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
