package import HaloProtocol

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
