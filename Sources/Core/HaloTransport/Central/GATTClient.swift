internal import HaloProtocol

/// The GATT client of a ``BLELink``: operations go to the driver, events come from it. All of its
/// functions are called in turns of the loop.
///
/// Rules:
/// - A function of a caller or of the driver is called last, or left to be done. Their order is the
///   same for all, also when a call calls back.
/// - When the link ends, each operation that is under way ends once, and later reports of the
///   driver are ignored. An end after ``close()`` has the reason ``DisconnectReason/Kind/local``,
///   even if the driver reports another one.
/// - At most ``BLELink/maximumOperations`` are queued and in flight together.
/// - One write without response is in flight at a time; later operations wait behind it, so the
///   order is kept.
final class GATTClient: @unchecked Sendable {
    typealias Observer = @Sendable (LinkEvent, Moment) -> Void

    struct Operation {
        let kind: BLEError.Operation
        let uuid: BluetoothUUID?
        /// `true` for a write without response: the driver performs one of them at a time.
        let isWithoutResponse: Bool
        let perform: (any LinkDriver) -> Void
        let fail: (BLEError) -> Void
    }

    struct Discovery {
        /// The discovered services; `nil` before a discovery, and while they are stale.
        var services: [GATTService]?
        var isUnderWay = false
        /// `true` if the services have changed since the discovery has begun.
        var isOutdated = false
        /// The number of successive rediscoveries because of changed services.
        var repetitions = 0
        var waiters: [(number: UInt64, completion: BLECompletion<[GATTService]>)] = []

        /// The maximum number of successive rediscoveries; after these the last result is used as
        /// it is.
        static let maximumRepetitions = 3
    }

    struct Subscription {
        struct Subscriber {
            let number: UInt64
            /// The buffer for values; `nil` for a subscriber that observes the link.
            let buffer: BoundedBuffer<LinkNotification, BLEError>?
            /// The completion; `nil` after the device has confirmed or refused the subscription.
            var completion: BLECompletion<Void>?
        }

        /// The number of the request to the device: replies to earlier requests are ignored.
        let generation: UInt64
        let uuid: BluetoothUUID
        /// `true` once the device has confirmed it.
        var isOn = false
        var subscribers: [Subscriber] = []
    }

    let time: any TransportTime
    let loop: TransportLoop
    private(set) var driver: (any LinkDriver)?
    private(set) var end: DisconnectReason?
    private var isClosing = false
    private(set) var closingTimer: BLECancellable?
    private var lastNumber: UInt64 = 0
    private(set) var operations: [UInt64: Operation] = [:]
    private(set) var queued = Queue<UInt64>()
    /// The operations that the driver performs, cancelled ones included.
    private(set) var inFlight: Set<UInt64> = []
    private(set) var writeWithoutResponse: UInt64?
    /// The observers of all events, in the order of registration.
    private(set) var observers: [(number: UInt64, observer: Observer)] = []
    private(set) var subscriptions: [AttributeID: Subscription] = [:]
    private(set) var discovery = Discovery()

    init(on time: any TransportTime) {
        self.time = time
        loop = time.loop
    }

    private func newNumber() -> UInt64 {
        lastNumber &+= 1
        return lastNumber
    }

    /// Returns the error of an operation on a link that has ended or is closing; `nil` on an open
    /// link.
    func endedError(_ kind: BLEError.Operation, _ uuid: BluetoothUUID?) -> BLEError? {
        guard let reason = end ?? (isClosing ? DisconnectReason(.local) : nil) else { return nil }
        return BLEError(.disconnected, kind, uuid: uuid, disconnectReason: reason)
    }

    /// Leaves the failure of a request to be done; returns that there is nothing to cancel.
    @discardableResult
    func refuse<Value>(
        _ error: BLEError, _ completion: @escaping BLECompletion<Value>
    ) -> BLECancellable {
        loop.later { completion(.failure(error)) }
        return BLECancellable {}
    }

    // MARK: The link

    func open(_ driver: any LinkDriver) {
        if end == nil { self.driver = driver }
    }

    /// Adds an observer of all events; returns the number by which it is removed. After the link's
    /// end, it is called once with the end.
    func observe(_ observer: @escaping Observer) -> UInt64 {
        let number = newNumber()
        if let end {
            let now = time.now()
            loop.later { observer(.disconnected(end), now) }
        } else {
            observers.append((number, observer))
        }
        return number
    }

    func removeObserver(_ number: UInt64) {
        guard let index = observers.firstIndex(where: { $0.number == number }) else { return }
        let removed = observers.remove(at: index)
        loop.later { _ = removed }
    }

    func receive(_ event: LinkEvent) {
        guard end == nil else { return }
        let now = time.now()
        switch event {
        case .value(let attribute, let value):
            let subscribers = subscriptions[attribute]?.subscribers ?? []
            for receiver in observers { receiver.observer(event, now) }
            for subscriber in subscribers {
                subscriber.buffer?.push(LinkNotification(value: value, moment: now))
            }
        case .maximumLengthChanged: deliver(event, at: now)
        case .servicesChanged:
            // Subscriptions belong to the old services, too.
            discovery.services = nil
            discovery.isOutdated = true
            end(
                removeSubscriptions(), BLEError(.noSuchAttribute, .receive),
                pending: BLEError(.noSuchAttribute, .subscribe))
            deliver(event, at: now)
        case .disconnected(let reason):
            // The app has closed the link: an earlier loss is not reported.
            let ownReason = DisconnectReason(.local, details: reason.details)
            finish(isClosing ? ownReason : reason, at: now)
        }
    }

    /// Delivers an event to all observers. A value that is reported after it comes after it.
    private func deliver(_ event: LinkEvent, at now: Moment) {
        let receivers = observers
        if case .disconnected = event { observers = [] }
        for receiver in receivers { receiver.observer(event, now) }
    }

    /// Closes the link. Observers learn of the end, at the latest after
    /// ``BLELink/closingTimeout``.
    func close() {
        guard end == nil, !isClosing else { return }
        isClosing = true
        closingTimer = time.schedule(at: time.now() + BLELink.closingTimeout) {
            [weak self, loop] in
            loop.report { self?.receive(.disconnected(DisconnectReason(.local))) }
        }
        loop.later { [self] in driver?.disconnect() }
    }

    func release() {
        if !isClosing { driver?.disconnect() }
        if end == nil { finish(DisconnectReason(.local), at: time.now()) }
    }

    private func finish(_ reason: DisconnectReason, at now: Moment) {
        end = reason
        queued = Queue()
        inFlight = []
        writeWithoutResponse = nil
        for (_, operation) in operations.sortedByKey {
            let error = BLEError(
                .disconnected, operation.kind, uuid: operation.uuid, disconnectReason: reason)
            loop.later { operation.fail(error) }
        }
        operations = [:]
        endDiscovery(.failure(BLEError(.disconnected, .discover, disconnectReason: reason)))
        discovery.services = nil
        let error =
            reason.kind == .local
            ? nil : BLEError(.disconnected, .receive, disconnectReason: reason)
        let pending = BLEError(.disconnected, .subscribe, disconnectReason: reason)
        loop.later { [self, ended = removeSubscriptions()] in
            end(ended, error, pending: pending)
            deliver(.disconnected(reason), at: now)
        }
        closingTimer?.cancel()
        closingTimer = nil
        if let driver { loop.later { withExtendedLifetime(driver) {} } }
        driver = nil
    }

    // MARK: Operations

    /// The completion is called once.
    func submit<Value: Sendable>(
        _ kind: BLEError.Operation, _ uuid: BluetoothUUID?, isWithoutResponse: Bool = false,
        isLimited: Bool = true,
        perform: @escaping (any LinkDriver, @escaping BLECompletion<Value>) -> Void,
        completion: @escaping BLECompletion<Value>
    ) -> BLECancellable {
        let number = newNumber()
        var refusal = endedError(kind, uuid)
        if refusal == nil, isLimited, queued.count + inFlight.count >= BLELink.maximumOperations {
            refusal = BLEError(.overloaded, kind, uuid: uuid)
        }
        if let refusal { return refuse(refusal, completion) }
        let perform: (any LinkDriver) -> Void = { [weak self, loop] driver in
            perform(driver) { [weak self] result in
                loop.report { self?.completed(number, result.naming(uuid), completion) }
            }
        }
        operations[number] = Operation(
            kind: kind, uuid: uuid, isWithoutResponse: isWithoutResponse, perform: perform,
            fail: { completion(.failure($0)) })
        queued.append(number)
        startOperations()
        return BLECancellable { [weak self, loop] in loop.run { self?.cancel(number) } }
    }

    /// Hands queued operations to the driver, as far as their order and the driver's room allow.
    private func startOperations() {
        while let number = queued.first, let operation = operations[number] {
            if operation.isWithoutResponse {
                guard writeWithoutResponse == nil else { return }
                writeWithoutResponse = number
            }
            _ = queued.popFirst()
            inFlight.insert(number)
            loop.later { [self] in if let driver { operation.perform(driver) } }
        }
    }

    /// Receives a completion of the driver. It may come after the operation was cancelled, and more
    /// than once.
    private func completed<Value>(
        _ number: UInt64, _ result: Result<Value, BLEError>, _ completion: BLECompletion<Value>
    ) {
        guard inFlight.remove(number) != nil else { return }
        let isWanted = operations.removeValue(forKey: number) != nil
        if writeWithoutResponse == number {
            writeWithoutResponse = nil
            startOperations()
        }
        if isWanted { completion(result) }
    }

    /// Cancels an operation. If it is in flight, the driver continues it.
    private func cancel(_ number: UInt64) {
        guard let operation = operations.removeValue(forKey: number) else { return }
        if !inFlight.contains(number) {
            _ = queued.removeFirst { $0 == number }
            startOperations()
        }
        let error = BLEError(.cancelled, operation.kind, uuid: operation.uuid)
        loop.later { operation.fail(error) }
    }
}

extension Result where Failure == BLEError {
    /// The result whose error names a characteristic, unless it names one already.
    fileprivate func naming(_ uuid: BluetoothUUID?) -> Result {
        mapError { error in
            var error = error
            error.uuid = error.uuid ?? uuid
            return error
        }
    }
}

// MARK: - Discovery

extension GATTClient {
    /// Returns the services to a caller: the discovered ones, or the result of a discovery. Callers
    /// during a discovery wait for its result.
    func services(_ completion: @escaping BLECompletion<[GATTService]>) -> BLECancellable {
        if let error = endedError(.discover, nil) { return refuse(error, completion) }
        if let services = discovery.services {
            loop.later { completion(.success(services)) }
            return BLECancellable {}
        }
        guard discovery.waiters.count < BLELink.maximumOperations else {
            return refuse(BLEError(.overloaded, .discover), completion)
        }
        let number = newNumber()
        discovery.waiters.append((number, completion))
        if !discovery.isUnderWay { discover() }
        return BLECancellable { [weak self, loop] in loop.run { self?.cancelServices(number) } }
    }

    /// Cancels a wait for the services; the discovery continues.
    private func cancelServices(_ number: UInt64) {
        let index = discovery.waiters.firstIndex { $0.number == number }
        guard let waiter = index.map({ discovery.waiters.remove(at: $0) }) else { return }
        refuse(BLEError(.cancelled, .discover), waiter.completion)
    }

    private func discover() {
        discovery.isUnderWay = true
        discovery.isOutdated = false
        _ = submit(
            .discover, nil, perform: { $0.discoverServices($1) },
            completion: { [weak self] in self?.discovered($0) })
    }

    private func discovered(_ result: Result<[GATTService], BLEError>) {
        guard end == nil else { return }
        let isCurrent = !discovery.isOutdated
        var mayRepeat = discovery.repetitions < Discovery.maximumRepetitions
        switch result {
        case .success(let services): if isCurrent { discovery.services = services }
        // The change of the services may be the cause of the failure.
        case .failure(let error): mayRepeat = mayRepeat && error.isStale
        }
        guard !isCurrent, mayRepeat, !discovery.waiters.isEmpty else { return endDiscovery(result) }
        discovery.repetitions += 1
        discover()
    }

    private func endDiscovery(_ result: Result<[GATTService], BLEError>) {
        for waiter in discovery.waiters { loop.later { waiter.completion(result) } }
        discovery.waiters = []
        discovery.isUnderWay = false
        discovery.repetitions = 0
    }

    // MARK: Subscriptions

    /// Adds a subscriber; notifications are switched on for the first one. The subscriber is added
    /// before the request to the device, so it misses no value.
    func subscribe(
        to characteristic: GATTCharacteristic, _ buffer: BoundedBuffer<LinkNotification, BLEError>?,
        _ completion: @escaping BLECompletion<Void>
    ) -> BLECancellable {
        if let error = endedError(.subscribe, characteristic.uuid) {
            return refuse(error, completion)
        }
        let number = newNumber()
        let known = subscriptions[characteristic.id]
        var subscription =
            known ?? Subscription(generation: number, uuid: characteristic.uuid)
        if subscription.isOn { loop.later { completion(.success(())) } }
        subscription.subscribers.append(
            Subscription.Subscriber(
                number: number, buffer: buffer, completion: subscription.isOn ? nil : completion))
        subscriptions[characteristic.id] = subscription
        if known == nil {
            _ = submit(
                .subscribe, characteristic.uuid,
                perform: { $0.setNotify(true, for: characteristic.id, $1) },
                completion: { [weak self] (result: Result<Void, BLEError>) in
                    self?.subscribed(to: characteristic.id, number, result)
                })
        }
        return BLECancellable { [weak self, loop] in
            loop.run { self?.unsubscribe(number, from: characteristic) }
        }
    }

    /// Removes a subscriber; notifications are switched off after the last one.
    private func unsubscribe(_ number: UInt64, from characteristic: GATTCharacteristic) {
        guard var subscription = subscriptions[characteristic.id],
            let index = subscription.subscribers.firstIndex(where: { $0.number == number })
        else { return }
        let subscriber = subscription.subscribers.remove(at: index)
        if let completion = subscriber.completion {
            refuse(BLEError(.cancelled, .subscribe, uuid: characteristic.uuid), completion)
        }
        guard subscription.subscribers.isEmpty else {
            return subscriptions[characteristic.id] = subscription
        }
        subscriptions[characteristic.id] = nil
        _ = submit(
            .unsubscribe, characteristic.uuid, isLimited: false,
            perform: { $0.setNotify(false, for: characteristic.id, $1) },
            completion: { (_: Result<Void, BLEError>) in })
    }

    private func subscribed(
        to attribute: AttributeID, _ generation: UInt64, _ result: Result<Void, BLEError>
    ) {
        guard var subscription = subscriptions[attribute], subscription.generation == generation
        else { return }
        let subscribers = subscription.subscribers
        switch result {
        case .success:
            subscription.isOn = true
            for index in subscribers.indices { subscription.subscribers[index].completion = nil }
            subscriptions[attribute] = subscription
        case .failure: subscriptions[attribute] = nil
        }
        for subscriber in subscribers {
            loop.later {
                if case .failure(let error) = result { subscriber.buffer?.end(error) }
                subscriber.completion?(result)
            }
        }
    }

    /// Removes all subscriptions; returns them in the order in which they began.
    private func removeSubscriptions() -> [Subscription] {
        defer { subscriptions = [:] }
        return subscriptions.values.sorted { $0.generation < $1.generation }
    }

    /// Ends removed subscriptions. Sequences end with `error`, or without one. Subscribers that
    /// wait for the device's confirmation end with `pending`.
    private func end(_ ended: [Subscription], _ error: BLEError?, pending: BLEError) {
        for subscription in ended {
            var (error, pending) = (error, pending)
            pending.uuid = subscription.uuid
            error?.uuid = subscription.uuid
            for subscriber in subscription.subscribers {
                subscriber.buffer?.end(error)
                subscriber.completion?(.failure(pending))
            }
        }
    }
}
