public import Synchronization

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#endif

/// A value under a mutex that several objects and closures hold, as `Mutex` itself cannot be.
///
/// While the lock is held, call no function that can call back: remove the work from the value, and
/// do it afterwards.
@usableFromInline
package final class Locked<Value>: Sendable {
    @usableFromInline let mutex: Mutex<Value>

    /// Creates a value under a lock.
    @inlinable package init(_ value: consuming sending Value) { mutex = Mutex(value) }

    /// Calls a function with the value, under the lock.
    ///
    /// Values that are not `Sendable` can be moved in and out: the compiler checks that the value
    /// and the caller share no object afterwards.
    @discardableResult
    @inlinable
    package func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result { try mutex.withLock(body) }
}

/// The system's mutex, at one address until it is destroyed.
@usableFromInline
struct SystemMutex {
    fileprivate let pointer: UnsafeMutablePointer<pthread_mutex_t>

    @usableFromInline init() {
        pointer = .allocate(capacity: 1)
        pointer.initialize(to: pthread_mutex_t())
        pthread_mutex_init(pointer, nil)
    }

    @usableFromInline func lock() { pthread_mutex_lock(pointer) }

    @usableFromInline func unlock() { pthread_mutex_unlock(pointer) }

    func destroy() {
        pthread_mutex_destroy(pointer)
        pointer.deinitialize(count: 1)
        pointer.deallocate()
    }
}

/// The role of a thread that changes the state of a ``Drain``.
@usableFromInline
package enum DrainRole: Sendable {
    /// A thread on which a backend's events or timers run: it performs all available steps.
    case backend
    /// A thread of the app, which has work of its own: it yields to a backend's thread between
    /// steps.
    case app
}

/// A state with a queue of the steps that follow from its changes.
@usableFromInline
package protocol DrainState {
    /// An action that is performed without the lock.
    associatedtype Step: Sendable

    /// Removes and returns the next step that a thread of this role may perform; `nil` if there is
    /// none.
    ///
    /// Called under the lock. A state that cannot continue now returns `nil`, and is changed again
    /// when it can.
    mutating func nextStep(for role: DrainRole) -> Step?

    /// `true` if there are steps that only a backend's thread may perform. It is read when an app's
    /// thread finds no step.
    var hasBackendSteps: Bool { get }
}

extension DrainState {
    /// `false`: by default, an app's thread may perform every step.
    @inlinable package var hasBackendSteps: Bool { false }
}

/// A state under a lock, and the steps that follow from its changes: performed in order, by one
/// thread at a time, without the lock.
///
/// Rules:
/// - The thread that changes the state performs the steps that follow. If another thread is already
///   performing steps, it performs these, too: a change from within a step returns at once, and
///   steps never nest.
/// - A backend's thread that finds an app's thread performing waits for the end of the current
///   step, and then performs the rest. There is no other wait, and no thread waits for itself.
/// - A thread that performs a step in the role of the app has that role for all drains until the
///   step ends. So a thread for which another one waits never waits itself, and there is no
///   deadlock. A step of the app must not wait for a backend's thread in another way.
/// - An app's thread that finds steps for a backend's thread only calls `wakeBackend`, each time,
///   so that a backend's thread performs them.
/// - A step is released without the lock. A change returns or queues the objects that it removes
///   from the state: releasing the last reference may call back.
/// - A `deinit` changes the state in the role of the backend: no other thread is left.
@usableFromInline
package final class Drain<State: DrainState>: @unchecked Sendable {
    @usableFromInline
    enum Move {
        case perform(State.Step)
        case end(wakesBackend: Bool)
        case wait(Successor)
        case yield(Successor)
    }

    @usableFromInline let mutex = SystemMutex()
    @usableFromInline var state: State
    /// The role of the thread that performs steps; `nil` if there is none.
    @usableFromInline var turn: DrainRole?
    /// The backend's thread that waits for the end of the app's step; `nil` if there is none.
    @usableFromInline var successor: Successor?

    /// Creates a drain with a state.
    @inlinable package init(_ state: sending State) {
        self.state = state
    }

    deinit { mutex.destroy() }

    /// Reads the state, and performs no step.
    @inlinable package func read<Result>(_ body: (State) -> Result) -> Result {
        withLock { body($0) }
    }

    /// Changes the state, and performs no step: for changes from which none follow, and in tests.
    @discardableResult
    @inlinable package func withLock<Result>(_ body: (inout State) -> Result) -> Result {
        mutex.lock()
        defer { mutex.unlock() }
        return body(&state)
    }

    /// Changes the state, then performs the steps that follow, unless another thread does.
    ///
    /// - Parameters:
    ///   - role: The role of the current thread.
    ///   - wakeBackend: Makes a backend's thread perform the steps that only it may perform; called
    ///     on an app's thread.
    ///   - perform: Performs one step.
    ///   - body: The change, under the lock; it must not call back.
    @discardableResult
    @inlinable package func change<Result>(
        as role: DrainRole, wakeBackend: () -> Void = {}, perform: (State.Step) -> Void,
        _ body: (inout State) -> Result
    ) -> Result {
        let role = AppStep.isUnderWay ? .app : role
        mutex.lock()
        let result = body(&state)
        var move = begin(as: role)
        mutex.unlock()
        while true {
            // Each step is released before the next one is removed.
            switch consume move {
            case .perform(let step):
                if role == .app { AppStep.during { perform(step) } } else { perform(step) }
            case .wait(let successor): successor.wait()
            case .yield(let successor):
                successor.signal()
                return result
            case .end(let wakesBackend):
                if wakesBackend { wakeBackend() }
                return result
            }
            mutex.lock()
            move = next(for: role)
            mutex.unlock()
        }
    }

    /// Returns the first move of a thread that has changed the state.
    @inlinable func begin(as role: DrainRole) -> Move {
        guard let turn else {
            turn = role
            return next(for: role)
        }
        guard role == .backend, turn == .app, successor == nil else {
            return .end(wakesBackend: false)
        }
        let successor = Successor()
        self.successor = successor
        return .wait(successor)
    }

    /// Returns the next move of the thread that has the turn. With ``Move/end(wakesBackend:)`` the
    /// turn is free again.
    @inlinable func next(for role: DrainRole) -> Move {
        if role == .app, let successor {
            self.successor = nil
            turn = .backend
            return .yield(successor)
        }
        if let step = state.nextStep(for: role) { return .perform(step) }
        turn = nil
        return .end(wakesBackend: role == .app && state.hasBackendSteps)
    }
}

// MARK: - Threads

/// A mark on a thread that performs a step in the role of the app, of any drain.
@usableFromInline
enum AppStep {
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// `true` if the current thread performs such a step.
    @usableFromInline static var isUnderWay: Bool { pthread_getspecific(key) != nil }

    /// Performs a step with the mark.
    @usableFromInline static func during(_ body: () -> Void) {
        let outer = pthread_getspecific(key)
        pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1))
        body()
        pthread_setspecific(key, outer)
    }
}

/// A backend's thread that waits for the end of an app's step.
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

    /// Waits until the turn belongs to this thread.
    @usableFromInline func wait() {
        mutex.lock()
        while !isDue { pthread_cond_wait(condition, mutex.pointer) }
        mutex.unlock()
    }

    /// Passes the turn to the waiting thread.
    @usableFromInline func signal() {
        mutex.lock()
        isDue = true
        pthread_cond_signal(condition)
        mutex.unlock()
    }
}

/// A first-in first-out queue; appending and removing take constant time.
@usableFromInline
package struct Queue<Element> {
    @usableFromInline var elements: [Element?] = []
    @usableFromInline var head = 0

    /// Creates an empty queue.
    @inlinable package init() {}

    /// The number of elements.
    @inlinable package var count: Int { elements.count - head }

    /// `true` if there are no elements.
    @inlinable package var isEmpty: Bool { head == elements.count }

    /// The elements in order.
    @inlinable package var all: [Element] { elements[head...].compactMap { $0 } }

    /// The next element, which stays in the queue; `nil` if the queue is empty.
    @inlinable package var first: Element? { isEmpty ? nil : elements[head] }

    /// Adds an element at the end.
    @inlinable package mutating func append(_ element: Element) { elements.append(element) }

    /// Adds an element in front of all others.
    @inlinable package mutating func prepend(_ element: Element) {
        if head > 0 {
            head -= 1
            elements[head] = element
        } else {
            elements.insert(element, at: 0)
        }
    }

    /// Removes and returns the next element.
    @inlinable package mutating func popFirst() -> Element? {
        guard !isEmpty else { return nil }
        let element = elements[head]
        elements[head] = nil
        head += 1
        if head == elements.count {
            elements.removeAll(keepingCapacity: elements.capacity <= Self.keptCapacity)
            head = 0
        } else if head >= Self.compactionThreshold, head * 2 >= elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }

    /// Changes the next element.
    @inlinable package mutating func updateFirst(_ change: (inout Element) -> Void) {
        guard !isEmpty, var element = elements[head] else { return }
        change(&element)
        elements[head] = element
    }

    /// Removes and returns the first element that fulfils a condition.
    @inlinable package mutating func removeFirst(where isMeant: (Element) -> Bool) -> Element? {
        for index in head..<elements.count {
            if let element = elements[index], isMeant(element) {
                elements.remove(at: index)
                return element
            }
        }
        return nil
    }

    /// Removes and returns all elements.
    @inlinable package mutating func removeAll() -> [Element] {
        defer { self = Queue() }
        return all
    }

    @inlinable static var keptCapacity: Int { 64 }
    @inlinable static var compactionThreshold: Int { 32 }
}

extension Queue: Sendable where Element: Sendable {}

extension Queue: Equatable where Element: Equatable {
    /// Compares the elements, in order.
    @inlinable package static func == (one: Queue, other: Queue) -> Bool {
        one.elements[one.head...] == other.elements[other.head...]
    }
}
