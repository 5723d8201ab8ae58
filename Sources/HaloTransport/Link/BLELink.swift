public import HaloProtocol

/// A link to a device, as an app uses it.
///
/// A transport's `connect` gives it. Everything throws a ``BLEError``; when the link has ended,
/// all that was asked for ends with ``BLEError/Kind/disconnected`` and the reason, and so does
/// all that is asked for later. A task that is cancelled while it waits goes on at once with
/// ``BLEError/Kind/cancelled``; what the device was asked for may happen all the same.
///
/// The link is closed by ``disconnect()``, and when neither it nor a sequence of it is held any
/// more.
public final class BLELink: Sendable {
    /// The most operations that may be incomplete at one time, waiting and in the driver together.
    static let maximumOperations = 256
    /// The longest that a driver may take to say that it has closed the link.
    static let closingTimeout: Duration = .seconds(5)

    /// The device at the other end.
    public let identity: PeripheralIdentity
    /// The time that passes where the device is.
    public let time: any TransportTime
    private let features: TransportFeatures
    /// Its rules stand at ``LinkState``.
    let drain = Drain(LinkState())

    /// A link that is still to be opened.
    init(
        _ identity: PeripheralIdentity, on time: any TransportTime, features: TransportFeatures
    ) {
        self.identity = identity
        self.time = time
        self.features = features
    }

    deinit {
        // Tasks that still wait are told here: nothing else holds it. The clock is asked nothing.
        let driver = drain.read { $0.isClosing ? nil : $0.driver }
        driver?.disconnect()
        drain.change(
            as: .owner, perform: { if case .call(let call) = $0 { call() } },
            { $0.finish(DisconnectReason(.local), at: .origin) })
    }

    /// Why the link has ended; `nil` while it is open.
    public var disconnectReason: DisconnectReason? { drain.read { $0.end } }

    /// The most bytes that one write can carry.
    ///
    /// With a response that is 512, the longest value of an attribute: what is longer than a packet
    /// is written in pieces, which not every device takes. Without a response, it is what fits into
    /// one packet: that may grow soon after connecting. Nothing can be written after the end.
    public func maximumWriteLength(_ mode: WriteMode) -> Int {
        let driver = drain.read { $0.driver }
        return max(0, driver?.maximumWriteLength(mode) ?? 0)
    }

    /// What the device consists of: found out once, and again after the device has said that it
    /// changed.
    public var services: [GATTService] {
        get async throws(BLEError) {
            try await time.answer(to: .discover) { submitServices($0.completion) }
        }
    }

    /// A characteristic of a service, by their numbers; the first one if there are several.
    public func characteristic(
        _ uuid: BluetoothUUID, of service: BluetoothUUID
    ) async throws(BLEError) -> GATTCharacteristic {
        try Self.characteristic(uuid, of: service, in: await services)
    }

    /// Reads the whole value of a characteristic, however long.
    public func read(_ characteristic: GATTCharacteristic) async throws(BLEError) -> [UInt8] {
        try await time.answer(to: .read, characteristic.uuid) {
            submitRead(characteristic, $0.completion)
        }
    }

    /// Reads the whole value of a descriptor.
    public func read(_ descriptor: GATTDescriptor) async throws(BLEError) -> [UInt8] {
        try await time.answer(to: .read, descriptor.uuid) {
            submitRead(descriptor.id, descriptor.uuid, $0.completion)
        }
    }

    /// Writes a value. With a response, it returns when the device has said yes; without, when
    /// there is room for the next one. Writes are carried out in the order in which they were
    /// asked for.
    public func write(
        _ value: [UInt8], to characteristic: GATTCharacteristic, _ mode: WriteMode = .withResponse
    ) async throws(BLEError) {
        try await time.answer(to: .write, characteristic.uuid) {
            submitWrite(value, to: characteristic, mode, $0.completion)
        }
    }

    /// Writes the value of a descriptor.
    public func write(
        _ value: [UInt8], to descriptor: GATTDescriptor
    ) async throws(BLEError) {
        try await time.answer(to: .write, descriptor.uuid) {
            submitWrite(value, to: descriptor.id, descriptor.uuid, .withResponse, $0.completion)
        }
    }

    /// The strength of the device's signal in dBm, where ``TransportFeatures/connectedRSSI``
    /// says that the backend can tell.
    public func readRSSI() async throws(BLEError) -> Int {
        guard features.contains(.connectedRSSI) else {
            throw BLEError(.notSupportedHere, .readRSSI)
        }
        return try await time.answer(to: .readRSSI) {
            submit(.readRSSI, nil, perform: { $0.readRSSI($1) }, completion: $0.completion)
        }
    }

    /// Pairs with the device, so that both know each other when they meet again, where
    /// ``TransportFeatures/pairing`` says that the backend can; elsewhere, the system pairs when an
    /// attribute demands it.
    public func pair() async throws(BLEError) {
        guard features.contains(.pairing) else { throw BLEError(.notSupportedHere, .pair) }
        try await time.answer(to: .pair) {
            submit(.pair, nil, perform: { $0.pair($1) }, completion: $0.completion)
        }
    }

    /// Has the device send the values of a characteristic, and gives them as they come.
    ///
    /// It returns when the device has said yes; no value from then on is missed, nor one that
    /// comes before. All who ask for the same characteristic share one subscription on the device.
    ///
    /// - Parameter buffer: The most values that wait to be taken; see ``Notifications`` for what
    ///   happens then.
    public func notifications(
        of characteristic: GATTCharacteristic, buffer capacity: Int = 64
    ) async throws(BLEError) -> Notifications {
        guard characteristic.properties.canSubscribe else {
            throw BLEError(.notPermitted, .subscribe, uuid: characteristic.uuid)
        }
        let buffer = StreamBuffer<LinkNotification>(capacity: capacity, for: .receive, on: time)
        var subscription = Registration {}
        try await time.answer(to: .subscribe, characteristic.uuid) {
            subscription = subscribe(to: characteristic, buffer, $0.completion)
            return subscription
        }
        return Notifications(buffer, markLost: { $0.lostBefore = $1 }) { [self, subscription] in
            withExtendedLifetime(self) { subscription.cancel() }
        }
    }

    /// Everything that happens on the link from now on, over all characteristics, in order.
    public func events(buffer capacity: Int = 256) -> LinkEvents {
        let buffer = StreamBuffer<ReceivedEvent>(capacity: capacity, for: .receive, on: time)
        let observation = observe { event, moment in
            buffer.push(ReceivedEvent(event, moment: moment))
            if case .disconnected = event { buffer.end() }
        }
        return LinkEvents(buffer, markLost: { $0.lostBefore = $1 }) { [self] in
            withExtendedLifetime(self) { observation.cancel() }
        }
    }

    /// Closes the link, and returns when it is closed; at once if it is already, or if the task
    /// is cancelled. What is not complete by then ends with the reason
    /// ``DisconnectReason/Kind/local``.
    public func disconnect() async {
        let closed = Promise<Void>(for: .disconnect, on: time)
        let observation = observe { event, _ in
            if case .disconnected = event { closed.resolve(.success(())) }
        }
        close()
        try? await closed.value()
        observation.cancel()
    }
}

/// The link for those who wait for nothing: what is asked for is answered by a call.
///
/// Calls come one at a time, in the order of what happened, and never from within a lock. They
/// say nothing to the transport's time: whoever makes a task wait does that.
extension BLELink {
    /// Tells of everything that happens on the link, in order, until cancelled; of its end, if
    /// that has been.
    package func observe(
        _ sink: @escaping @Sendable (LinkEvent, Moment) -> Void
    ) -> Registration {
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

    /// Reads a characteristic.
    @discardableResult
    package func submitRead(
        _ characteristic: GATTCharacteristic, _ completion: @escaping BLECompletion<[UInt8]>
    ) -> Registration {
        guard characteristic.properties.contains(.read) else {
            return refuse(BLEError(.notPermitted, .read, uuid: characteristic.uuid), completion)
        }
        return submitRead(characteristic.id, characteristic.uuid, completion)
    }

    private func submitRead(
        _ id: AttributeID, _ uuid: BluetoothUUID, _ completion: @escaping BLECompletion<[UInt8]>
    ) -> Registration {
        submit(.read, uuid, perform: { $0.read(id, $1) }, completion: completion)
    }

    /// Writes a characteristic.
    @discardableResult
    package func submitWrite(
        _ value: [UInt8], to characteristic: GATTCharacteristic, _ mode: WriteMode,
        _ completion: @escaping BLECompletion<Void>
    ) -> Registration {
        guard characteristic.properties.contains(mode.property) else {
            return refuse(BLEError(.notPermitted, .write, uuid: characteristic.uuid), completion)
        }
        return submitWrite(value, to: characteristic.id, characteristic.uuid, mode, completion)
    }

    private func submitWrite(
        _ value: [UInt8], to id: AttributeID, _ uuid: BluetoothUUID, _ mode: WriteMode,
        _ completion: @escaping BLECompletion<Void>
    ) -> Registration {
        // On a link that has ended everything is too long; there, the end is the reason.
        let isOpen = drain.read { $0.endedError(.write, uuid) == nil }
        if isOpen, value.count > maximumWriteLength(mode) {
            return refuse(BLEError(.tooLong, .write, uuid: uuid), completion)
        }
        return submit(
            .write, uuid, isUnanswered: mode == .withoutResponse,
            perform: { $0.write(value, to: id, mode, $1) }, completion: completion)
    }

    /// Has the device send the values of a characteristic to ``observe(_:)`` until cancelled,
    /// together with whoever else wants them.
    package func submitSubscription(
        to characteristic: GATTCharacteristic, _ completion: @escaping BLECompletion<Void>
    ) -> Registration {
        guard characteristic.properties.canSubscribe else {
            return refuse(
                BLEError(.notPermitted, .subscribe, uuid: characteristic.uuid), completion)
        }
        return subscribe(to: characteristic, nil, completion)
    }

    /// Closes the link; ``observe(_:)`` tells when it is closed. A driver that does not say in time
    /// that it has is not waited for.
    package func close() {
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

    /// The characteristic of a service among those that were found.
    package static func characteristic(
        _ uuid: BluetoothUUID, of service: BluetoothUUID, in services: [GATTService]
    ) throws(BLEError) -> GATTCharacteristic {
        let found = services.filter { $0.uuid == service }
        guard !found.isEmpty else {
            throw BLEError(.noSuchAttribute, .discover, uuid: service)
        }
        for service in found {
            if let characteristic = service.characteristic(uuid) { return characteristic }
        }
        throw BLEError(.noSuchAttribute, .discover, uuid: uuid)
    }
}

// MARK: - What the driver is asked, and what it says

extension BLELink {
    /// The backend has made the link.
    func open(_ driver: any LinkDriver) {
        update(as: .owner) { state in
            if state.end == nil { state.driver = driver }
        }
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
                guard state.sinks.isEmpty else { return false }
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
        case .tell(let event, let moment, let subscribers, let sinks):
            for sink in sinks { sink.sink(event, moment) }
            guard case .value(_, let value) = event else { return }
            for subscriber in subscribers {
                subscriber.buffer?.push(LinkNotification(value: value, moment: moment))
            }
        case .keep(let values, let moment, let subscribers):
            let notifications = values.lazy.map { LinkNotification(value: $0, moment: moment) }
            for subscriber in subscribers { subscriber.buffer?.push(contentsOf: notifications) }
        }
    }

    /// Asks the driver for something; the completion is called once.
    @discardableResult
    func submit<Value: Sendable>(
        _ kind: BLEError.Operation, _ uuid: BluetoothUUID?, isUnanswered: Bool = false,
        perform: @escaping @Sendable (any LinkDriver, @escaping BLECompletion<Value>) -> Void,
        completion: @escaping BLECompletion<Value>
    ) -> Registration {
        let number = update { state in
            enqueue(
                kind, uuid, isUnanswered: isUnanswered, in: &state, perform: perform,
                completion: completion)
        }
        return Registration { [weak self] in self?.cancel(number) }
    }

    /// Answers what is not even asked.
    func refuse<Value: Sendable>(
        _ error: BLEError, _ completion: @escaping BLECompletion<Value>
    ) -> Registration {
        update { $0.outbox.append(.call { completion(.failure(error)) }) }
        return Registration {}
    }

    /// Asks the driver for something while the state is being changed; gives the number by which
    /// it can be cancelled.
    @discardableResult
    func enqueue<Value: Sendable>(
        _ kind: BLEError.Operation, _ uuid: BluetoothUUID?, isUnanswered: Bool = false,
        isLimited: Bool = true, in state: inout LinkState,
        perform: @escaping @Sendable (any LinkDriver, @escaping BLECompletion<Value>) -> Void,
        completion: @escaping BLECompletion<Value>
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

    /// The driver says that something is complete; it may say so after the operation was
    /// cancelled, and more than once.
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

    /// Cancels an operation. What is with the driver already goes on there.
    private func cancel(_ number: UInt64) {
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
}
