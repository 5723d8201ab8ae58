#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#endif

/// A value that several threads may use, one at a time: a mutex as that of the standard library,
/// which needs iOS 18.
///
/// Nothing that can call back is to be called while it is held: take out what is to be done, and
/// do it afterwards.
@usableFromInline
package final class Locked<Value>: @unchecked Sendable {
    /// Reached only under the lock, and so not tied to anything that a caller has.
    @usableFromInline nonisolated(unsafe) var value: Value
    @usableFromInline let mutex: SystemMutex

    /// A value under a lock.
    @inlinable package init(_ value: sending Value) {
        self.value = value
        mutex = SystemMutex()
    }

    deinit { mutex.destroy() }

    /// Uses the value while no other thread can.
    ///
    /// Values that are not `Sendable` can go in and out: the compiler sees to it that nothing is
    /// shared between what stays here and what a caller keeps.
    @discardableResult
    @inlinable
    package func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        mutex.lock()
        defer { mutex.unlock() }
        return try body(&value)
    }
}

/// The system's mutex, which stays at one place in memory until it is destroyed.
@usableFromInline
struct SystemMutex {
    fileprivate let place: UnsafeMutablePointer<pthread_mutex_t>

    @usableFromInline init() {
        place = .allocate(capacity: 1)
        place.initialize(to: pthread_mutex_t())
        pthread_mutex_init(place, nil)
    }

    @usableFromInline func lock() { pthread_mutex_lock(place) }

    @usableFromInline func unlock() { pthread_mutex_unlock(place) }

    func destroy() {
        pthread_mutex_destroy(place)
        place.deinitialize(count: 1)
        place.deallocate()
    }
}

/// The side from which a change of a ``Drain``'s state comes.
@usableFromInline
package enum DrainRole: Sendable {
    /// The thread that events come on, or a timer: it takes as many steps as there are.
    case owner
    /// A thread with work of its own, as an app's: it gives way to an owner between two steps.
    case guest
}

/// A state that queues the steps that follow from its changes.
@usableFromInline
package protocol DrainState {
    /// Something to be done without the lock.
    associatedtype Step: Sendable

    /// Takes out the next step, if there is one that this role may take.
    ///
    /// It is called under the lock. A state that is held up gives `nil`, and is changed again when
    /// it can go on.
    mutating func nextStep(for role: DrainRole) -> Step?

    /// Whether there are steps that only an owner may take; asked when a guest finds none.
    var hasOwnersSteps: Bool { get }
}

extension DrainState {
    /// By default, a guest may take every step.
    @inlinable package var hasOwnersSteps: Bool { false }
}

/// A state under a lock, and the steps that follow from its changes: taken in order, by one thread
/// at a time, without the lock.
///
/// Rules:
/// - The thread that changes the state takes the steps that follow, unless another one does
///   already: then that one takes these, too. So a change from within a step returns at once,
///   and steps never nest.
/// - An owner that finds a guest at it waits for the end of the guest's one step, and takes the
///   turn. Nothing else waits, and nothing waits for itself.
/// - A thread that takes a guest's step is a guest in everything that it changes meanwhile, of
///   other drains, too. So who is waited for waits for nobody, and waiting has no cycle, whatever
///   is called by whom. A guest's step must not wait for an owner in another way.
/// - A guest that leaves steps to owners only calls `summon`, as often as that happens: it makes
///   another thread come, and does not take them itself.
/// - A step is let go of without the lock. What a change takes out of the state it returns, or
///   queues: the last hold on it may call back.
/// - An object that ends changes the state as owner: nobody else is there then.
@usableFromInline
package final class Drain<State: DrainState>: @unchecked Sendable {
    @usableFromInline
    enum Move {
        case take(State.Step)
        case leave(summons: Bool)
        case wait(Successor)
        case handOver(Successor)
    }

    @usableFromInline let mutex = SystemMutex()
    @usableFromInline var state: State
    /// The role of the thread that takes steps; `nil` while none does.
    @usableFromInline var turn: DrainRole?
    /// The owner that waits for a guest's step.
    @usableFromInline var successor: Successor?

    /// A state of which no step is left.
    @inlinable package init(_ state: sending State) {
        self.state = state
    }

    deinit { mutex.destroy() }

    /// Reads the state as it is, and takes no step.
    @inlinable package func read<Result>(_ body: (State) -> Result) -> Result {
        withLock { body($0) }
    }

    /// Changes the state, and takes no step: for changes from which none follow, and in tests.
    @discardableResult
    @inlinable package func withLock<Result>(_ body: (inout State) -> Result) -> Result {
        mutex.lock()
        defer { mutex.unlock() }
        return body(&state)
    }

    /// Changes the state, then takes the steps that follow, unless another thread does.
    ///
    /// - Parameters:
    ///   - role: The side from which the change comes.
    ///   - summon: Makes an owner come; called on a guest that leaves steps which only an owner may
    ///     take.
    ///   - perform: Takes one step.
    ///   - body: The change, under the lock; it must not call back.
    @discardableResult
    @inlinable package func change<Result>(
        as role: DrainRole, summon: () -> Void = {}, perform: (State.Step) -> Void,
        _ body: (inout State) -> Result
    ) -> Result {
        let role = GuestStep.isUnderWay ? .guest : role
        mutex.lock()
        let result = body(&state)
        var move = begin(as: role)
        mutex.unlock()
        while true {
            // Each step is let go of before the next one is taken out.
            switch consume move {
            case .take(let step):
                if role == .guest { GuestStep.during { perform(step) } } else { perform(step) }
            case .wait(let successor): successor.wait()
            case .handOver(let successor):
                successor.signal()
                return result
            case .leave(let summons):
                if summons { summon() }
                return result
            }
            mutex.lock()
            move = next(for: role)
            mutex.unlock()
        }
    }

    /// The first move of a thread that has changed the state.
    @inlinable func begin(as role: DrainRole) -> Move {
        guard let turn else {
            turn = role
            return next(for: role)
        }
        guard role == .owner, turn == .guest, successor == nil else {
            return .leave(summons: false)
        }
        let successor = Successor()
        self.successor = successor
        return .wait(successor)
    }

    /// The next move of the thread that has the turn; ``Move/leave(summons:)`` gives it back.
    @inlinable func next(for role: DrainRole) -> Move {
        if role == .guest, let successor {
            self.successor = nil
            turn = .owner
            return .handOver(successor)
        }
        if let step = state.nextStep(for: role) { return .take(step) }
        turn = nil
        return .leave(summons: role == .guest && state.hasOwnersSteps)
    }
}

extension TransportTime {
    /// Does something in several steps, during which virtual time does not jump.
    @inlinable package func acting<Result>(_ body: () -> Result) -> Result {
        waiting(.actionBegins)
        defer { waiting(.actionEnds) }
        return body()
    }
}

// MARK: - Threads

/// The mark of a thread that takes a guest's step, of any drain.
@usableFromInline
enum GuestStep {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// `true` if the current thread takes one.
    @usableFromInline static var isUnderWay: Bool { pthread_getspecific(key) != nil }

    /// Takes the step.
    @usableFromInline static func during(_ body: () -> Void) {
        let outer = pthread_getspecific(key)
        pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1))
        body()
        pthread_setspecific(key, outer)
    }
}

/// An owner that waits for a guest's step to end.
@usableFromInline
final class Successor: @unchecked Sendable {
    private let mutex = SystemMutex()
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var isDue = false

    @usableFromInline init() {
        condition.initialize(to: pthread_cond_t())
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        condition.deinitialize(count: 1)
        condition.deallocate()
        mutex.destroy()
    }

    /// Waits until the turn is this thread's.
    @usableFromInline func wait() {
        mutex.lock()
        while !isDue { pthread_cond_wait(condition, mutex.place) }
        mutex.unlock()
    }

    /// Gives the turn to the thread that waits.
    @usableFromInline func signal() {
        mutex.lock()
        isDue = true
        pthread_cond_signal(condition)
        mutex.unlock()
    }
}

/// A queue: what was put in first comes out first, both at constant cost.
@usableFromInline
package struct FIFO<Element> {
    @usableFromInline var elements: [Element?] = []
    @usableFromInline var head = 0

    /// An empty queue.
    @inlinable package init() {}

    /// The number of elements.
    @inlinable package var count: Int { elements.count - head }

    /// `true` if there are no elements.
    @inlinable package var isEmpty: Bool { head == elements.count }

    /// The elements in order.
    @inlinable package var all: [Element] { elements[head...].compactMap { $0 } }

    /// The element that comes out next.
    @inlinable package var first: Element? { isEmpty ? nil : elements[head] }

    /// Puts an element at the end.
    @inlinable package mutating func append(_ element: Element) { elements.append(element) }

    /// Puts an element in front of all others.
    @inlinable package mutating func prepend(_ element: Element) {
        if head > 0 {
            head -= 1
            elements[head] = element
        } else {
            elements.insert(element, at: 0)
        }
    }

    /// Takes out the element that was put in first.
    @inlinable package mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        let element = elements[head]
        elements[head] = nil
        head += 1
        if head == elements.count {
            elements.removeAll(keepingCapacity: elements.capacity <= Self.roomKept)
            head = 0
        } else if head >= Self.compactionThreshold, head * 2 >= elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }

    /// Changes the element that comes out next.
    @inlinable package mutating func updateFirst(_ change: (inout Element) -> Void) {
        guard !isEmpty, var element = elements[head] else { return }
        change(&element)
        elements[head] = element
    }

    /// Takes out the first element for which a condition holds.
    @inlinable package mutating func removeFirst(where isMeant: (Element) -> Bool) -> Element? {
        for index in head..<elements.count {
            if let element = elements[index], isMeant(element) {
                elements.remove(at: index)
                return element
            }
        }
        return nil
    }

    /// Takes out everything.
    @inlinable package mutating func removeAll() -> [Element] {
        defer { self = FIFO() }
        return all
    }

    @inlinable static var roomKept: Int { 64 }
    @inlinable static var compactionThreshold: Int { 32 }
}

extension FIFO: Sendable where Element: Sendable {}

extension FIFO: Equatable where Element: Equatable {
    /// Compares the elements, in order.
    @inlinable package static func == (one: FIFO, other: FIFO) -> Bool {
        one.elements[one.head...] == other.elements[other.head...]
    }
}
