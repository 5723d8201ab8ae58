#if canImport(CoreBluetooth)
/// A reply of the system that a task waits for: the first value that is sent, or a substitute if
/// the task is cancelled before.
final class Reply<Value: Sendable>: Sendable {
    private struct State: Sendable {
        var value: Value?
        var continuation: CheckedContinuation<Value, Never>?
    }

    private let state = Guarded(State())

    /// Ends the wait, unless it has ended.
    func send(_ value: Value) {
        let continuation = state.withLock { state -> CheckedContinuation<Value, Never>? in
            guard state.value == nil else { return nil }
            state.value = value
            return state.continuation
        }
        continuation?.resume(returning: value)
    }

    /// Waits for the value. Call it once.
    func value(ifCancelled substitute: Value) async -> Value {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let value = state.withLock { state -> Value? in
                    if state.value == nil { state.continuation = continuation }
                    return state.value
                }
                if let value { continuation.resume(returning: value) }
            }
        } onCancel: {
            send(substitute)
        }
    }
}
#endif
