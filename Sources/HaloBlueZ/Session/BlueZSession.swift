#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// Everything that is known of a daemon, and everything that is under way with it: a value, to
/// which the shell tells what comes from the bus and what the program asks for, and which puts
/// down what is to be done.
///
/// Rules:
/// - Nothing is called while the session is changed. What is to be called is put down with
///   ``perform(_:)``, and called in order.
/// - What is asked of the daemon goes through ``call(_:timeout:then:)``, which always comes to an
///   end: with an answer, an error, or time.
/// - What follows an answer is a function of the session, not of an object, so that the whole can
///   be driven without a bus.
struct BlueZSession: Sendable {
    typealias Answer = Result<DBusReply, DBusError>
    typealias Continuation = @Sendable (inout BlueZSession, Answer) -> Void
    typealias Action = @Sendable (inout BlueZSession) -> Void

    /// What is to be done outside.
    enum Effect: Sendable {
        /// Asks the daemon something; the answer goes to ``answered(_:_:)``.
        case call(CallNumber, DBusCall, timeout: Duration)
        /// Nobody wants to know the answer any more.
        case forget(CallNumber)
        /// Tells a link's user the values of a characteristic.
        case tell(AttributeID, [[UInt8]], LinkReceiver)
        /// Calls something.
        case perform(@Sendable () -> Void)
        /// Says something for a hosted device.
        case host(HostMessage)
        /// Connects to the bus, and says with that number how it went.
        case open(UInt64)
        /// Lets go of the connection of that number.
        case close(UInt64)
    }

    /// Numbers what was asked.
    struct CallNumber: Hashable, Comparable, Sendable {
        let rawValue: UInt64

        static func < (one: CallNumber, other: CallNumber) -> Bool {
            one.rawValue < other.rawValue
        }
    }

    /// Numbers what is to happen later.
    struct TimerNumber: Hashable, Sendable {
        let rawValue: UInt64
    }

    /// How long the daemon has for an answer that it gives by itself.
    static let answerTimeout: Duration = .seconds(10)

    let options: BlueZOptions
    /// What time it is; the shell says so before each change.
    var now = Moment.origin
    /// What objects the daemon has.
    var mirror = BlueZMirror()
    /// The links, and the attempts to have one.
    var links = LinkTable()
    /// The devices that this computer is.
    var hosts: [UInt64: SessionHost] = [:]
    /// How far things are with the bus and the daemon.
    var daemon = DaemonState()
    /// Which adapter is used, and who wants to know of it.
    var adapters = AdapterChoice()
    /// Who looks for devices.
    var discovery = DiscoveryState()
    /// Where chance comes from.
    var chance: SplitMix

    private var effects = FIFO<Effect>()
    /// How many values are to be told.
    private var untoldCount = 0
    private var calls: [CallNumber: Continuation] = [:]
    private var timers = SessionTimers()
    private var lastNumber: UInt64 = 0

    /// A session that knows nothing yet.
    init(options: BlueZOptions, seed: UInt64 = 0) {
        self.options = options
        chance = SplitMix(seed: seed)
    }
}

extension BlueZSession {
    /// Asks the daemon something.
    @discardableResult
    mutating func call(
        _ call: DBusCall, timeout: Duration = Self.answerTimeout,
        then continuation: @escaping Continuation
    ) -> CallNumber {
        let number = CallNumber(rawValue: nextNumber())
        calls[number] = continuation
        effects.append(.call(number, call, timeout: timeout))
        return number
    }

    /// Calls a method of one of the daemon's objects.
    @discardableResult
    mutating func call(
        _ method: String, of interface: String, at path: DBusObjectPath,
        _ arguments: [DBusValue] = [], timeout: Duration = Self.answerTimeout,
        then continuation: @escaping Continuation
    ) -> CallNumber {
        call(
            DBusCall(method, of: interface, at: path, on: BlueZDaemon.name, arguments),
            timeout: timeout, then: continuation)
    }

    /// Does not wait for an answer any more: what was to follow it does not.
    mutating func forget(_ number: CallNumber) {
        guard let continuation = calls.removeValue(forKey: number) else { return }
        effects.append(.forget(number))
        letGo(continuation)
    }

    /// Takes in an answer.
    mutating func answered(_ number: CallNumber, _ answer: Answer) {
        guard let continuation = calls.removeValue(forKey: number) else { return }
        continuation(&self, answer)
        letGo(continuation)
    }

    /// Does something after some time.
    mutating func after(_ duration: Duration, _ action: @escaping Action) -> TimerNumber {
        let number = TimerNumber(rawValue: nextNumber())
        timers.add(number, at: now + duration, action)
        return number
    }

    /// Does not do it.
    mutating func cancel(_ timer: TimerNumber) {
        guard let action = timers.remove(timer) else { return }
        letGo(action)
    }

    /// When something is to happen next.
    var nextTimer: Moment? { timers.next }

    /// Does what is due; what is put off meanwhile is not, even if it is due at once.
    mutating func tick() {
        let last = lastNumber
        while let action = timers.popDue(at: now, before: last) {
            action(&self)
            letGo(action)
        }
    }

    /// Has something called, when the session is not being changed any more.
    mutating func perform(_ work: @escaping @Sendable () -> Void) {
        effects.append(.perform(work))
    }

    /// Puts down something else that is to be done.
    mutating func put(_ effect: Effect) { effects.append(effect) }

    /// Has a link's user told values of a characteristic.
    mutating func tell(
        _ values: [[UInt8]], of attribute: AttributeID, to receiver: LinkReceiver
    ) {
        untoldCount += values.count
        effects.append(.tell(attribute, values, receiver))
    }

    /// Takes out what is to be done next.
    mutating func nextEffect() -> Effect? {
        let effect = effects.popFirst()
        if case .tell(_, let values, _) = effect { untoldCount -= values.count }
        return effect
    }

    /// Whether anything is to be done outside.
    var hasEffects: Bool { !effects.isEmpty }

    /// How much waits to be done outside.
    var effectCount: Int { effects.count + untoldCount }

    /// Whether an answer is still wanted.
    func isWaiting(for number: CallNumber) -> Bool { calls[number] != nil }

    /// Everything ends: what was asked fails, and nothing happens later.
    mutating func end() {
        let wasLoaded = daemon.phase == .loaded
        lose(Outage(.cancelled, "the transport is no longer used"))
        if !wasLoaded { noticed(.lost("the transport is no longer used")) }
        daemon.isOpen = false
        // An error may lead to another attempt, which fails too.
        for _ in 0..<Self.lastAttempts where !calls.isEmpty {
            for number in calls.keys.sorted() {
                answered(number, .failure(DBusError(.disconnected, details: "closed here")))
            }
        }
        for action in timers.removeAll() { letGo(action) }
    }

    private static let lastAttempts = 100

    /// A number that nothing else has here.
    mutating func nextNumber() -> UInt64 {
        lastNumber &+= 1
        return lastNumber
    }

    /// What a function holds may call back when it is released: that happens outside, too.
    mutating func letGo<Function: Sendable>(_ function: Function) {
        effects.append(.perform { _ = function })
    }
}
#endif
