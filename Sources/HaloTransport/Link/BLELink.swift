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
    let hub: LinkHub

    init(_ hub: LinkHub) {
        self.hub = hub
    }

    /// The device at the other end.
    public var identity: PeripheralIdentity { hub.identity }

    /// The time that passes where the device is.
    public var time: any TransportTime { hub.time }

    /// Why the link has ended; nothing while it is open.
    public var disconnectReason: DisconnectReason? { hub.end }

    /// The most bytes that one write can carry.
    ///
    /// With a response that is 512, the longest value of an attribute: what is longer than a packet
    /// is written in pieces, which not every device takes. Without a response, it is what fits into
    /// one packet: that may grow soon after connecting. Nothing can be written after the end.
    public func maximumWriteLength(_ mode: WriteMode) -> Int { hub.maximumWriteLength(mode) }

    /// What the device consists of: found out once, and again after the device has said that it
    /// changed.
    public var services: [GATTService] {
        get async throws(BLEError) {
            let hub = hub
            return try await answer(
                .discover, nil, begin: { hub.services($0) }, cancel: { hub.cancelServices($0) })
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
        guard characteristic.properties.contains(.read) else {
            throw BLEError(.notPermitted, .read, uuid: characteristic.uuid)
        }
        return try await read(characteristic.id, characteristic.uuid)
    }

    /// Reads the whole value of a descriptor.
    public func read(_ descriptor: GATTDescriptor) async throws(BLEError) -> [UInt8] {
        try await read(descriptor.id, descriptor.uuid)
    }

    /// Writes a value. With a response, it returns when the device has said yes; without, when
    /// there is room for the next one. Writes are carried out in the order in which they were
    /// asked for.
    public func write(
        _ value: [UInt8], to characteristic: GATTCharacteristic, _ mode: WriteMode = .withResponse
    ) async throws(BLEError) {
        try check(value, for: characteristic, mode)
        try await write(value, to: characteristic.id, characteristic.uuid, mode)
    }

    /// Writes the value of a descriptor.
    public func write(
        _ value: [UInt8], to descriptor: GATTDescriptor
    ) async throws(BLEError) {
        try checkLength(of: value, descriptor.uuid, .withResponse)
        try await write(value, to: descriptor.id, descriptor.uuid, .withResponse)
    }

    /// How strong the device's signal is, in dBm, where ``TransportFeatures/connectedRSSI``
    /// says that the backend can tell.
    public func readRSSI() async throws(BLEError) -> Int {
        guard hub.features.contains(.connectedRSSI) else {
            throw BLEError(.notSupportedHere, .readRSSI)
        }
        let hub = hub
        return try await answer(
            .readRSSI, nil,
            begin: {
                hub.submit(.readRSSI, nil, perform: { $0.readRSSI($1) }, completion: $0)
            }, cancel: { hub.cancel($0) })
    }

    /// Pairs with the device, so that both know each other when they meet again, where
    /// ``TransportFeatures/pairing`` says that the backend can; elsewhere, the system pairs when an
    /// attribute demands it.
    public func pair() async throws(BLEError) {
        guard hub.features.contains(.pairing) else {
            throw BLEError(.notSupportedHere, .pair)
        }
        let hub = hub
        try await answer(
            .pair, nil,
            begin: { hub.submit(.pair, nil, perform: { $0.pair($1) }, completion: $0) },
            cancel: { hub.cancel($0) })
    }

    /// Has the device send the values of a characteristic, and gives them as they come.
    ///
    /// It returns when the device has said yes; no value from then on is missed, nor one that
    /// comes before. Whoever asks for the same characteristic shares one subscription on the
    /// device.
    ///
    /// - Parameter buffer: How many values wait at most for who takes them; see
    ///   ``Notifications`` for what happens then.
    public func notifications(
        of characteristic: GATTCharacteristic, buffer capacity: Int = 64
    ) async throws(BLEError) -> Notifications {
        guard characteristic.properties.canSubscribe else {
            throw BLEError(.notPermitted, .subscribe, uuid: characteristic.uuid)
        }
        let hub = hub
        let buffer = StreamBuffer<LinkNotification>(
            capacity: capacity, for: .receive, on: hub.time)
        let number = Locked<UInt64>(0)
        try await answer(
            .subscribe, characteristic.uuid,
            begin: {
                let new = hub.subscribe(to: characteristic, buffer, completion: $0)
                number.withLock { $0 = new }
                return new
            }, cancel: { hub.unsubscribe($0, from: characteristic) })
        let subscribed = number.withLock { $0 }
        return Notifications(
            buffer: buffer,
            token: ReleaseToken { hub.unsubscribe(subscribed, from: characteristic) })
    }

    /// Everything that happens on the link from now on, over all characteristics, in order.
    public func events(buffer capacity: Int = 256) -> LinkEvents {
        let hub = hub
        let buffer = StreamBuffer<ReceivedEvent>(capacity: capacity, for: .receive, on: hub.time)
        let number = hub.stream(into: buffer)
        return LinkEvents(buffer: buffer, token: ReleaseToken { hub.endStream(number) })
    }

    /// Closes the link, and returns when it is closed; at once if it is already, or if the task
    /// is cancelled. What is not complete by then ends with the reason
    /// ``DisconnectReason/Kind/local``.
    public func disconnect() async {
        let closed = Promise<Void>(for: .disconnect, on: hub.time)
        let observation = hub.observe { event, _ in
            if case .disconnected = event { closed.resolve(.success(())) }
        }
        hub.close()
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
        hub.observe(sink)
    }

    /// Tells the services.
    @discardableResult
    package func submitServices(
        _ completion: @escaping @Sendable (Result<[GATTService], BLEError>) -> Void
    ) -> Registration {
        let number = hub.services(completion)
        return Registration { [weak hub] in hub?.cancelServices(number) }
    }

    /// Reads a characteristic.
    @discardableResult
    package func submitRead(
        _ characteristic: GATTCharacteristic,
        _ completion: @escaping @Sendable (Result<[UInt8], BLEError>) -> Void
    ) -> Registration {
        guard characteristic.properties.contains(.read) else {
            return refused(BLEError(.notPermitted, .read, uuid: characteristic.uuid), completion)
        }
        return cancellable(submitRead(characteristic.id, characteristic.uuid, completion))
    }

    /// Writes a characteristic.
    @discardableResult
    package func submitWrite(
        _ value: [UInt8], to characteristic: GATTCharacteristic, _ mode: WriteMode,
        _ completion: @escaping @Sendable (Result<Void, BLEError>) -> Void
    ) -> Registration {
        do throws(BLEError) {
            try check(value, for: characteristic, mode)
        } catch {
            return refused(error, completion)
        }
        return cancellable(
            submitWrite(value, to: characteristic.id, characteristic.uuid, mode, completion))
    }

    /// Has the device send the values of a characteristic to ``observe(_:)`` until cancelled,
    /// together with whoever else wants them.
    package func submitSubscription(
        to characteristic: GATTCharacteristic,
        _ completion: @escaping @Sendable (Result<Void, BLEError>) -> Void
    ) -> Registration {
        guard characteristic.properties.canSubscribe else {
            return refused(
                BLEError(.notPermitted, .subscribe, uuid: characteristic.uuid), completion)
        }
        let number = hub.subscribe(to: characteristic, nil, completion: completion)
        return Registration { [weak hub] in hub?.unsubscribe(number, from: characteristic) }
    }

    /// Closes the link; ``observe(_:)`` tells when it is closed.
    package func close() {
        hub.close()
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

    private func cancellable(_ number: UInt64) -> Registration {
        Registration { [weak hub] in hub?.cancel(number) }
    }

    private func refused<Value: Sendable>(
        _ error: BLEError, _ completion: @escaping @Sendable (Result<Value, BLEError>) -> Void
    ) -> Registration {
        hub.update { $0.outbox.append(.call { completion(.failure(error)) }) }
        return Registration {}
    }
}

extension BLELink {
    /// Waits for the answer to something that is begun here, and has it cancelled with the task.
    nonisolated(nonsending) func answer<Value: Sendable>(
        _ operation: BLEError.Operation, _ uuid: BluetoothUUID?,
        begin: (@escaping @Sendable (Result<Value, BLEError>) -> Void) -> UInt64,
        cancel: (UInt64) -> Void
    ) async throws(BLEError) -> Value {
        if Task.isCancelled { throw BLEError(.cancelled, operation, uuid: uuid) }
        let promise = Promise<Value>(for: operation, on: hub.time)
        let number = begin { promise.resolve($0) }
        do throws(BLEError) {
            return try await promise.value()
        } catch {
            guard error.kind == .cancelled else { throw error }
            cancel(number)
            throw BLEError(.cancelled, operation, uuid: uuid)
        }
    }

    func check(
        _ value: [UInt8], for characteristic: GATTCharacteristic, _ mode: WriteMode
    ) throws(BLEError) {
        let needed: GATTProperties =
            switch mode {
            case .withResponse: .write
            case .withoutResponse: .writeWithoutResponse
            }
        guard characteristic.properties.contains(needed) else {
            throw BLEError(.notPermitted, .write, uuid: characteristic.uuid)
        }
        try checkLength(of: value, characteristic.uuid, mode)
    }

    func checkLength(
        of value: [UInt8], _ uuid: BluetoothUUID, _ mode: WriteMode
    ) throws(BLEError) {
        if let error = hub.drain.read({ $0.endedError(.write, uuid) }) { throw error }
        guard value.count <= hub.maximumWriteLength(mode) else {
            throw BLEError(.tooLong, .write, uuid: uuid)
        }
    }

    func read(_ id: AttributeID, _ uuid: BluetoothUUID) async throws(BLEError) -> [UInt8] {
        let hub = hub
        return try await answer(
            .read, uuid, begin: { submitRead(id, uuid, $0) }, cancel: { hub.cancel($0) })
    }

    func write(
        _ value: [UInt8], to id: AttributeID, _ uuid: BluetoothUUID, _ mode: WriteMode
    ) async throws(BLEError) {
        let hub = hub
        try await answer(
            .write, uuid, begin: { submitWrite(value, to: id, uuid, mode, $0) },
            cancel: { hub.cancel($0) })
    }

    private func submitRead(
        _ id: AttributeID, _ uuid: BluetoothUUID,
        _ completion: @escaping @Sendable (Result<[UInt8], BLEError>) -> Void
    ) -> UInt64 {
        hub.submit(.read, uuid, perform: { $0.read(id, $1) }, completion: completion)
    }

    private func submitWrite(
        _ value: [UInt8], to id: AttributeID, _ uuid: BluetoothUUID, _ mode: WriteMode,
        _ completion: @escaping @Sendable (Result<Void, BLEError>) -> Void
    ) -> UInt64 {
        hub.submit(
            .write, uuid, isUnanswered: mode == .withoutResponse,
            perform: { $0.write(value, to: id, mode, $1) }, completion: completion)
    }
}
