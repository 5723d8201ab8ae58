internal import HaloProtocol

/// The state machine of a ``BLELink``: operations go to the driver, events come from it.
///
/// Rules:
/// - No function of a caller or the driver runs under the lock. Calls go into one queue of actions,
///   which a ``Drain`` performs: their order is the same for all, also when a call calls back.
/// - The state releases no closure of a caller: releasing the last reference may run a `deinit`
///   that uses the link. Closures are released by the queue.
/// - The driver's events and completions come in the role of the backend, calls in that of the app.
/// - While the queue is performed, virtual time does not pass: the actions would be late.
/// - When the link ends, each operation that is under way ends once, and later reports of the
///   driver are ignored. An end after ``BLELink/close()`` has the reason
///   ``DisconnectReason/Kind/local``, even if the driver reports another one.
/// - At most ``BLELink/maximumOperations`` are queued and in flight together.
/// - One write without response is in flight at a time; later operations wait behind it, so the
///   order is kept.
struct LinkState: DrainState {
    typealias Observer = @Sendable (LinkEvent, Moment) -> Void

    /// A queued call.
    enum Action: Sendable {
        /// An event. A value has the subscribers at the moment of its arrival.
        case event(LinkEvent, Moment, subscribers: [LinkSubscription.Subscriber])
        /// Successive values of a characteristic that have arrived together.
        case values(
            AttributeID, ArraySlice<[UInt8]>, Moment, subscribers: [LinkSubscription.Subscriber])
        case call(@Sendable () -> Void)
        case perform(@Sendable (any LinkDriver) -> Void)
    }

    /// A call to perform now, with its receivers.
    enum Step: Sendable {
        case call(@Sendable () -> Void)
        case perform(@Sendable (any LinkDriver) -> Void, any LinkDriver)
        case deliver(
            LinkEvent, Moment, [LinkSubscription.Subscriber],
            [(number: UInt64, observer: Observer)])
        case buffer(ArraySlice<[UInt8]>, Moment, [LinkSubscription.Subscriber])
    }

    /// An operation that is not complete.
    struct Operation: Sendable {
        let number: UInt64
        let kind: BLEError.Operation
        let uuid: BluetoothUUID?
        /// `true` for a write without response: the driver performs one of them at a time.
        let isWithoutResponse: Bool
        let perform: @Sendable (any LinkDriver) -> Void
        let fail: @Sendable (BLEError) -> Void
    }

    var driver: (any LinkDriver)?
    var end: DisconnectReason?
    var isClosing = false
    var closingTimer: Cancellable?

    var actions = Queue<Action>()

    var lastNumber: UInt64 = 0
    var operations: [UInt64: Operation] = [:]
    /// The operations that wait for the driver.
    var queued = Queue<UInt64>()
    /// The operations that the driver performs, cancelled ones included.
    var inFlight: Set<UInt64> = []
    var writeWithoutResponse: UInt64?

    /// The observers of all events, in the order of registration.
    var observers: [(number: UInt64, observer: Observer)] = []
    var subscriptions: [AttributeID: LinkSubscription] = [:]
    var discovery = LinkDiscovery()

    /// Returns a number that is unique on this link.
    mutating func newNumber() -> UInt64 {
        lastNumber &+= 1
        return lastNumber
    }

    /// Returns the error of an operation on a link that has ended or is closing; `nil` on an open
    /// link.
    func endedError(_ kind: BLEError.Operation, _ uuid: BluetoothUUID?) -> BLEError? {
        guard let reason = end ?? (isClosing ? DisconnectReason(.local) : nil) else { return nil }
        return BLEError(.disconnected, kind, uuid: uuid, reason: reason)
    }

    /// Removes the next action from the queue. A thread of either role may perform it.
    mutating func nextStep(for role: DrainRole) -> Step? {
        while let action = actions.popFirst() {
            switch action {
            case .call(let call):
                return .call(call)
            case .perform(let perform):
                if let driver { return .perform(perform, driver) }
            case .event(let event, let moment, let subscribers):
                let receivers = observers
                if case .disconnected = event { observers = [] }
                return .deliver(event, moment, subscribers, receivers)
            case .values(let attribute, let values, let moment, let subscribers):
                guard let first = values.first else { continue }
                if observers.isEmpty { return .buffer(values, moment, subscribers) }
                // Observers get one value at a time: the others stay queued.
                actions.prepend(
                    .values(attribute, values.dropFirst(), moment, subscribers: subscribers))
                return .deliver(.value(attribute, first), moment, subscribers, observers)
            }
        }
        return nil
    }

    /// Queues an event behind all other actions.
    mutating func enqueue(_ event: LinkEvent, at moment: Moment) {
        var subscribers: [LinkSubscription.Subscriber] = []
        if case .value(let attribute, _) = event { subscribers = self.subscribers(to: attribute) }
        actions.append(.event(event, moment, subscribers: subscribers))
    }

    /// Returns the subscribers to a characteristic.
    func subscribers(to attribute: AttributeID) -> [LinkSubscription.Subscriber] {
        subscriptions[attribute]?.subscribers ?? []
    }

    /// Hands queued operations to the driver, as far as their order and the driver's room allow.
    mutating func startOperations() {
        while let number = queued.first, let operation = operations[number] {
            if operation.isWithoutResponse {
                guard writeWithoutResponse == nil else { return }
                writeWithoutResponse = number
            }
            _ = queued.popFirst()
            inFlight.insert(number)
            actions.append(.perform(operation.perform))
        }
    }

    /// Ends the link, and all operations that are under way.
    mutating func finish(_ reason: DisconnectReason, at now: Moment) {
        end = reason
        queued = Queue()
        inFlight = []
        writeWithoutResponse = nil
        for operation in operations.values.sorted(by: { $0.number < $1.number }) {
            let error = BLEError(
                .disconnected, operation.kind, uuid: operation.uuid, reason: reason)
            actions.append(.call { operation.fail(error) })
        }
        operations = [:]
        endDiscovery(.failure(BLEError(.disconnected, .discover, reason: reason)))
        discovery.services = nil
        endSubscriptions(
            reason.kind == .local ? nil : BLEError(.disconnected, .receive, reason: reason),
            pending: BLEError(.disconnected, .subscribe, reason: reason))
        enqueue(.disconnected(reason), at: now)
        if let closingTimer { actions.append(.call { closingTimer.cancel() }) }
        closingTimer = nil
        if let driver { actions.append(.call { withExtendedLifetime(driver) {} }) }
        driver = nil
    }

    /// Ends all subscriptions. Sequences end with `error`, or without one. Subscribers that wait
    /// for the device's confirmation end with `pending`.
    fileprivate mutating func endSubscriptions(_ error: BLEError?, pending: BLEError) {
        let all = subscriptions.values.sorted { $0.generation < $1.generation }
        subscriptions = [:]
        for subscription in all {
            var pending = pending
            pending.uuid = subscription.uuid
            var error = error
            error?.uuid = subscription.uuid
            for subscriber in subscription.subscribers {
                actions.append(
                    .call { [pending, error] in
                        subscriber.buffer?.end(error)
                        subscriber.completion?(.failure(pending))
                    })
            }
        }
    }

    /// Ends the discovery that is under way with a result.
    fileprivate mutating func endDiscovery(_ result: Result<[GATTService], BLEError>) {
        for waiter in discovery.waiters {
            actions.append(.call { waiter.completion(result) })
        }
        discovery.waiters = []
        discovery.isUnderWay = false
        discovery.repetitions = 0
    }
}

/// The discovered services of a link, and the callers that wait for a discovery.
struct LinkDiscovery: Sendable {
    /// The discovered services; `nil` before a discovery, and while they are stale.
    var services: [GATTService]?
    /// The number of times that the device has changed its services.
    var generation: UInt64 = 0
    var isUnderWay = false
    /// The number of successive rediscoveries because of changed services.
    var repetitions = 0
    var waiters: [(number: UInt64, completion: BLECompletion<[GATTService]>)] = []

    /// The maximum number of successive rediscoveries; after these the last result is used as it
    /// is.
    static let maximumRepetitions = 3
}

/// One subscription on a device, and the subscribers that share it.
struct LinkSubscription: Sendable {
    /// One of the subscribers.
    struct Subscriber: Sendable {
        let number: UInt64
        /// The buffer for values; `nil` for a subscriber that observes the link.
        let buffer: BoundedBuffer<LinkNotification>?
        /// The completion; `nil` after the device has confirmed or refused the subscription.
        var completion: BLECompletion<Void>?
    }

    /// The number of the request to the device: replies to earlier requests are ignored.
    let generation: UInt64
    let uuid: BluetoothUUID
    /// `true` once the device has confirmed the subscription.
    var isOn = false
    var subscribers: [Subscriber] = []
}

// MARK: - The driver's side

extension BLELink {
    /// Begins to use the driver of an open link.
    func open(_ driver: any LinkDriver) {
        update(as: .backend) { state in
            if state.end == nil { state.driver = driver }
        }
    }

    /// Receives an event of the driver.
    func receive(_ event: LinkEvent) {
        let now = time.now()
        update(as: .backend) { state in
            guard state.end == nil else { return }
            switch event {
            case .value, .maximumLengthChanged:
                state.enqueue(event, at: now)
            case .servicesChanged:
                // Subscriptions belong to the old services, too.
                state.discovery.services = nil
                state.discovery.generation &+= 1
                state.endSubscriptions(
                    BLEError(.noSuchAttribute, .receive),
                    pending: BLEError(.noSuchAttribute, .subscribe))
                state.enqueue(event, at: now)
            case .disconnected(let reason):
                // The app has closed the link: an earlier loss is not reported.
                let ownReason = DisconnectReason(.local, details: reason.details)
                state.finish(state.isClosing ? ownReason : reason, at: now)
            }
        }
    }

    /// Receives values of a characteristic that have arrived together. They are buffered at once if
    /// the link has no observers.
    func receive(_ values: [[UInt8]], of attribute: AttributeID) {
        guard values.count > 1 else {
            return values.forEach { receive(.value(attribute, $0)) }
        }
        time.holdingTime {
            let now = time.now()
            let areQueued = drain.change(as: .backend, perform: Self.perform) { state in
                guard state.end == nil else { return true }
                guard state.observers.isEmpty else { return false }
                let subscribers = state.subscribers(to: attribute)
                state.actions.append(.values(attribute, values[...], now, subscribers: subscribers))
                return true
            }
            if !areQueued { values.forEach { receive(.value(attribute, $0)) } }
        }
    }

    /// Changes the state, and performs the actions that follow.
    @discardableResult
    func update<Result>(
        as role: DrainRole = .app, _ change: (inout LinkState) -> Result
    ) -> Result {
        time.holdingTime { drain.change(as: role, perform: Self.perform, change) }
    }

    private static func perform(_ step: LinkState.Step) {
        switch step {
        case .call(let call): call()
        case .perform(let perform, let driver): perform(driver)
        case .deliver(let event, let moment, let subscribers, let observers):
            for receiver in observers { receiver.observer(event, moment) }
            guard case .value(_, let value) = event else { return }
            for subscriber in subscribers {
                subscriber.buffer?.push(LinkNotification(value: value, moment: moment))
            }
        case .buffer(let values, let moment, let subscribers):
            let notifications = values.lazy.map { LinkNotification(value: $0, moment: moment) }
            for subscriber in subscribers { subscriber.buffer?.push(contentsOf: notifications) }
        }
    }
}

// MARK: - Operations

extension BLELink {
    /// Submits an operation; the completion is called once.
    @discardableResult
    func submit<Value: Sendable>(
        _ kind: BLEError.Operation, _ uuid: BluetoothUUID?, isWithoutResponse: Bool = false,
        perform: @escaping @Sendable (any LinkDriver, @escaping BLECompletion<Value>) -> Void,
        completion: @escaping BLECompletion<Value>
    ) -> Cancellable {
        let number = update { state in
            enqueue(
                kind, uuid, isWithoutResponse: isWithoutResponse, in: &state, perform: perform,
                completion: completion)
        }
        return Cancellable { [weak self] in self?.cancel(number) }
    }

    /// Fails an operation before it reaches the driver.
    func refuse<Value: Sendable>(
        _ error: BLEError, _ completion: @escaping BLECompletion<Value>
    ) -> Cancellable {
        update { $0.actions.append(.call { completion(.failure(error)) }) }
        return Cancellable {}
    }

    /// Queues an operation; returns the number by which it can be cancelled.
    @discardableResult
    private func enqueue<Value: Sendable>(
        _ kind: BLEError.Operation, _ uuid: BluetoothUUID?, isWithoutResponse: Bool = false,
        isLimited: Bool = true, in state: inout LinkState,
        perform: @escaping @Sendable (any LinkDriver, @escaping BLECompletion<Value>) -> Void,
        completion: @escaping BLECompletion<Value>
    ) -> UInt64 {
        let number = state.newNumber()
        var refusal = state.endedError(kind, uuid)
        if refusal == nil, isLimited,
            state.queued.count + state.inFlight.count >= Self.maximumOperations
        {
            refusal = BLEError(.overloaded, kind, uuid: uuid)
        }
        if let refusal {
            state.actions.append(.call { completion(.failure(refusal)) })
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
            number: number, kind: kind, uuid: uuid, isWithoutResponse: isWithoutResponse,
            perform: perform, fail: { completion(.failure($0)) })
        state.queued.append(number)
        state.startOperations()
        return number
    }

    /// Receives a completion of the driver. It may come after the operation was cancelled, and more
    /// than once.
    private func completed(_ number: UInt64, _ call: @escaping @Sendable () -> Void) {
        _ = update(as: .backend) { state -> LinkState.Operation? in
            guard state.inFlight.remove(number) != nil else { return nil }
            let operation = state.operations.removeValue(forKey: number)
            if operation != nil { state.actions.append(.call(call)) }
            if state.writeWithoutResponse == number {
                state.writeWithoutResponse = nil
                state.startOperations()
            }
            return operation
        }
    }

    /// Cancels an operation. If it is in flight, the driver continues it.
    private func cancel(_ number: UInt64) {
        update { state in
            guard let operation = state.operations.removeValue(forKey: number) else { return }
            if !state.inFlight.contains(number) {
                _ = state.queued.removeFirst { $0 == number }
                state.startOperations()
            }
            let error = BLEError(.cancelled, operation.kind, uuid: operation.uuid)
            state.actions.append(.call { operation.fail(error) })
        }
    }
}

// MARK: - Discovery

extension BLELink {
    /// Returns the services to a caller: the discovered ones, or the result of a discovery. Callers
    /// during a discovery wait for its result.
    @discardableResult
    package func submitServices(
        _ completion: @escaping BLECompletion<[GATTService]>
    ) -> Cancellable {
        let number = update { state in
            let number = state.newNumber()
            let answer: Result<[GATTService], BLEError>? =
                if let error = state.endedError(.discover, nil) {
                    .failure(error)
                } else if let services = state.discovery.services {
                    .success(services)
                } else if state.discovery.waiters.count >= Self.maximumOperations {
                    .failure(BLEError(.overloaded, .discover))
                } else {
                    nil
                }
            if let answer {
                state.actions.append(.call { completion(answer) })
            } else {
                state.discovery.waiters.append((number, completion))
                if !state.discovery.isUnderWay { discover(in: &state) }
            }
            return number
        }
        return Cancellable { [weak self] in self?.cancelServices(number) }
    }

    /// Cancels a wait for the services; the discovery continues.
    private func cancelServices(_ number: UInt64) {
        update { state in
            let index = state.discovery.waiters.firstIndex { $0.number == number }
            guard let waiter = index.map({ state.discovery.waiters.remove(at: $0) }) else { return }
            state.actions.append(
                .call { waiter.completion(.failure(BLEError(.cancelled, .discover))) })
        }
    }

    private func discover(in state: inout LinkState) {
        state.discovery.isUnderWay = true
        let generation = state.discovery.generation
        enqueue(
            .discover, nil, in: &state,
            perform: { $0.discoverServices($1) },
            completion: { [weak self] result in self?.discovered(result, generation) })
    }

    private func discovered(_ result: Result<[GATTService], BLEError>, _ generation: UInt64) {
        update { state in
            guard state.end == nil else { return }
            let isCurrent = state.discovery.generation == generation
            var mayRepeat = state.discovery.repetitions < LinkDiscovery.maximumRepetitions
            switch result {
            case .success(let services): if isCurrent { state.discovery.services = services }
            // The change of the services may be the cause of the failure.
            case .failure(let error): mayRepeat = mayRepeat && error.isStale
            }
            guard !isCurrent, mayRepeat, !state.discovery.waiters.isEmpty else {
                return state.endDiscovery(result)
            }
            state.discovery.repetitions += 1
            discover(in: &state)
        }
    }
}

// MARK: - Subscriptions

extension BLELink {
    /// Adds a subscriber; notifications are switched on for the first one. The subscriber is added
    /// before the request to the device, so it misses no value.
    func subscribe(
        to characteristic: GATTCharacteristic, _ buffer: BoundedBuffer<LinkNotification>?,
        _ completion: @escaping BLECompletion<Void>
    ) -> Cancellable {
        let number = update { state in
            let number = state.newNumber()
            if let error = state.endedError(.subscribe, characteristic.uuid) {
                state.actions.append(.call { completion(.failure(error)) })
                return number
            }
            let isFirst = state.subscriptions[characteristic.id] == nil
            var subscription =
                state.subscriptions[characteristic.id]
                ?? LinkSubscription(generation: number, uuid: characteristic.uuid)
            if subscription.isOn { state.actions.append(.call { completion(.success(())) }) }
            subscription.subscribers.append(
                LinkSubscription.Subscriber(
                    number: number, buffer: buffer,
                    completion: subscription.isOn ? nil : completion))
            state.subscriptions[characteristic.id] = subscription
            if isFirst {
                enqueue(
                    .subscribe, characteristic.uuid, in: &state,
                    perform: { $0.setNotify(true, for: characteristic.id, $1) },
                    completion: { [weak self] (result: Result<Void, BLEError>) in
                        self?.subscribed(to: characteristic.id, number, result)
                    })
            }
            return number
        }
        return Cancellable { [weak self] in self?.unsubscribe(number, from: characteristic) }
    }

    /// Removes a subscriber; notifications are switched off after the last one.
    private func unsubscribe(_ number: UInt64, from characteristic: GATTCharacteristic) {
        update { state in
            guard var subscription = state.subscriptions[characteristic.id],
                let index = subscription.subscribers.firstIndex(where: { $0.number == number })
            else { return }
            let subscriber = subscription.subscribers.remove(at: index)
            if let completion = subscriber.completion {
                let error = BLEError(.cancelled, .subscribe, uuid: characteristic.uuid)
                state.actions.append(.call { completion(.failure(error)) })
            }
            guard subscription.subscribers.isEmpty else {
                state.subscriptions[characteristic.id] = subscription
                return
            }
            state.subscriptions[characteristic.id] = nil
            enqueue(
                .unsubscribe, characteristic.uuid, isLimited: false, in: &state,
                perform: { $0.setNotify(false, for: characteristic.id, $1) },
                completion: { (_: Result<Void, BLEError>) in })
        }
    }

    private func subscribed(
        to attribute: AttributeID, _ generation: UInt64, _ result: Result<Void, BLEError>
    ) {
        update { state in
            guard var subscription = state.subscriptions[attribute],
                subscription.generation == generation
            else { return }
            for index in subscription.subscribers.indices {
                let subscriber = subscription.subscribers[index]
                subscription.subscribers[index].completion = nil
                state.actions.append(
                    .call {
                        if case .failure(let error) = result { subscriber.buffer?.end(error) }
                        subscriber.completion?(result)
                    })
            }
            switch result {
            case .success:
                subscription.isOn = true
                state.subscriptions[attribute] = subscription
            case .failure:
                state.subscriptions[attribute] = nil
            }
        }
    }
}
