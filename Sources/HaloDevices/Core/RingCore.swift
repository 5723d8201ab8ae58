internal import HaloProtocol
internal import HaloTransport

/// What a ``Ring`` is made of: a conversation, the link under it, and who waits for what.
///
/// Rules:
/// - It has no task. The link and the clock call it, and it calls whoever waits.
/// - Nothing is called while the state is locked, the clock neither. What is to be called goes
///   into one queue, and one thread at a time empties it; so everything happens in one order, also
///   when what is called calls back. Virtual time does not jump meanwhile.
/// - Each link has a number. What an earlier link, or an earlier attempt, still has to say is
///   ignored.
/// - Every call ends once: with the answer, with the link, or by being cancelled.
final class RingCore: Sendable {
    let identity: PeripheralIdentity
    let transport: any BLETransport
    let time: any TransportTime
    let options: RingOptions
    private let state: Locked<RingState>

    init(_ identity: PeripheralIdentity, _ transport: any BLETransport, _ options: RingOptions) {
        self.identity = identity
        self.options = options
        time = transport.time
        if let observer = options.observer {
            self.transport = Self.traced(transport, observer)
        } else {
            self.transport = transport
        }
        let wallClock = time.wallClock()
        let clock = RingClock(
            secondsFromUTC: options.clock.zone.secondsFromUTC(wallClock), wasSet: false)
        state = Locked(
            RingState(
                RingSession(options.rules),
                RingKnowledge(assuming: clock, after: options.earlierClocks), wallClock,
                time.now()))
    }

    private static func traced(
        _ transport: some BLETransport, _ observer: @escaping LinkObserver
    ) -> any BLETransport {
        TracedTransport(transport, observer)
    }

    /// What is known of the ring.
    var knowledge: RingKnowledge { state.withLock { $0.knowledge } }

    /// The link as it is now.
    var link: BLELink? { state.withLock { $0.link } }

    /// How it stands with the link.
    var connectionState: ConnectionState { state.withLock { $0.connectionState } }

    /// Changes the state, and then does what has to be done about it.
    @discardableResult
    func update<Result>(_ change: (inout RingState) -> Result) -> Result {
        state.update(on: time, change)
    }

    /// Changes the state if a link, or an attempt to make one, is still the one that is meant.
    func update(of link: UInt64, _ change: (inout RingState) -> Void) {
        update { state in
            if state.linkNumber == link { change(&state) }
        }
    }

    /// Goes on with preparing a link, if it is still that which is being done.
    func update(in stage: UInt64, _ change: (inout RingState) -> Void) {
        let clock = time.wallClock()
        update { state in
            guard state.stage == stage else { return }
            state.wallClock = clock
            change(&state)
        }
    }
}
