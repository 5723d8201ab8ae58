#if os(Linux)
internal import Synchronization

/// One answer that one task waits for; whoever gives it first decides.
final class DBusAnswer<Value: Sendable>: Sendable {
    private struct State {
        var result: Result<Value, DBusError>?
        var continuation: UnsafeContinuation<Result<Value, DBusError>, Never>?
    }

    private let state = Mutex(State())

    func resolve(_ result: Result<Value, DBusError>) {
        let continuation = state.withLock { state in
            guard state.result == nil else {
                return UnsafeContinuation<Result<Value, DBusError>, Never>?.none
            }
            state.result = result
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume(returning: result)
    }

    /// Waits for the answer; if the task is cancelled, not any longer.
    nonisolated(nonsending) func value(
        onCancel cancel: @escaping @Sendable () -> Void = {}
    ) async throws(DBusError) -> Value {
        try await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                let ready = state.withLock { state -> Result<Value, DBusError>? in
                    if state.result == nil { state.continuation = continuation }
                    return state.result
                }
                if let ready { continuation.resume(returning: ready) }
            }
        } onCancel: {
            resolve(.failure(DBusError(.cancelled)))
            cancel()
        }.get()
    }
}
#endif
