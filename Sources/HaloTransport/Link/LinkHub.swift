internal import HaloProtocol

/// The centre of one link: what is asked of the device goes out through it, and what the device
/// says comes in.
///
/// Rules:
/// - Nothing is called while the state is locked. What is to be called goes into one queue, and
///   one thread at a time empties it; so everything happens in one order, also when what is
///   called calls back.
/// - While the queue is being emptied, virtual time does not jump: what waits in it would be late.
/// - The link's end decides: every operation that is not complete ends with it, once, and what a
///   driver says later is ignored. An end that comes after ``close()`` has the reason
///   ``DisconnectReason/Kind/local``, whatever the driver says.
/// - At most ``maximumOperations`` are waiting, here and in the driver together.
/// - One write without response is with the driver at a time; what is asked for behind it waits
///   its turn, so operations keep their order.
final class LinkHub: Sendable {
    /// What can be asked for and not be complete at one time.
    static let maximumOperations = 256
    /// How long a driver may take to say that it has closed the link.
    static let closingTimeout: Duration = .seconds(5)

    /// The device at the other end.
    let identity: PeripheralIdentity
    /// The time at which things happen.
    let time: any TransportTime
    /// What the backend can do.
    let features: TransportFeatures
    let state = Locked(LinkState())

    /// The centre of a link that is still to be opened.
    init(
        _ identity: PeripheralIdentity, on time: any TransportTime, features: TransportFeatures
    ) {
        self.identity = identity
        self.time = time
        self.features = features
    }

    deinit {
        // Nobody else holds it: whoever still waits is told here, and the clock is asked nothing.
        let driver = state.withLock { $0.isClosing ? nil : $0.driver }
        driver?.disconnect()
        state.withLock { $0.finish(DisconnectReason(.local), at: .origin) }
        while let step = state.withLock({ $0.nextStep() }) {
            switch step {
            case .call(let call): call()
            case .perform, .tell: break
            }
        }
    }

    /// The link is there.
    func open(_ driver: any LinkDriver) {
        update { state in
            if state.end == nil { state.driver = driver }
        }
    }

    /// Why the link has ended, if it has.
    var end: DisconnectReason? { state.withLock { $0.end } }

    /// How many bytes one write can carry now.
    func maximumWriteLength(_ mode: WriteMode) -> Int {
        let driver = state.withLock { $0.driver }
        return max(0, driver?.maximumWriteLength(mode) ?? 0)
    }

    /// Takes in what has happened.
    func receive(_ event: LinkEvent) {
        let now = time.now()
        if case .value = event { return tell(event, at: now) }
        update { state in
            guard state.end == nil else { return }
            switch event {
            case .value, .maximumLengthChanged:
                state.enqueue(event, at: now)
            case .servicesChanged:
                state.forgetServices()
                state.enqueue(event, at: now)
            case .disconnected(let reason):
                // A link that the app is closing need not learn that it was lost before that.
                let ownReason = DisconnectReason(.local, details: reason.details)
                state.finish(state.isClosing ? ownReason : reason, at: now)
            }
        }
    }

    /// Closes the link; a driver that does not say in time that it has is not waited for.
    func close() {
        let mustClose = update { state in
            guard state.end == nil, !state.isClosing else { return false }
            state.isClosing = true
            return true
        }
        guard mustClose else { return }
        let timer = time.schedule(at: time.now() + Self.closingTimeout) { [weak self] in
            self?.receive(.disconnected(DisconnectReason(.local)))
        }
        update { state in
            if state.end == nil {
                state.closingTimer = timer
                state.outbox.append(.perform { $0.disconnect() })
            } else {
                state.outbox.append(.call { timer.cancel() })
            }
        }
    }

    /// Changes the state, and then does what has to be done about it.
    @discardableResult
    func update<Result>(_ change: (inout LinkState) -> Result) -> Result {
        time.waiting(.actionBegins)
        defer { time.waiting(.actionEnds) }
        let (result, mustDrain) = state.withLock { state in
            let result = change(&state)
            let mustDrain = !state.isDraining && !state.outbox.isEmpty
            if mustDrain { state.isDraining = true }
            return (result, mustDrain)
        }
        if mustDrain { drain() }
        return result
    }

    /// Tells an event at once, if nothing is before it.
    private func tell(_ event: LinkEvent, at now: Moment) {
        time.waiting(.actionBegins)
        defer { time.waiting(.actionEnds) }
        let (audience, mustDrain) = state.withLock { state -> (LinkAudience?, Bool) in
            guard state.end == nil else { return (nil, false) }
            // Something is in the queue only while it is being emptied.
            guard !state.isDraining else {
                state.enqueue(event, at: now)
                return (nil, false)
            }
            state.isDraining = true
            return (state.audience(of: event), true)
        }
        audience?.tell(event, at: now)
        if mustDrain { drain() }
    }

    /// Takes in values of a characteristic that came together. Where nobody is called for them,
    /// all are kept at once.
    func receive(_ values: [[UInt8]], of attribute: AttributeID) {
        guard values.count > 1 else {
            return values.forEach { receive(.value(attribute, $0)) }
        }
        time.waiting(.actionBegins)
        defer { time.waiting(.actionEnds) }
        let now = time.now()
        let subscribers = state.withLock { state -> [LinkSubscription.Subscriber]? in
            guard state.sinks.isEmpty, state.streams.isEmpty, !state.isDraining,
                state.end == nil
            else { return nil }
            state.isDraining = true
            return state.subscribers(to: attribute)
        }
        guard let subscribers else {
            return values.forEach { receive(.value(attribute, $0)) }
        }
        for subscriber in subscribers {
            subscriber.buffer?.push(
                contentsOf: values.lazy.map { LinkNotification(value: $0, moment: now) })
        }
        drain()
    }

    private func drain() {
        while let step = state.withLock({ $0.nextStep() }) {
            switch step {
            case .call(let call):
                call()
            case .perform(let perform, let driver):
                perform(driver)
            case .tell(let event, let moment, let audience):
                audience.tell(event, at: moment)
            }
        }
    }
}
