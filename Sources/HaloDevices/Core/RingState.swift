internal import HaloProtocol
internal import HaloTransport

/// What a ring's core remembers; used under its lock, and so never calls anything.
struct RingState: ActingState {
    /// How far the link is.
    enum Phase {
        /// Nothing was begun.
        case idle
        /// The backend makes it.
        case linking
        /// It is there, and the ring is being prepared.
        case preparing
        /// The ring can be asked.
        case ready
        /// It was lost, and is made again later.
        case waiting
        /// It is closed for good, and why.
        case closed(DeviceError)
    }

    /// A request that has not ended.
    struct Call {
        let number: UInt64
        let finish: @Sendable (EndedCall) -> Void
    }

    /// How a request has ended.
    struct EndedCall: Sendable {
        let completion: Completion
        /// Why it may not have reached the ring.
        let writeError: BLEError?
        /// Why the link has ended, if it has.
        let reason: DisconnectReason?
    }

    /// The latest moment that was seen.
    var now: Moment
    /// What the clock on the wall showed when preparing went on last.
    var wallClock: WallClock
    var phase = Phase.idle
    /// Which preparation of a link is under way; each has its own number.
    var stage: UInt64 = 0
    /// Which attempt to make a link it is; each has its own number.
    var linkNumber: UInt64 = 0
    /// How many attempts have failed since the link was lost; nothing before that.
    var failedAttempts: Int?
    /// What is being asked to prepare the link.
    var preparing: UInt64?
    var link: BLELink?
    var attributes: RingAttributes?
    /// What was begun for this link and is cancelled with it.
    var registrations: [Registration] = []
    /// What has the ring send, and is asked for anew when its services have changed.
    var subscriptions: [Registration] = []
    /// What ends preparing that takes too long.
    var patience: Registration?
    /// Who waits for the link.
    var connecting: [(number: UInt64, finish: @Sendable (Result<Void, DeviceError>) -> Void)] = []

    var session: RingSession
    var calls: [TicketNumber: Call] = [:]
    /// The last write that failed: the request that was written may have no other answer.
    var writeError: BLEError?
    /// Why the last link has ended.
    var endReason: DisconnectReason?
    /// When the session wants to be called, as the clock was told.
    var alarm: Alarm?

    var streams: [StreamNumber: StreamObserver] = [:]
    var openObservers: [StreamObserver] = []
    var stateListeners = Listeners<ConnectionState>()
    /// What was announced last.
    private var announced: ConnectionState?
    var eventListeners = Listeners<HeardEvent>()

    var knowledge: RingKnowledge

    var outbox = Outbox()
    private var lastNumber: UInt64 = 0

    init(
        _ session: RingSession, _ knowledge: RingKnowledge, _ wallClock: WallClock, _ now: Moment
    ) {
        self.session = session
        self.knowledge = knowledge
        self.wallClock = wallClock
        self.now = now
    }

    /// A call of the clock that was asked for.
    struct Alarm {
        let number: UInt64
        let moment: Moment
        var registration: Registration?
    }

    /// A number that nothing else of this ring has.
    mutating func newNumber() -> UInt64 {
        lastNumber &+= 1
        return lastNumber
    }

    var connectionState: ConnectionState {
        switch phase {
        case .ready: .connected
        case .closed(let error): .disconnected(error)
        case .idle, .linking, .preparing, .waiting:
            failedAttempts.map { .reconnecting(attempt: $0) } ?? .connecting
        }
    }

    /// Why the ring cannot be asked now; nothing if it can.
    var refusal: DeviceError? {
        switch phase {
        case .ready: nil
        case .closed(let error): error
        case .idle, .linking, .preparing, .waiting:
            DeviceError(.disconnected, reason: endReason)
        }
    }

    /// Tells whoever listens how it stands with the link, if that has changed.
    mutating func announce() {
        let state = connectionState
        guard state != announced else { return }
        announced = state
        let listeners = stateListeners.sinks
        guard !listeners.isEmpty else { return }
        outbox.append { for listener in listeners { listener.send(state) } }
    }
}

/// An event, and when it was heard.
struct HeardEvent: Sendable {
    let event: RingEvent
    let moment: Moment
}

/// Who is told of something.
struct Listeners<Element: Sendable> {
    /// One of them.
    struct Sink: Sendable {
        let id: ObjectIdentifier
        let send: @Sendable (Element) -> Void
        let finish: @Sendable (Result<Void, DeviceError>) -> Void
    }

    var sinks: [Sink] = []
}
