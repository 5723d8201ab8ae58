#if os(Linux)
/// One connection to a bus, without a socket: bytes and time in, effects and bytes out.
///
/// Rules:
/// - First the two sides agree that we may come in, then `Hello` is sent, whose answer is the
///   name of the connection; what was asked for meanwhile goes out behind it, in order.
/// - Each call ends exactly once: with its answer, an error of the other side, its deadline, its
///   cancellation, or the end of the connection. An answer that comes later is dropped.
/// - No wait is without a deadline, and ``deadline`` is not later than the earliest one. It may
///   be earlier: then ``tick(at:)`` finds nothing to do.
/// - Signals and calls from outside become effects in the order in which they came. A signal
///   goes to every subscription that means it, whichever rule it was that the bus let it through
///   for.
/// - Rules of the same text are one rule for the bus. It is told of the first subscription and
///   of the last one's end. If it refuses the rule, all its subscriptions end with that error.
/// - Whose a well-known name is, the bus is asked for names that subscriptions speak of, before
///   the rule is added; so the answer is there before the first signal that the rule lets through.
/// - What cannot be read ends the connection: nobody knows where the next message begins.
/// - Everything is bounded: calls that wait, subscriptions, calls from outside that are not
///   answered, effects that nobody took, bytes that are not sent. What would be more is refused
///   with ``DBusError/Kind/tooMuch``; what cannot be refused ends the connection with it.
/// - After the end nothing happens any more. It is the last effect.
struct DBusSession: Sendable {
    /// What may wait at most.
    struct Limits: Sendable {
        var pendingCalls = 16384
        var subscriptions = 4096
        var requests = 4096
        var effects = 1 << 16
        /// Bytes that are not sent; one message more is let through, of any length.
        var outgoingBytes = 1 << 26
        /// Answers that nobody asked for here may take so many bytes more.
        var answerBytes = 1 << 26
    }

    /// What has happened, for whoever holds the session.
    enum Effect: Sendable {
        /// The bus has let us in, and given us a name.
        case ready
        /// A call has ended.
        case answered(UInt32, Result<DBusReply, DBusError>)
        /// A subscription is known to the bus, or was refused.
        case subscribed(UInt32, DBusError?)
        /// A signal, and the subscriptions that mean it.
        case signal(DBusSignal, [UInt32])
        /// Values of a property, and the subscriptions that mean them.
        case values(DBusPropertyValues, [UInt32])
        /// Something is asked of an object.
        case request(DBusObjectRequest)
        /// The connection has ended.
        case ended(DBusError)
    }

    enum Phase: Sendable {
        case authenticating(DBusAuthentication)
        case greeting
        case open
        case ended(DBusError)
    }

    let limits: Limits
    /// What the bus has to call itself, if its address says so.
    var expectedBusID: String?
    private(set) var phase: Phase
    /// The name that the bus gave us.
    private(set) var uniqueName: String?
    /// What the bus calls itself.
    private(set) var busID: String?
    private(set) var passesDescriptors = false
    private var effects: [Effect] = []
    /// How much has happened that nobody took, each value counted.
    private var effectCount = 0
    var handshake: [UInt8] = []
    var outgoing = DBusQueue<Outgoing>()
    var outgoingBytes = 0
    /// The number of the last message.
    var lastSerial: UInt32 = 0
    var calls = DBusPendingCalls()
    var matching = DBusMatching()
    var objects = DBusObjectTree()

    /// A session that begins at once; the bus has until `deadline` to let us in.
    init(
        _ authentication: DBusAuthentication, limits: Limits = Limits(), until deadline: Int64
    ) {
        self.limits = limits
        var authentication = authentication
        handshake = authentication.start()
        phase = .authenticating(authentication)
        let hello = DBusCall("Hello", of: DBusName.bus, at: .bus, on: DBusName.bus)
        do throws(DBusError) {
            try begin(hello, .hello, until: deadline)
        } catch {
            end(error)
        }
    }

    /// Why the connection has ended, if it has.
    var endError: DBusError? {
        if case .ended(let error) = phase { error } else { nil }
    }

    /// When ``tick(at:)`` is due.
    var deadline: Int64? { calls.deadline }

    // MARK: In

    /// Takes in what comes before messages do; where those begin, once they do.
    mutating func authenticate(_ bytes: Span<UInt8>) -> Int? {
        var start = 0
        while start < bytes.count, case .authenticating(var authentication) = phase {
            do throws(DBusAuthenticationError) {
                let step = try authentication.receive(bytes[start])
                phase = .authenticating(authentication)
                take(step, authentication)
            } catch {
                end(DBusError(.notAuthenticated, details: error.description))
            }
            start += 1
        }
        if case .authenticating = phase { return nil }
        return start
    }

    /// Takes in the messages that came.
    mutating func receive(_ input: inout DBusInput) {
        input.takeAll { item in
            switch item {
            case .values(let values, let place): receive(values, place)
            case .message(let message, let descriptors): receive(message, descriptors)
            case .malformed(let error): end(DBusError(.malformed, wire: error))
            }
            return endError == nil
        }
    }

    /// The other side has closed the connection, or it broke: perhaps inside of a message.
    mutating func receiveEnd(_ reason: String? = nil, isInsideMessage: Bool = false) {
        var words = reason ?? "the bus has closed it"
        if isInsideMessage { words += ", in the middle of a message" }
        end(DBusError(.disconnected, details: words))
    }

    /// Time passes.
    mutating func tick(at now: Int64) {
        // Without a greeting it is all over: that comes last.
        let due = calls.takeDue(at: now)
        for call in due where call.purpose != .hello {
            settle(call, .failure(DBusError(.timedOut)))
        }
        for call in due where call.purpose == .hello {
            settle(call, .failure(DBusError(.timedOut)))
        }
    }

    /// Ends it all, for that reason.
    mutating func end(_ error: DBusError) {
        guard endError == nil else { return }
        phase = .ended(error)
        for call in calls.takeAll() { settle(call, .failure(error)) }
        matching.removeAll()
        objects.forgetRequests()
        outgoing = DBusQueue()
        outgoingBytes = 0
        addAnswer(.ended(error))
    }

    // MARK: Out

    /// What has happened since this was asked last.
    mutating func takeEffects() -> [Effect] {
        defer { (effects, effectCount) = ([], 0) }
        return effects
    }

    /// Whether anything has happened since.
    var hasEffects: Bool { !effects.isEmpty }

    // MARK: Inside

    mutating func add(_ effect: Effect) {
        guard endError == nil, hasRoom() else { return }
        addAnswer(effect)
    }

    /// Adds what a call has come to: it is let through beyond any limit.
    mutating func addAnswer(_ effect: Effect) {
        effects.append(effect)
        effectCount += 1
    }

    private mutating func receive(_ values: DBusPropertyValues, _ place: Int) {
        let subscriptions = matching.subscriptions(for: values.source, at: place)
        guard !subscriptions.isEmpty, hasRoom() else { return }
        effects.append(.values(values, subscriptions))
        effectCount += values.values.count
    }

    /// Whether more can happen before it is taken; if not, it is all over.
    private mutating func hasRoom() -> Bool {
        guard effectCount >= limits.effects else { return true }
        end(DBusError(.tooMuch, details: "signals and calls that nobody takes"))
        return false
    }

    mutating func greeted(_ name: String) {
        uniqueName = name
        phase = .open
        add(.ready)
    }

    /// A number for the next message: never 0, and none that is waited for.
    mutating func nextSerial() -> UInt32 {
        repeat { lastSerial &+= 1 } while lastSerial == 0 || calls.contains(lastSerial)
        return lastSerial
    }

    private mutating func take(
        _ step: DBusAuthentication.Step, _ authentication: DBusAuthentication
    ) {
        switch step {
        case .wait: break
        case .send(let bytes): handshake += bytes
        case .done(let bytes, let passesDescriptors):
            handshake += bytes
            busID = authentication.busID
            self.passesDescriptors = passesDescriptors
            phase = .greeting
            if !passesDescriptors { takeBackDescriptors() }
            guard expectedBusID == nil || expectedBusID == busID else {
                return end(DBusError(.notAuthenticated, details: "it is another bus"))
            }
        }
    }
}
#endif
