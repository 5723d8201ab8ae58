#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// The state of the backend: all that is known of the daemon and all pending work, as a value.
/// ``BlueZHub`` passes in events of the bus and requests of the app, and performs the effects.
///
/// Rules:
/// - No callback is called while the session is changed: ``callBack(_:)`` queues it, and callbacks
///   are called in order.
/// - Calls to the daemon go through ``call(_:timeout:then:)``, which always completes: with a
///   reply, an error, or a timeout.
/// - The continuation of a call is a function of the session, not of an object, so that the whole
///   can be driven without a bus.
struct BlueZSession: Sendable {
    typealias Answer = Result<DBusReply, DBusError>
    typealias Continuation = @Sendable (inout BlueZSession, Answer) -> Void
    typealias Action = @Sendable (inout BlueZSession) -> Void

    enum Effect: Sendable {
        /// Calls the daemon; the reply goes to ``answered(_:_:)``.
        indirect case call(CallNumber, DBusCall, timeout: Duration)
        case forget(CallNumber)
        case deliver(AttributeID, [[UInt8]], @Sendable (LinkEvent) -> Void)
        case callBack(@Sendable () -> Void)
        case setAgent(Bool)
        /// Connects to the bus, and reports with the given number.
        case open(UInt64)
        case close(UInt64)
    }

    struct CallNumber: Hashable, Comparable, Sendable {
        let rawValue: UInt64

        static func < (one: CallNumber, other: CallNumber) -> Bool { one.rawValue < other.rawValue }
    }

    struct TimerNumber: Hashable, Sendable { let rawValue: UInt64 }

    /// The timeout of calls for which the daemon needs no device.
    static let answerTimeout: Duration = .seconds(10)

    let options: BlueZOptions
    /// The time, which the hub sets before each change.
    var now = Moment.origin
    var mirror = BlueZMirror()
    var links = LinkTable()
    var hosts: [UInt64: SessionHost] = [:]
    var daemon = DaemonState()
    var adapters = AdapterChoice()
    var discovery = DiscoveryState()
    var generator: SplitMix

    private var effects = Queue<Effect>()
    private var valueCount = 0
    private var calls: [CallNumber: Continuation] = [:]
    private var timers = SessionTimers()
    private var lastNumber: UInt64 = 0

    init(options: BlueZOptions, seed: UInt64 = 0) {
        self.options = options
        generator = SplitMix(seed: seed)
    }

    @discardableResult mutating func call(
        _ call: DBusCall, timeout: Duration = Self.answerTimeout,
        then continuation: @escaping Continuation
    ) -> CallNumber {
        let number = CallNumber(rawValue: nextNumber())
        calls[number] = continuation
        put(.call(number, call, timeout: timeout))
        return number
    }

    @discardableResult mutating func call(
        _ method: String, of interface: String, at path: DBusObjectPath,
        _ arguments: [DBusValue] = [], timeout: Duration = Self.answerTimeout,
        then continuation: @escaping Continuation
    ) -> CallNumber {
        call(
            DBusCall(method, of: interface, at: path, on: BlueZDaemon.name, arguments),
            timeout: timeout, then: continuation)
    }

    /// Cancels a call: its continuation is not called.
    mutating func forget(_ number: CallNumber?) {
        guard let number, let continuation = calls.removeValue(forKey: number) else { return }
        put(.forget(number))
        discard(continuation)
    }

    mutating func answered(_ number: CallNumber, _ answer: Answer) {
        guard let continuation = calls.removeValue(forKey: number) else { return }
        continuation(&self, answer)
        discard(continuation)
    }

    mutating func after(_ duration: Duration, _ action: @escaping Action) -> TimerNumber {
        let number = TimerNumber(rawValue: nextNumber())
        timers.add(number, at: now + duration, action)
        return number
    }

    mutating func cancel(_ timer: TimerNumber?) {
        if let timer, let action = timers.remove(timer) { discard(action) }
    }

    var nextTimer: Moment? { timers.next }

    /// Fires the timers that are due; timers started meanwhile wait for the next tick.
    mutating func tick() {
        let last = lastNumber
        while let action = timers.popDue(at: now, before: last) {
            action(&self)
            discard(action)
        }
    }

    /// Queues a callback, which is called when the session is not being changed.
    mutating func callBack(_ work: @escaping @Sendable () -> Void) { put(.callBack(work)) }

    mutating func put(_ effect: Effect) {
        if case .deliver(_, let values, _) = effect { valueCount += values.count - 1 }
        effects.append(effect)
    }

    mutating func nextEffect() -> Effect? {
        let effect = effects.popFirst()
        if case .deliver(_, let values, _) = effect { valueCount -= values.count - 1 }
        return effect
    }

    /// The number of effects, with each value counted.
    var effectCount: Int { effects.count + valueCount }

    func isWaiting(for number: CallNumber) -> Bool { calls[number] != nil }

    /// Ends the session: pending calls fail, and no timer fires.
    mutating func end() {
        let outage = Outage(.cancelled, "the transport is no longer used")
        lose(outage)
        // Attempts end even if there were no objects to lose.
        apply(.lost(outage.details))
        daemon.isOpen = false
        // An error may start another attempt, which fails too.
        for _ in 0..<Self.lastAttempts {
            for number in calls.keys.sorted() {
                answered(number, .failure(DBusError(.disconnected, details: "closed here")))
            }
        }
        for action in timers.removeAll() { discard(action) }
    }

    private static let lastAttempts = 100

    mutating func nextNumber() -> UInt64 {
        lastNumber &+= 1
        return lastNumber
    }

    /// Releases a closure outside of the session: its captures may call back in their `deinit`.
    mutating func discard<Function: Sendable>(_ function: Function) {
        put(.callBack { _ = function })
    }
}

/// The timers, in the order in which they fire. Numbers rise.
struct SessionTimers: Sendable {
    private var entries:
        [(due: Moment, number: BlueZSession.TimerNumber, action: BlueZSession.Action)] = []

    var next: Moment? { entries.first?.due }

    mutating func add(
        _ number: BlueZSession.TimerNumber, at due: Moment, _ action: @escaping BlueZSession.Action
    ) {
        let earlier = entries.lastIndex { $0.due <= due }
        entries.insert((due, number, action), at: earlier.map { $0 + 1 } ?? 0)
    }

    /// Cancels a timer, and returns its action if it has not fired.
    mutating func remove(_ number: BlueZSession.TimerNumber) -> BlueZSession.Action? {
        entries.firstIndex { $0.number == number }.map { entries.remove(at: $0).action }
    }

    /// Removes the first timer that is due, if its number is at most `limit`.
    mutating func popDue(at now: Moment, before limit: UInt64) -> BlueZSession.Action? {
        guard let first = entries.first, first.due <= now, first.number.rawValue <= limit else {
            return nil
        }
        return entries.removeFirst().action
    }

    mutating func removeAll() -> [BlueZSession.Action] {
        defer { self = SessionTimers() }
        return entries.map(\.action)
    }
}
#endif
