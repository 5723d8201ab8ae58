internal import HaloProtocol

/// The centre of one link: what is asked of the device goes out through it, and what the device
/// says comes in.
///
/// Rules:
/// - Nothing is called while the state is locked. What is to be called goes into one queue, which
///   a ``Drain`` empties; so everything happens in one order, also when what is called calls back.
/// - The driver's events and answers come from an owner, what is asked for from guests.
/// - While the queue is being emptied, virtual time does not jump: what waits in it would be late.
/// - The link's end decides: every operation that is not complete ends with it, once, and what a
///   driver says later is ignored. An end that comes after ``close()`` has the reason
///   ``DisconnectReason/Kind/local``, whatever the driver says.
/// - At most ``maximumOperations`` are waiting, here and in the driver together.
/// - One write without response is with the driver at a time; what is asked for behind it waits
///   its turn, so operations keep their order.
final class LinkHub: Sendable {
    /// What can be asked for and not be complete at one time.
    static let maximumOperations = 256
    /// How long a driver may take to say that it has closed the link.
    static let closingTimeout: Duration = .seconds(5)

    /// What an operation ends with.
    typealias Answer<Value> = @Sendable (Result<Value, BLEError>) -> Void

    /// The device at the other end.
    let identity: PeripheralIdentity
    /// The time at which things happen.
    let time: any TransportTime
    /// What the backend can do.
    let features: TransportFeatures
    let drain = Drain(LinkState())

    /// The centre of a link that is still to be opened.
    init(
        _ identity: PeripheralIdentity, on time: any TransportTime, features: TransportFeatures
    ) {
        self.identity = identity
        self.time = time
        self.features = features
    }

    deinit {
        // Nobody else holds it: whoever still waits is told here, and the clock is asked nothing.
        let driver = drain.read { $0.isClosing ? nil : $0.driver }
        driver?.disconnect()
        drain.change(
            as: .owner, perform: { if case .call(let call) = $0 { call() } },
            { $0.finish(DisconnectReason(.local), at: .origin) })
    }

    /// The link is there.
    func open(_ driver: any LinkDriver) {
        update(as: .owner) { state in
            if state.end == nil { state.driver = driver }
        }
    }

    /// Why the link has ended, if it has.
    var end: DisconnectReason? { drain.read { $0.end } }

    /// How many bytes one write can carry now.
    func maximumWriteLength(_ mode: WriteMode) -> Int {
        let driver = drain.read { $0.driver }
        return max(0, driver?.maximumWriteLength(mode) ?? 0)
    }

    /// Takes in what has happened.
    func receive(_ event: LinkEvent) {
        let now = time.now()
        update(as: .owner) { state in
            guard state.end == nil else { return }
            switch event {
            case .value, .maximumLengthChanged:
                state.enqueue(event, at: now)
            case .servicesChanged:
                state.forgetServices()
                state.enqueue(event, at: now)
            case .disconnected(let reason):
                // A link that the app is closing need not learn that it was lost before that.
                let ownReason = DisconnectReason(.local, details: reason.details)
                state.finish(state.isClosing ? ownReason : reason, at: now)
            }
        }
    }

    /// Closes the link; a driver that does not say in time that it has is not waited for.
    func close() {
        let mustClose = update { state in
            guard state.end == nil, !state.isClosing else { return false }
            state.isClosing = true
            return true
        }
        guard mustClose else { return }
        let timer = time.schedule(at: time.now() + Self.closingTimeout) { [weak self] in
            self?.receive(.disconnected(DisconnectReason(.local)))
        }
        update { state in
            if state.end == nil {
                state.closingTimer = timer
                state.outbox.append(.perform { $0.disconnect() })
            } else {
                state.outbox.append(.call { timer.cancel() })
            }
        }
    }

    /// Takes in values of a characteristic that came together. Where nobody is called for them,
    /// all are kept at once.
    func receive(_ values: [[UInt8]], of attribute: AttributeID) {
        guard values.count > 1 else {
            return values.forEach { receive(.value(attribute, $0)) }
        }
        time.acting {
            let now = time.now()
            let areTaken = drain.change(as: .owner, perform: Self.perform) { state in
                guard state.end == nil else { return true }
                guard state.sinks.isEmpty, state.streams.isEmpty else { return false }
                let subscribers = state.subscribers(to: attribute)
                state.outbox.append(.values(attribute, values[...], now, subscribers: subscribers))
                return true
            }
            if !areTaken { values.forEach { receive(.value(attribute, $0)) } }
        }
    }

    /// Changes the state, and then does what has to be done about it.
    @discardableResult
    func update<Result>(
        as role: DrainRole = .guest, _ change: (inout LinkState) -> Result
    ) -> Result {
        time.acting { drain.change(as: role, perform: Self.perform, change) }
    }

    private static func perform(_ step: LinkState.Step) {
        switch step {
        case .call(let call): call()
        case .perform(let perform, let driver): perform(driver)
        case .tell(let event, let moment, let audience): audience.tell(event, at: moment)
        case .keep(let values, let moment, let subscribers):
            let notifications = values.lazy.map { LinkNotification(value: $0, moment: moment) }
            for subscriber in subscribers { subscriber.buffer?.push(contentsOf: notifications) }
        }
    }

    // MARK: - Operations

    /// Asks the driver for something; the completion is called once. Gives the number by which
    /// it can be cancelled.
    @discardableResult
    func submit<Value: Sendable>(
        _ kind: BLEError.Operation, _ uuid: BluetoothUUID?, isUnanswered: Bool = false,
        isLimited: Bool = true,
        perform: @escaping @Sendable (any LinkDriver, @escaping Answer<Value>) -> Void,
        completion: @escaping Answer<Value>
    ) -> UInt64 {
        update { state in
            enqueue(
                kind, uuid, isUnanswered: isUnanswered, isLimited: isLimited, in: &state,
                perform: perform, completion: completion)
        }
    }

    /// The same, while the state is being changed already.
    @discardableResult
    func enqueue<Value: Sendable>(
        _ kind: BLEError.Operation, _ uuid: BluetoothUUID?, isUnanswered: Bool = false,
        isLimited: Bool = true, in state: inout LinkState,
        perform: @escaping @Sendable (any LinkDriver, @escaping Answer<Value>) -> Void,
        completion: @escaping Answer<Value>
    ) -> UInt64 {
        let number = state.newNumber()
        var refusal = state.endedError(kind, uuid)
        if refusal == nil, isLimited,
            state.waiting.count + state.withDriver.count >= Self.maximumOperations
        {
            refusal = BLEError(.overloaded, kind, uuid: uuid)
        }
        if let refusal {
            state.outbox.append(.call { completion(.failure(refusal)) })
            return number
        }
        let perform: @Sendable (any LinkDriver) -> Void = { [weak self] driver in
            perform(driver) { [weak self] result in
                let result = result.mapError { error in
                    var error = error
                    error.uuid = error.uuid ?? uuid
                    return error
                }
                self?.completed(number) { completion(result) }
            }
        }
        state.operations[number] = LinkState.Operation(
            number: number, kind: kind, uuid: uuid, isUnanswered: isUnanswered,
            perform: perform, fail: { completion(.failure($0)) })
        state.waiting.append(number)
        state.handOver()
        return number
    }

    /// The driver says that something is complete; it may say so when nobody waits any more, and
    /// more than once.
    private func completed(_ number: UInt64, _ call: @escaping @Sendable () -> Void) {
        _ = update(as: .owner) { state -> LinkState.Operation? in
            guard state.withDriver.remove(number) != nil else { return nil }
            let operation = state.operations.removeValue(forKey: number)
            if operation != nil { state.outbox.append(.call(call)) }
            if state.unanswered == number {
                state.unanswered = nil
                state.handOver()
            }
            return operation
        }
    }

    /// Nobody waits for something any more. What is with the driver already goes on there.
    func cancel(_ number: UInt64) {
        update { state in
            guard let operation = state.operations.removeValue(forKey: number) else { return }
            if !state.withDriver.contains(number) {
                _ = state.waiting.removeFirst { $0 == number }
                state.handOver()
            }
            let error = BLEError(.cancelled, operation.kind, uuid: operation.uuid)
            state.outbox.append(.call { operation.fail(error) })
        }
    }

    /// Tells a function of everything that happens, until cancelled; if the link has ended
    /// already, of that.
    func observe(_ sink: @escaping LinkState.Sink) -> Registration {
        let now = time.now()
        let number = update { state in
            let number = state.newNumber()
            if let end = state.end {
                state.outbox.append(.call { sink(.disconnected(end), now) })
            } else {
                state.sinks.append((number, sink))
            }
            return number
        }
        return Registration { [weak self] in
            _ = self?.update { state in
                state.sinks.firstIndex { $0.number == number }.map { state.sinks.remove(at: $0) }
            }
        }
    }

    /// Tells a buffer of everything that happens; gives the number by which that ends.
    func stream(into buffer: StreamBuffer<ReceivedEvent>) -> UInt64 {
        let now = time.now()
        return update { state in
            let number = state.newNumber()
            if let end = state.end {
                state.outbox.append(
                    .call {
                        buffer.push(ReceivedEvent(.disconnected(end), moment: now))
                        buffer.end()
                    })
            } else {
                state.streams.append((number, buffer))
            }
            return number
        }
    }

    /// Tells a buffer nothing more.
    func endStream(_ number: UInt64) {
        update { state in state.streams.removeAll { $0.number == number } }
    }
}

/// What a link's centre remembers; used under its lock, and so never calls anything.
///
/// Nor does it let go of what others gave it: the last hold on a function may be the last one on
/// something that asks the link for more when it ends. Such things leave with the queue.
struct LinkState: DrainState {
    typealias Sink = @Sendable (LinkEvent, Moment) -> Void

    /// What is to be called, in order.
    enum Action: Sendable {
        /// Something to tell; a value goes to those who had subscribed when it came.
        case event(LinkEvent, Moment, subscribers: [LinkSubscription.Subscriber])
        /// Values of a characteristic that came together.
        case values(
            AttributeID, ArraySlice<[UInt8]>, Moment, subscribers: [LinkSubscription.Subscriber])
        case call(@Sendable () -> Void)
        case perform(@Sendable (any LinkDriver) -> Void)
    }

    /// What is to be called next, with whom to call.
    enum Step: Sendable {
        case call(@Sendable () -> Void)
        case perform(@Sendable (any LinkDriver) -> Void, any LinkDriver)
        case tell(LinkEvent, Moment, LinkAudience)
        case keep(ArraySlice<[UInt8]>, Moment, [LinkSubscription.Subscriber])
    }

    /// Something that was asked for and is not complete.
    struct Operation: Sendable {
        let number: UInt64
        let kind: BLEError.Operation
        let uuid: BluetoothUUID?
        /// Whether it is a write without response, of which a driver gets one at a time.
        let isUnanswered: Bool
        let perform: @Sendable (any LinkDriver) -> Void
        let fail: @Sendable (BLEError) -> Void
    }

    var driver: (any LinkDriver)?
    var end: DisconnectReason?
    var isClosing = false
    var closingTimer: Registration?

    var outbox = FIFO<Action>()

    var lastNumber: UInt64 = 0
    var operations: [UInt64: Operation] = [:]
    var waiting = FIFO<UInt64>()
    var withDriver: Set<UInt64> = []
    var unanswered: UInt64?

    var sinks: [(number: UInt64, sink: Sink)] = []
    var streams: [(number: UInt64, buffer: StreamBuffer<ReceivedEvent>)] = []
    var subscriptions: [AttributeID: LinkSubscription] = [:]
    var discovery = LinkDiscovery()

    /// A number that nothing else on this link has.
    mutating func newNumber() -> UInt64 {
        lastNumber &+= 1
        return lastNumber
    }

    /// The error with which something ends that the link's end has overtaken.
    func endedError(_ kind: BLEError.Operation, _ uuid: BluetoothUUID?) -> BLEError? {
        guard let reason = end ?? (isClosing ? DisconnectReason(.local) : nil) else { return nil }
        return BLEError(.disconnected, kind, uuid: uuid, reason: reason)
    }

    /// Takes the next thing to call out of the queue; a guest may call everything.
    mutating func nextStep(for role: DrainRole) -> Step? {
        while let action = outbox.popFirst() {
            switch action {
            case .call(let call):
                return .call(call)
            case .perform(let perform):
                if let driver { return .perform(perform, driver) }
            case .event(let event, let moment, let subscribers):
                let audience = audience(subscribers)
                if case .disconnected = event {
                    sinks = []
                    streams = []
                }
                return .tell(event, moment, audience)
            case .values(let attribute, let values, let moment, let subscribers):
                guard let first = values.first else { continue }
                if sinks.isEmpty, streams.isEmpty { return .keep(values, moment, subscribers) }
                // Who has begun to listen meanwhile is told one at a time.
                outbox.prepend(
                    .values(attribute, values.dropFirst(), moment, subscribers: subscribers))
                return .tell(.value(attribute, first), moment, audience(subscribers))
            }
        }
        return nil
    }

    /// Who is told of an event now.
    private func audience(_ subscribers: [LinkSubscription.Subscriber]) -> LinkAudience {
        LinkAudience(subscribers: subscribers, sinks: sinks, streams: streams)
    }

    /// Puts an event behind everything else that is to be told.
    mutating func enqueue(_ event: LinkEvent, at moment: Moment) {
        outbox.append(.event(event, moment, subscribers: subscribers(to: event)))
    }

    /// Who has subscribed to a characteristic.
    func subscribers(to attribute: AttributeID) -> [LinkSubscription.Subscriber] {
        subscriptions[attribute]?.subscribers ?? []
    }

    private func subscribers(to event: LinkEvent) -> [LinkSubscription.Subscriber] {
        guard case .value(let attribute, _) = event else { return [] }
        return subscribers(to: attribute)
    }

    /// Hands waiting operations to the driver, as far as their order and its room allow.
    mutating func handOver() {
        while let number = waiting.first, let operation = operations[number] {
            if operation.isUnanswered {
                guard unanswered == nil else { return }
                unanswered = number
            }
            _ = waiting.popFirst()
            withDriver.insert(number)
            outbox.append(.perform(operation.perform))
        }
    }

    /// Ends everything with the link.
    mutating func finish(_ reason: DisconnectReason, at now: Moment) {
        end = reason
        waiting = FIFO()
        withDriver = []
        unanswered = nil
        for operation in operations.values.sorted(by: { $0.number < $1.number }) {
            let error = BLEError(
                .disconnected, operation.kind, uuid: operation.uuid, reason: reason)
            outbox.append(.call { operation.fail(error) })
        }
        operations = [:]
        endDiscovery(reason)
        endSubscriptions(
            reason.kind == .local ? nil : BLEError(.disconnected, .receive, reason: reason),
            pending: BLEError(.disconnected, .subscribe, reason: reason))
        enqueue(.disconnected(reason), at: now)
        if let closingTimer { outbox.append(.call { closingTimer.cancel() }) }
        closingTimer = nil
        if let driver { outbox.append(.call { withExtendedLifetime(driver) {} }) }
        driver = nil
    }
}

/// Who is told of an event.
struct LinkAudience: Sendable {
    let subscribers: [LinkSubscription.Subscriber]
    let sinks: [(number: UInt64, sink: LinkState.Sink)]
    let streams: [(number: UInt64, buffer: StreamBuffer<ReceivedEvent>)]

    /// Tells them: those who keep order first.
    func tell(_ event: LinkEvent, at moment: Moment) {
        for sink in sinks { sink.sink(event, moment) }
        for stream in streams { stream.buffer.push(ReceivedEvent(event, moment: moment)) }
        switch event {
        case .value(_, let value):
            for subscriber in subscribers {
                subscriber.buffer?.push(LinkNotification(value: value, moment: moment))
            }
        case .disconnected:
            for stream in streams { stream.buffer.end() }
        case .servicesChanged, .maximumLengthChanged:
            break
        }
    }
}

/// Whom a backend tells what happens on a link: values that came together are told together.
package struct LinkReceiver: Sendable {
    /// Something has happened.
    package let event: @Sendable (LinkEvent) -> Void
    /// A characteristic has had values, one after the other.
    package let values: @Sendable (AttributeID, [[UInt8]]) -> Void

    /// Whoever is told of one thing at a time.
    package init(_ event: @escaping @Sendable (LinkEvent) -> Void) {
        self.event = event
        values = { attribute, values in
            for value in values { event(.value(attribute, value)) }
        }
    }

    /// The centre of a link; who holds this does not hold that.
    init(_ hub: LinkHub) {
        event = { [weak hub] event in hub?.receive(event) }
        values = { [weak hub] attribute, values in hub?.receive(values, of: attribute) }
    }
}
