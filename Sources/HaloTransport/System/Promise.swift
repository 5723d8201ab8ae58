package import HaloProtocol

/// One answer that one task waits for.
///
/// The first answer decides; later ones are ignored. The task that waits is resumed once: by the
/// answer, or at once with ``BLEError/Kind/cancelled`` when it is cancelled. While it waits, the
/// transport's time knows of that.
package final class Promise<Value: Sendable>: Sendable {
    private struct State {
        var result: Result<Value, BLEError>?
        var continuation: UnsafeContinuation<Result<Value, BLEError>, Never>?
    }

    private let state = Locked(State())
    private let time: any TransportTime
    /// What the answer is to a task that is cancelled.
    private let cancelled: BLEError

    /// An answer that is not there yet.
    package init(
        for operation: BLEError.Operation, _ uuid: BluetoothUUID? = nil,
        on time: any TransportTime
    ) {
        self.time = time
        cancelled = BLEError(.cancelled, operation, uuid: uuid)
    }

    /// Gives the answer, for who wants a function to call.
    package var completion: BLECompletion<Value> { { self.resolve($0) } }

    /// Gives the answer; `true` if it was the first.
    @discardableResult
    package func resolve(_ result: Result<Value, BLEError>) -> Bool {
        let (isFirst, continuation) = state.withLock { state in
            guard state.result == nil else {
                return (false, UnsafeContinuation<Result<Value, BLEError>, Never>?.none)
            }
            state.result = result
            defer { state.continuation = nil }
            return (true, state.continuation)
        }
        if let continuation {
            time.waiting(.ends)
            continuation.resume(returning: result)
        }
        return isFirst
    }

    /// Waits for the answer. Only one task may, and only once.
    package nonisolated(nonsending) func value() async throws(BLEError) -> Value {
        try await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                if let ready = state.withLock({ $0.result }) {
                    return continuation.resume(returning: ready)
                }
                time.waiting(.actionBegins)
                time.waiting(.begins)
                let ready = state.withLock { state -> Result<Value, BLEError>? in
                    if state.result == nil {
                        state.continuation = continuation
                    }
                    return state.result
                }
                if ready != nil { time.waiting(.ends) }
                time.waiting(.actionEnds)
                if let ready { continuation.resume(returning: ready) }
            }
        } onCancel: {
            resolve(.failure(cancelled))
        }.get()
    }
}

extension TransportTime {
    /// Begins something that gives one answer, and waits for that; it is cancelled with the task.
    package nonisolated(nonsending) func answer<Value: Sendable>(
        to operation: BLEError.Operation, _ uuid: BluetoothUUID? = nil,
        begin: (Promise<Value>) -> Registration
    ) async throws(BLEError) -> Value {
        if Task.isCancelled { throw BLEError(.cancelled, operation, uuid: uuid) }
        let promise = Promise<Value>(for: operation, uuid, on: self)
        let asked = begin(promise)
        do throws(BLEError) {
            return try await promise.value()
        } catch {
            if error.kind == .cancelled { asked.cancel() }
            throw error
        }
    }
}
