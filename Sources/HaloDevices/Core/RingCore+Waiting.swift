internal import HaloProtocol
internal import HaloTransport

/// The only places where a task waits for one answer.
extension RingCore {
    /// Waits for something that is begun here, and takes it back when the task is cancelled.
    ///
    /// A cancelled task goes on at once; what it had asked for ends by itself.
    nonisolated(nonsending) func wait<Value: Sendable>(
        cancel: @escaping @Sendable (UInt64) -> Void,
        _ begin: (UInt64, @escaping @Sendable (Result<Value, DeviceError>) -> Void) -> Void
    ) async throws(DeviceError) -> Value {
        if Task.isCancelled { throw DeviceError(.cancelled) }
        let promise = Promise<Result<Value, DeviceError>>(for: .receive, on: time)
        let number = update { $0.newNumber() }
        begin(number) { promise.resolve(.success($0)) }
        let result: Result<Value, DeviceError>
        do throws(BLEError) {
            result = try await promise.value()
        } catch {
            cancel(number)
            throw DeviceError(error)
        }
        return try result.get()
    }

    /// Sends a request and waits for what comes of it.
    nonisolated(nonsending) func ask<Value: Sendable>(
        _ inquiry: Inquiry<Value>
    ) async throws(DeviceError) -> Answer<Value> {
        do throws(DeviceError) {
            return try await wait(cancel: { [self] in cancel($0) }) { number, finish in
                submit(inquiry, as: .app(number)) { finish($0.result) }
            }
        } catch {
            var error = error
            error.command = error.command ?? inquiry.command
            throw error
        }
    }

    /// Waits until the ring can be asked.
    nonisolated(nonsending) func waitUntilConnected() async throws(DeviceError) {
        try await wait(cancel: { [self] in cancel($0) }) { number, finish in
            update { state in
                switch state.phase {
                case .ready: state.outbox.append { finish(.success(())) }
                case .closed(let error): state.outbox.append { finish(.failure(error)) }
                case .idle, .linking, .preparing, .waiting:
                    state.connecting.append((number, finish))
                }
            }
        }
    }

    /// Makes the link for the first time, and waits until the ring can be asked.
    nonisolated(nonsending) func connect(
        within timeout: Duration
    ) async throws(DeviceError) {
        try await wait(cancel: { [self] _ in disconnect() }) { number, finish in
            update { state in
                state.connecting.append((number, finish))
                openLink(&state, timeout: timeout)
            }
        }
    }

    /// Closes the link for good, and waits until it is closed.
    nonisolated(nonsending) func disconnectAndWait() async {
        let link = link
        disconnect()
        await link?.disconnect()
    }
}

extension RingCore {
    /// Why the ring cannot be asked now; nothing if it can.
    var refusal: DeviceError? { update { $0.refusal } }

    /// Reads what the Device Information service has; a value that cannot be read is left out.
    nonisolated(nonsending) func readInformation() async throws(DeviceError) -> DeviceInformation {
        if let refusal { throw refusal }
        let (link, attributes) = update { ($0.link, $0.attributes?.information ?? []) }
        guard let link else { throw DeviceError(.disconnected) }
        var information = DeviceInformation()
        for attribute in attributes where attribute.properties.contains(.read) {
            let value: [UInt8]? = try await wait(cancel: { _ in }) { _, finish in
                link.submitRead(attribute) { result in
                    switch result {
                    case .success(let bytes): finish(.success(bytes))
                    case .failure(let error):
                        finish(
                            error.kind == .disconnected
                                ? .failure(DeviceError(error)) : .success(nil))
                    }
                }
            }
            if let value { information.take(value, of: attribute.uuid) }
        }
        return information
    }
}
