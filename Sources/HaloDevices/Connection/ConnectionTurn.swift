internal import HaloProtocol
internal import HaloTransport

/// What everything under the lock shares: the moment, numbers, what was begun, which tasks wait,
/// and what is to be called.
struct ConnectionTurn: Sendable {
    typealias Action = @Sendable () -> Void
    /// Has a task go on with a result; `false` if it waits no longer.
    typealias Finish<Value> =
        @Sendable (Result<Value, DeviceError>, inout ConnectionTurn) -> Bool

    enum Wait: Sendable {
        /// A task is on the way to waiting.
        case begins(isCancelled: Bool)
        /// It waits, and this is what cancels it.
        case waits(cancel: Action)
    }

    /// The latest moment that was seen.
    var now: Moment
    /// What the clock on the wall showed when the state was changed last.
    var wallClock: WallClock
    private var lastNumber: UInt64 = 0
    private var actions: [Action] = []
    /// What was begun and not dropped, with what cancels it once that is known.
    private(set) var held: [UInt64: Registration?] = [:]
    private(set) var waits: [UInt64: Wait] = [:]

    init(now: Moment, _ wallClock: WallClock) {
        self.now = now
        self.wallClock = wallClock
    }

    /// All of it, for one who changes it; what is left here has nothing in it.
    mutating func handOver() -> ConnectionTurn {
        defer { self = ConnectionTurn(now: now, wallClock) }
        return self
    }

    /// A number that nothing else of the connection has.
    mutating func newNumber() -> UInt64 {
        lastNumber &+= 1
        return lastNumber
    }

    /// Has something called behind everything else.
    mutating func call(_ action: @escaping Action) { actions.append(action) }

    /// Takes out what is to be called.
    mutating func takeActions() -> [Action]? {
        if actions.isEmpty { return nil }
        defer { actions = [] }
        return actions
    }

    /// Something is to be begun.
    mutating func hold(_ number: UInt64) { held.updateValue(nil, forKey: number) }

    /// It was begun, and is cancelled if it was dropped on the way.
    mutating func keep(_ registration: Registration, _ number: UInt64) {
        guard held.index(forKey: number) != nil else { return call { registration.cancel() } }
        held.updateValue(registration, forKey: number)
    }

    /// It has ended by itself; `false` if it was dropped before.
    mutating func release(_ number: UInt64) -> Bool {
        guard let registration = held.removeValue(forKey: number) else { return false }
        // The last hold on it may call back, and so is given up with the queue.
        if let registration { call { withExtendedLifetime(registration) {} } }
        return true
    }

    /// It is not wanted any more.
    mutating func drop(_ number: UInt64) {
        if case let registration?? = held.removeValue(forKey: number) {
            call { registration.cancel() }
        }
    }

    /// A task is on the way to waiting, under a number.
    mutating func beginWaiting() -> UInt64 {
        let number = newNumber()
        waits[number] = .begins(isCancelled: false)
        return number
    }

    /// It waits; `false` if it was cancelled on the way.
    mutating func wait(_ number: UInt64, cancel: @escaping Action) -> Bool {
        if case .begins(isCancelled: true)? = waits[number] {
            return !endWaiting(number, cancel)
        }
        waits[number] = .waits(cancel: cancel)
        return true
    }

    /// It goes on by an action; `false` if it does already.
    mutating func endWaiting(_ number: UInt64, _ resume: @escaping Action) -> Bool {
        guard waits.removeValue(forKey: number) != nil else { return false }
        call(resume)
        return true
    }

    /// Its task is cancelled.
    mutating func cancelWaiting(_ number: UInt64) {
        switch waits[number] {
        case .begins: waits[number] = .begins(isCancelled: true)
        case .waits(let cancel): _ = endWaiting(number, cancel)
        case nil: break
        }
    }
}
