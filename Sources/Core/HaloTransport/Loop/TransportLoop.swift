package import HaloProtocol
internal import Synchronization

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Android)
internal import Android
#endif

/// The event loop of a transport: all calls and events run in it, in order, one turn at a time.
///
/// A turn is entered by a call of an app, or by an event of a backend, on any thread; others wait
/// for its end. Within it, layers call each other. What the turn leaves to be done follows in one
/// queue, and then the backend goes on. Waiting tasks are resumed after the turn, outside of it.
///
/// A backend creates no loop of its own and enters none: its ``TransportTime`` has one, and the
/// functions that a backend receives enter it. They can be called from any thread, also within a
/// function that the backend was called by.
///
/// Rules:
/// - A turn is short: nothing in it waits for another thread.
/// - Nothing is called while a state is being changed. A change leaves calls to be done
///   (`later(_:)`); only then may they change the same state again.
/// - A `deinit` may come at any point of a turn. It leaves its work to be done, too.
public final class TransportLoop: @unchecked Sendable {
    /// What the thread inside uses. It lies outside of the object, where an access costs nothing.
    private struct Turns {
        var work = Queue<() -> Void>()
        /// `true` while a call or a report is under way. A report that comes then has to wait.
        var isBusy = false
        var outgoing: [() -> Void] = []
        /// An empty array with the room of an earlier turn.
        var room: [() -> Void] = []
        /// `true` while a thread does what comes after turns.
        var isSending = false
        var backends: [Backend] = []
        /// `true` if a backend was added that has not gone on yet.
        var hasNewBackend = false
        /// `true` if a backend notes beginnings.
        var hasBeginnings = false
        /// The moment of the turn, once it was read.
        var moment: Moment?
    }

    private final class Backend {
        @exclusivity(unchecked) private(set) weak var backend: (any LoopBackend)?

        init(_ backend: any LoopBackend) {
            self.backend = backend
        }
    }

    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    /// The thread that is inside; 0 for none.
    private let owner = Atomic<UInt>(0)
    private let turns: UnsafeMutablePointer<Turns>

    /// Creates a loop.
    public init() {
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
        turns = .allocate(capacity: 1)
        turns.initialize(to: Turns())
    }

    deinit {
        turns.deinitialize(count: 1)
        turns.deallocate()
        pthread_mutex_destroy(mutex)
        mutex.deinitialize(count: 1)
        mutex.deallocate()
    }

    /// Adds a backend that goes on at the end of each turn. The loop does not hold it.
    ///
    /// - Parameter notesBeginnings: `true` if it notes the beginnings of turns, too.
    package func add(_ backend: any LoopBackend, notesBeginnings: Bool = false) {
        run {
            turns.pointee.backends.append(Backend(backend))
            turns.pointee.hasNewBackend = true
            if notesBeginnings { turns.pointee.hasBeginnings = true }
        }
    }

    /// Calls a function in a turn: at once within a turn, otherwise in a new one.
    @inlinable
    package func run<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let place = enter()
        defer { leave(to: place) }
        return try body()
    }

    /// Calls a function that changes nothing that concerns a backend: the backend does not go on
    /// afterwards.
    @inlinable
    package func peek<Result>(_ body: () -> Result) -> Result {
        let isOutside = enterToPeek()
        defer { if isOutside { leavePeek() } }
        return body()
    }

    /// Calls a function in a turn before which no time passes: a cancellation comes before the
    /// events that are due.
    package func interrupt(_ body: () -> Void) {
        let place = enter(beginning: false)
        body()
        leave(to: place)
    }

    /// Calls a function in a turn, and not while another call or report is under way: for what goes
    /// up, from a backend to an app.
    @inline(__always)
    package func report(_ body: @escaping () -> Void) {
        let place = enter()
        if case .inside = place { return turns.pointee.work.append(body) }
        body()
        leave(to: place)
    }

    /// Calls a function in this turn, after what is under way and what was left to be done before.
    package func later(_ body: @escaping () -> Void) {
        run { turns.pointee.work.append(body) }
    }

    /// Calls a function after the turn and outside of it, in order.
    package func afterwards(_ body: @escaping () -> Void) {
        turns.pointee.outgoing.append(body)
    }

    /// Returns the moment of a turn, which is read once: all in it happens at one moment. Outside,
    /// it is read each time.
    package func moment(_ read: () -> Moment) -> Moment {
        guard isInside else { return read() }
        if let moment = turns.pointee.moment { return moment }
        let moment = read()
        turns.pointee.moment = moment
        return moment
    }

    package var isInside: Bool { owner.load(ordering: .relaxed) == Self.thread }

    private static var thread: UInt {
        #if canImport(Glibc)
        pthread_self()
        #else
        UInt(bitPattern: pthread_self())
        #endif
    }

    /// The place of a call.
    @usableFromInline enum Place {
        /// The call begins a turn.
        case outside
        /// The call comes from the backend, which goes on in a turn.
        case backend
        /// The call comes from another call.
        case inside
    }

    @usableFromInline func enter(beginning: Bool = true) -> Place {
        guard isInside else {
            lock()
            if beginning, turns.pointee.hasBeginnings { turnBegins() }
            return .outside
        }
        guard !turns.pointee.isBusy else { return .inside }
        turns.pointee.isBusy = true
        return .backend
    }

    @usableFromInline func leave(to place: Place) {
        switch place {
        case .outside: leave()
        case .backend: turns.pointee.isBusy = false
        case .inside: break
        }
    }

    @usableFromInline func enterToPeek() -> Bool {
        guard !isInside else { return false }
        lock()
        return true
    }

    @usableFromInline func leavePeek() {
        // A release may have left work, or have resolved a promise.
        let isDone = turns.pointee.work.isEmpty && turns.pointee.outgoing.isEmpty
        if isDone { unlock() } else { leave() }
    }

    /// Ends a turn: does what was left to be done, lets the backend go on, and resumes tasks.
    private func leave() {
        while true {
            // A backend that nobody holds any more ends with this, and may leave work.
            repeat { finish() } while !turns.pointee.work.isEmpty
            guard !turns.pointee.outgoing.isEmpty, !turns.pointee.isSending else {
                return unlock()
            }
            turns.pointee.isSending = true
            var sent = turns.pointee.room
            turns.pointee.room = []
            swap(&sent, &turns.pointee.outgoing)
            unlock()
            for action in sent { action() }
            // Released outside: this may call back.
            sent.removeAll(keepingCapacity: true)
            lock()
            turns.pointee.room = sent
            turns.pointee.isSending = false
        }
    }

    /// Lets each backend note the beginning of a turn, and do what comes before it.
    private func turnBegins() {
        var hasSteps = false
        for index in turns.pointee.backends.indices
        where turns.pointee.backends[index].backend?.turnBegins() == true {
            hasSteps = true
        }
        if hasSteps { finish() }
    }

    /// Lets all backends go on, those that are added meanwhile, too.
    private func finish() {
        repeat {
            turns.pointee.hasNewBackend = false
            let backends = turns.pointee.backends
            switch backends.count {
            case 0: finish(Backends.none, Backends.none)
            case 1: finish(backends[0].backend ?? Backends.none, Backends.none)
            case 2:
                finish(backends[0].backend ?? Backends.none, backends[1].backend ?? Backends.none)
            default:
                turns.pointee.backends.removeAll { $0.backend == nil }
                finish(Backends(backends.compactMap(\.backend)), Backends.none)
            }
        } while turns.pointee.hasNewBackend
    }

    /// Does what was left to be done, and lets the backends do their next steps, until there is
    /// nothing more.
    ///
    /// There are two at most, as an array of them would cost more than all the rest.
    private func finish(_ one: any LoopBackend, _ other: any LoopBackend) {
        var goesOn = true
        while goesOn {
            while let next = turns.pointee.work.popFirst() { next() }
            turns.pointee.isBusy = false
            goesOn = one.goOn()
            if other.goOn() { goesOn = true }
            turns.pointee.isBusy = true
            if !turns.pointee.work.isEmpty { goesOn = true }
        }
        one.turnEnds()
        other.turnEnds()
    }

    private func lock() {
        pthread_mutex_lock(mutex)
        owner.store(Self.thread, ordering: .relaxed)
        turns.pointee.isBusy = true
        turns.pointee.moment = nil
    }

    private func unlock() {
        owner.store(0, ordering: .relaxed)
        pthread_mutex_unlock(mutex)
    }
}

private final class Backends: LoopBackend {
    nonisolated(unsafe) static let none = Backends([])

    private let all: [any LoopBackend]

    init(_ all: [any LoopBackend]) {
        self.all = all
    }

    func goOn() -> Bool { all.reduce(false) { $1.goOn() || $0 } }

    func turnEnds() {
        for backend in all { backend.turnEnds() }
    }
}
