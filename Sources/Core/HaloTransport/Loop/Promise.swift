package import HaloProtocol

/// A result that one task waits for: the only way in which a task waits in a loop.
///
/// The first result counts; later ones are ignored. The waiting task is resumed once, after the
/// turn: with the result, or as soon as the task is cancelled. The time is told when the wait
/// begins and ends, and when the task runs again.
package final class Promise<Value: Sendable, Failure: Error>: @unchecked Sendable {
    package typealias Outcome = Result<Value, Failure>

    private let time: any TransportTime
    private let loop: TransportLoop
    private let kind: WaitKind
    private let cancelled: Outcome
    @exclusivity(unchecked) private var outcome: Outcome?
    /// `true` if the task was cancelled before the result.
    @exclusivity(unchecked) private var isCancelled = false
    @exclusivity(unchecked) private var continuation: UnsafeContinuation<Outcome, Never>?
    /// `true` if the wait was reported to the time.
    @exclusivity(unchecked) private var hasWaited = false
    /// The operation that ends when the task is cancelled.
    @exclusivity(unchecked) private var operation: BLECancellable?

    package init(
        _ kind: WaitKind = .waits, cancelled: Outcome, on time: any TransportTime
    ) {
        self.time = time
        loop = time.loop
        self.kind = kind
        self.cancelled = cancelled
    }

    /// Sets the result; returns `true` for the first one.
    @discardableResult
    package func resolve(_ outcome: Outcome) -> Bool {
        loop.run {
            guard self.outcome == nil else { return false }
            self.outcome = outcome
            release()
            if let continuation {
                self.continuation = nil
                if kind == .pauses { time.waiting(.actionBegins) }
                time.waiting(kind.changes.end)
                loop.afterwards { continuation.resume(returning: outcome) }
            }
            return true
        }
    }

    package var completion: @Sendable (Outcome) -> Void { { self.resolve($0) } }

    package var isResolved: Bool { loop.peek { outcome != nil } }

    /// Begins an operation, and waits for its result. One task may wait, once.
    ///
    /// - Parameter begin: Called in a turn, at whose end time may pass; not called for a cancelled
    ///   task. It returns what ends the operation when the task is cancelled before the result.
    package nonisolated(nonsending) func value(
        _ begin: () -> BLECancellable? = { nil }
    ) async throws(Failure) -> Value {
        let outcome = await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                loop.run { wait(continuation, begin) }
            }
        } onCancel: {
            loop.interrupt {
                let operation = operation
                guard resolve(cancelled) else { return }
                isCancelled = true
                operation?.cancel()
            }
        }
        if hasWaited { time.waiting(.resumes) }
        return try outcome.get()
    }

    /// Releases the operation, which may hold this promise.
    private func release() {
        guard let ended = operation else { return }
        operation = nil
        loop.later { _ = ended }
    }

    private func wait(
        _ continuation: UnsafeContinuation<Outcome, Never>, _ begin: () -> BLECancellable?
    ) {
        if outcome == nil {
            operation = begin()
            if outcome != nil {
                if isCancelled { operation?.cancel() }
                release()
            }
        }
        if let outcome {
            return loop.afterwards { continuation.resume(returning: outcome) }
        }
        self.continuation = continuation
        hasWaited = true
        time.waiting(kind.changes.beginning)
        if kind == .pauses { time.waiting(.actionEnds) }
    }
}

extension Promise where Failure == BLEError {
    package convenience init(
        for operation: BLEError.Operation, _ uuid: BluetoothUUID? = nil,
        on time: any TransportTime
    ) {
        self.init(
            cancelled: .failure(BLEError(.cancelled, operation, uuid: uuid)), on: time)
    }
}

extension TransportTime {
    /// Begins an operation with one reply, and waits for the reply. Cancelling the task cancels the
    /// operation.
    package nonisolated(nonsending) func reply<Value: Sendable>(
        to operation: BLEError.Operation, _ uuid: BluetoothUUID? = nil,
        begin: (Promise<Value, BLEError>) -> BLECancellable
    ) async throws(BLEError) -> Value {
        let promise = Promise<Value, BLEError>(for: operation, uuid, on: self)
        return try await promise.value { begin(promise) }
    }

    /// Runs an action of several turns, during which virtual time passes only in its waits.
    package nonisolated(nonsending) func holding<Value, Failure: Error>(
        _ action: nonisolated(nonsending) () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        loop.run { waiting(.actionBegins) }
        defer { loop.run { waiting(.actionEnds) } }
        return try await action()
    }
}
