internal import HaloProtocol
internal import HaloTransport

/// The part of the state that all operations share: the moment, numbers, operations under way,
/// tasks that wait, and callbacks.
struct ConnectionTurn: Sendable {
    typealias Action = @Sendable () -> Void
    /// Resumes a task with a result; returns `false` if the task no longer waits.
    typealias Finish<Value> =
        @Sendable (Result<Value, DeviceError>, inout ConnectionTurn) -> Bool

    enum Wait: Sendable {
        /// A task begins to wait.
        case begins(isCancelled: Bool)
        /// A task waits. `cancel` resumes it with the result for a cancelled task.
        case waits(cancel: Action)
    }

    /// The moment of the latest change.
    var now: Moment
    /// The time of the wall clock at the last change.
    var wallClock: WallClock
    private var lastNumber: UInt64 = 0
    private var actions: [Action] = []
    /// The operations under way. A cancellable is `nil` until the operation has begun.
    private(set) var held: [UInt64: Cancellable?] = [:]
    private(set) var waits: [UInt64: Wait] = [:]

    init(now: Moment, _ wallClock: WallClock) {
        self.now = now
        self.wallClock = wallClock
    }

    /// Returns the current value, and replaces it with an empty one.
    mutating func handOver() -> ConnectionTurn {
        defer { self = ConnectionTurn(now: now, wallClock) }
        return self
    }

    /// Returns a number that is unique in the connection.
    mutating func newNumber() -> UInt64 {
        lastNumber &+= 1
        return lastNumber
    }

    /// Queues a callback.
    mutating func call(_ action: @escaping Action) { actions.append(action) }

    /// Removes the queued callbacks; `nil` if there are none.
    mutating func drainActions() -> [Action]? {
        if actions.isEmpty { return nil }
        defer { actions = [] }
        return actions
    }

    /// Adds an operation that is to begin.
    mutating func hold(_ number: UInt64) { held.updateValue(nil, forKey: number) }

    /// Stores the cancellable of an operation, or cancels it if the operation was dropped.
    mutating func keep(_ cancellable: Cancellable, _ number: UInt64) {
        guard held.index(forKey: number) != nil else { return call { cancellable.cancel() } }
        held.updateValue(cancellable, forKey: number)
    }

    /// Removes an operation that has ended; returns `false` if it was dropped before.
    mutating func release(_ number: UInt64) -> Bool {
        guard let cancellable = held.removeValue(forKey: number) else { return false }
        // Releasing the cancellable may call back, so the queue does it.
        if let cancellable { call { withExtendedLifetime(cancellable) {} } }
        return true
    }

    /// Cancels an operation.
    mutating func drop(_ number: UInt64) {
        if case let cancellable?? = held.removeValue(forKey: number) {
            call { cancellable.cancel() }
        }
    }

    /// Adds a task that begins to wait, and returns its number.
    mutating func beginWaiting() -> UInt64 {
        let number = newNumber()
        waits[number] = .begins(isCancelled: false)
        return number
    }

    /// Marks a task as waiting; returns `false` if it was cancelled before.
    mutating func wait(_ number: UInt64, cancel: @escaping Action) -> Bool {
        if case .begins(isCancelled: true)? = waits[number] {
            return !endWaiting(number, cancel)
        }
        waits[number] = .waits(cancel: cancel)
        return true
    }

    /// Resumes a task by a callback; returns `false` if it was resumed before.
    mutating func endWaiting(_ number: UInt64, _ resume: @escaping Action) -> Bool {
        guard waits.removeValue(forKey: number) != nil else { return false }
        call(resume)
        return true
    }

    /// Resumes a task that was cancelled.
    mutating func cancelWaiting(_ number: UInt64) {
        switch waits[number] {
        case .begins: waits[number] = .begins(isCancelled: true)
        case .waits(let cancel): _ = endWaiting(number, cancel)
        case nil: break
        }
    }
}
