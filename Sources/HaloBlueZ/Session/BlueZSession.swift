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

    enum Effect: Sendable {
        /// Asks the daemon something; the answer goes to ``answered(_:_:)``.
        case call(CallNumber, DBusCall, timeout: Duration)
        /// Nobody wants to know the answer any more.
        case forget(CallNumber)
        /// Tells a link's user the values of a characteristic.
        case tell(AttributeID, [[UInt8]], LinkReceiver)
        case perform(@Sendable () -> Void)
        /// Says something for a hosted device.
        case host(HostMessage)
        /// Makes a socket of what the daemon gave to a link, and tells what comes through it.
        case openSocket(LinkSocketOffer, LinkNumber)
        case closeSocket(any LinkSocket)
        /// Sends a packet, and says with these numbers whether it was taken.
        case send([UInt8], any LinkSocket, UInt64, step: UInt64, LinkNumber)
        /// Puts the object on the bus that answers while devices are paired with, or takes it away.
        case setAgent(Bool)
        /// Connects to the bus, and says with that number how it went.
        case open(UInt64)
        /// Lets go of the connection of that number.
        case close(UInt64)
    }

    struct CallNumber: Hashable, Comparable, Sendable {
        let rawValue: UInt64

        static func < (one: CallNumber, other: CallNumber) -> Bool { one.rawValue < other.rawValue }
    }

    struct TimerNumber: Hashable, Sendable { let rawValue: UInt64 }

    /// How long the daemon has for an answer that it gives by itself.
    static let answerTimeout: Duration = .seconds(10)

    let options: BlueZOptions
    /// What time it is; the shell says so before each change.
    var now = Moment.origin
    var mirror = BlueZMirror()
    var links = LinkTable()
    var hosts: [UInt64: SessionHost] = [:]
    var daemon = DaemonState()
    var adapters = AdapterChoice()
    var discovery = DiscoveryState()
    var chance: SplitMix

    private var effects = SessionEffects()
    private var calls: [CallNumber: Continuation] = [:]
    private var timers = SessionTimers()
    private var lastNumber: UInt64 = 0

    init(options: BlueZOptions, seed: UInt64 = 0) {
        self.options = options
        chance = SplitMix(seed: seed)
    }
}

extension BlueZSession {
    /// Asks the daemon something.
    @discardableResult mutating func call(
        _ call: DBusCall, timeout: Duration = Self.answerTimeout,
        then continuation: @escaping Continuation
    ) -> CallNumber {
        let number = CallNumber(rawValue: nextNumber())
        calls[number] = continuation
        effects.append(.call(number, call, timeout: timeout))
        return number
    }

    /// Calls a method of one of the daemon's objects.
    @discardableResult mutating func call(
        _ method: String, of interface: String, at path: DBusObjectPath,
        _ arguments: [DBusValue] = [], timeout: Duration = Self.answerTimeout,
        then continuation: @escaping Continuation
    ) -> CallNumber {
        call(
            DBusCall(method, of: interface, at: path, on: BlueZDaemon.name, arguments),
            timeout: timeout, then: continuation)
    }

    /// Does not wait for an answer any more: what was to follow it does not.
    mutating func forget(_ number: CallNumber?) {
        guard let number, let continuation = calls.removeValue(forKey: number) else { return }
        effects.append(.forget(number))
        letGo(continuation)
    }

    mutating func answered(_ number: CallNumber, _ answer: Answer) {
        guard let continuation = calls.removeValue(forKey: number) else { return }
        continuation(&self, answer)
        letGo(continuation)
    }

    mutating func after(_ duration: Duration, _ action: @escaping Action) -> TimerNumber {
        let number = TimerNumber(rawValue: nextNumber())
        timers.add(number, at: now + duration, action)
        return number
    }

    mutating func cancel(_ timer: TimerNumber?) {
        if let timer, let action = timers.remove(timer) { letGo(action) }
    }

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
    mutating func perform(_ work: @escaping @Sendable () -> Void) { effects.append(.perform(work)) }

    mutating func put(_ effect: Effect) { effects.append(effect) }

    /// Takes out what is to be done next, of everything or of one kind.
    mutating func nextEffect(in lane: SessionEffects.Lane? = nil) -> Effect? {
        effects.popFirst(in: lane)
    }

    var hasCallbacks: Bool { effects.hasCallbacks }

    var effectCount: Int { effects.count }

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

/// What a session wants to have done, in order: what goes to the bus and calls nobody, and what
/// calls an app, or lets go of what may call it.
struct SessionEffects: Sendable {
    enum Lane: Hashable, Sendable { case messages, callbacks }

    private typealias Entry = (order: UInt64, effect: BlueZSession.Effect)

    private var messages = FIFO<Entry>()
    private var callbacks = FIFO<Entry>()
    private var lastOrder: UInt64 = 0
    /// How many values are to be told.
    private var valueCount = 0

    /// How much there is, each value by itself.
    var count: Int { messages.count + callbacks.count + valueCount }

    var hasCallbacks: Bool { !callbacks.isEmpty }

    mutating func append(_ effect: BlueZSession.Effect) {
        lastOrder &+= 1
        switch effect {
        case .tell(_, let values, _):
            valueCount += values.count
            callbacks.append((lastOrder, effect))
        case .perform: callbacks.append((lastOrder, effect))
        case .call, .forget, .host, .open, .close, .openSocket, .closeSocket, .send, .setAgent:
            messages.append((lastOrder, effect))
        }
    }

    /// Takes out what was put in first, of one lane or of both.
    mutating func popFirst(in lane: Lane?) -> BlueZSession.Effect? {
        let message = lane == .callbacks ? nil : messages.first?.order
        let callback = lane == .messages ? nil : callbacks.first?.order
        if let message, message < callback ?? .max { return messages.popFirst()?.effect }
        guard callback != nil, let effect = callbacks.popFirst()?.effect else { return nil }
        if case .tell(_, let values, _) = effect { valueCount -= values.count }
        return effect
    }
}

/// What is to happen later: the earliest is found at once, however many there are.
struct SessionTimers: Sendable {
    private struct Entry: Comparable {
        let due: Moment
        let number: BlueZSession.TimerNumber

        static func < (one: Entry, other: Entry) -> Bool {
            (one.due, one.number.rawValue) < (other.due, other.number.rawValue)
        }
    }

    /// A heap: nobody is later than those below, which are at 2i + 1 and 2i + 2. What was
    /// cancelled stays in it until it is at the top, or until most of it was.
    private var heap: [Entry] = []
    private var actions: [BlueZSession.TimerNumber: BlueZSession.Action] = [:]

    var next: Moment? { heap.first?.due }

    mutating func add(
        _ number: BlueZSession.TimerNumber, at due: Moment, _ action: @escaping BlueZSession.Action
    ) {
        actions[number] = action
        heap.append(Entry(due: due, number: number))
        rise(from: heap.count - 1)
    }

    /// Takes out what is not to happen, if it has not.
    mutating func remove(_ number: BlueZSession.TimerNumber) -> BlueZSession.Action? {
        guard let action = actions.removeValue(forKey: number) else { return nil }
        if heap.count > 2 * actions.count + Self.room {
            heap = heap.filter { actions[$0.number] != nil }.sorted()
        }
        dropCancelled()
        return action
    }

    /// Takes out what is due first, if it is and was asked for before that number.
    mutating func popDue(at now: Moment, before limit: UInt64) -> BlueZSession.Action? {
        guard let first = heap.first, first.due <= now, first.number.rawValue <= limit else {
            return nil
        }
        popFirst()
        defer { dropCancelled() }
        return actions.removeValue(forKey: first.number)
    }

    mutating func removeAll() -> [BlueZSession.Action] {
        defer { self = SessionTimers() }
        return Array(actions.values)
    }

    private mutating func dropCancelled() {
        while let first = heap.first, actions[first.number] == nil { popFirst() }
    }

    private mutating func popFirst() {
        guard let last = heap.popLast() else { return }
        guard !heap.isEmpty else { return }
        heap[0] = last
        sink()
    }

    private mutating func rise(from start: Int) {
        var index = start
        while index > 0 {
            let parent = (index - 1) / 2
            guard heap[index] < heap[parent] else { return }
            heap.swapAt(index, parent)
            index = parent
        }
    }

    private mutating func sink() {
        var index = 0
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2] where child < heap.count {
                if heap[child] < heap[least] { least = child }
            }
            guard least != index else { return }
            heap.swapAt(index, least)
            index = least
        }
    }

    private static let room = 64
}
#endif
