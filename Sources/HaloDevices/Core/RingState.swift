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
        case preparing(Preparation)
        /// The ring can be asked.
        case ready
        /// It was lost, and is made again later.
        case waiting
        /// It is closed for good, and why.
        case closed(DeviceError)
    }

    /// How far a ring is prepared.
    enum Preparation {
        /// The ring is made to send its answers: without that it is of no use.
        case subscribing
        /// The ring is asked what is good to know, and its clock is set.
        case asking
        /// What a new clock would put out of reach is read.
        case readingHistory(HistoryReading)
    }

    /// A request that has not ended.
    struct Call {
        /// The number under which an app can cancel it, or `nil` for one that prepares the link.
        let number: UInt64?
        let finish: @Sendable (EndedCall) -> Void
    }

    /// How a request has ended.
    struct EndedCall: Sendable {
        let completion: Completion
        /// Why what was written last did not reach the ring, or may not have.
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
    /// `true` once the ring has answered anything that it was asked while it is prepared.
    var hasAnswered = false
    var link: BLELink?
    var attributes: RingAttributes?
    /// What was begun for this link and is cancelled with it.
    var registrations: [Registration] = []
    /// What belongs to the services that were found, and is cancelled when they have changed.
    var subscriptions: [Registration] = []
    /// What the clock was told to call for.
    var timers: [TimerPurpose: Timer] = [:]
    /// When connecting has taken too long.
    var connectDeadline = Moment.distantFuture
    /// Who waits for the link.
    var connecting: [(number: UInt64, finish: @Sendable (Result<Void, DeviceError>) -> Void)] = []

    var session: RingSession
    var calls: [TicketNumber: Call] = [:]
    /// The last write that failed.
    var failedWrite: (number: WriteNumber, error: BLEError)?
    /// Why the last link has ended.
    var endReason: DisconnectReason?

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

    /// What the clock calls for, one call for each.
    enum TimerPurpose: Hashable, Sendable {
        /// What is under way with the link has taken too long.
        case link
        /// The session wants to be called.
        case session
    }

    /// A call of the clock that was asked for.
    struct Timer: Sendable {
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
