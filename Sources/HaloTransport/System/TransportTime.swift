public import HaloProtocol

/// The time of a backend's devices: the system's, or virtual.
public protocol TransportTime: Sendable {
    /// The clock of this time, for `sleep`.
    var clock: any Clock<Duration> { get }

    /// Reads the current moment on the transport's timeline.
    func now() -> Moment

    /// Reads the local date and time with the offset from UTC.
    func wallClock() -> WallClock

    /// Calls a function at a moment, unless cancelled before.
    func schedule(at moment: Moment, _ action: @escaping @Sendable () -> Void) -> Cancellable

    /// Receives the beginnings and ends of waits, so that virtual time can pass while tasks wait.
    ///
    /// Real time ignores them. Calls come outside of all locks. The beginning of a wait is reported
    /// within an action, before another thread can end the wait. So it comes before the end, and no
    /// time passes before the wait can end.
    func waiting(_ change: WaitChange)
}

/// A change in the waits of tasks.
public enum WaitChange: Hashable, Sendable {
    /// A task begins to wait for an event: a reply, the end of a sleep, the end of a link.
    case begins
    /// A wait for an event has ended; reported before the task is resumed.
    case ends
    /// A task begins to wait for an element of a sequence, which may never come.
    case listeningBegins
    /// A wait for an element has ended: the element has come, or the task was cancelled.
    case listeningEnds
    /// An action of several steps begins: virtual time does not pass before its end.
    case actionBegins
    /// The action is over.
    case actionEnds
}

extension TransportTime {
    /// Runs a function of several steps, during which virtual time does not pass.
    @inlinable package func holdingTime<Result>(_ body: () -> Result) -> Result {
        waiting(.actionBegins)
        defer { waiting(.actionEnds) }
        return body()
    }
}

/// A local date and time with its offset from UTC.
public struct WallClock: Hashable, Sendable {
    /// The local date and time.
    public let local: CivilDateTime
    /// The seconds by which local time is ahead of UTC.
    public let secondsFromUTC: Int

    /// Creates a local date and time with its offset from UTC.
    public init(local: CivilDateTime, secondsFromUTC: Int) {
        self.local = local
        self.secondsFromUTC = secondsFromUTC
    }

    /// The same moment in UTC.
    public var utc: CivilDateTime {
        local.advanced(bySeconds: secondsFromUTC == .min ? .max : -secondsFromUTC)
    }
}

/// An activity that continues until it is cancelled, such as an observation, a scan, a timer or an
/// attempt.
///
/// Dropping the value does not cancel the activity.
public struct Cancellable: Sendable {
    private let end: @Sendable () -> Void

    /// Creates a cancellable from a function that ends the activity. The function may be called
    /// more than once.
    public init(_ end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    /// Ends the activity. A callback that is already under way may still come.
    public func cancel() { end() }
}

/// A result that one task waits for.
///
/// The first result counts; later ones are ignored. The waiting task is resumed once: with the
/// result, or with ``BLEError/Kind/cancelled`` as soon as it is cancelled. The wait is reported to
/// the transport's time.
package final class Promise<Value: Sendable>: Sendable {
    private struct State {
        var result: Result<Value, BLEError>?
        var continuation: UnsafeContinuation<Result<Value, BLEError>, Never>?
    }

    private let state = Locked(State())
    private let time: any TransportTime
    /// The error for a task that is cancelled.
    private let cancelled: BLEError

    /// Creates a promise without a result.
    package init(
        for operation: BLEError.Operation, _ uuid: BluetoothUUID? = nil,
        on time: any TransportTime
    ) {
        self.time = time
        cancelled = BLEError(.cancelled, operation, uuid: uuid)
    }

    /// A completion handler that sets the result.
    package var completion: BLECompletion<Value> { { self.resolve($0) } }

    /// Sets the result; returns `true` for the first one.
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

    /// Waits for the result. One task may wait, once.
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
    /// Begins an operation with one reply, and waits for the reply. Cancelling the task cancels the
    /// operation.
    package nonisolated(nonsending) func reply<Value: Sendable>(
        to operation: BLEError.Operation, _ uuid: BluetoothUUID? = nil,
        begin: (Promise<Value>) -> Cancellable
    ) async throws(BLEError) -> Value {
        if Task.isCancelled { throw BLEError(.cancelled, operation, uuid: uuid) }
        let promise = Promise<Value>(for: operation, uuid, on: self)
        let request = begin(promise)
        do throws(BLEError) {
            return try await promise.value()
        } catch {
            if error.kind == .cancelled { request.cancel() }
            throw error
        }
    }
}
