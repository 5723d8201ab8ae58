internal import HaloProtocol

extension LinkHub {
    typealias Answer<Value> = @Sendable (Result<Value, BLEError>) -> Void

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
        _ = update { state -> LinkState.Operation? in
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
