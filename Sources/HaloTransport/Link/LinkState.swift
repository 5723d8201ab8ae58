internal import HaloProtocol

/// What a link's centre remembers; used under its lock, and so never calls anything.
///
/// Nor does it let go of what others gave it: the last hold on a function may be the last one on
/// something that asks the link for more when it ends. Such things leave with the queue.
struct LinkState: Sendable {
    typealias Sink = @Sendable (LinkEvent, Moment) -> Void

    /// What is to be called, in order.
    enum Action: Sendable {
        /// Something to tell; a value goes to those who had subscribed when it came.
        case event(LinkEvent, Moment, subscribers: [LinkSubscription.Subscriber])
        case call(@Sendable () -> Void)
        case perform(@Sendable (any LinkDriver) -> Void)
    }

    /// What is to be called next, with whom to call.
    enum Step: Sendable {
        case call(@Sendable () -> Void)
        case perform(@Sendable (any LinkDriver) -> Void, any LinkDriver)
        case tell(LinkEvent, Moment, LinkAudience)
    }

    /// Something that was asked for and is not complete.
    struct Operation: Sendable {
        let number: UInt64
        let kind: BLEError.Operation
        let uuid: BluetoothUUID?
        /// Whether it is a write without response, of which a driver gets one at a time.
        let isUnanswered: Bool
        let perform: @Sendable (any LinkDriver) -> Void
        let fail: @Sendable (BLEError) -> Void
    }

    var driver: (any LinkDriver)?
    var end: DisconnectReason?
    var isClosing = false
    var closingTimer: Registration?

    var outbox = FIFO<Action>()
    var isDraining = false

    var lastNumber: UInt64 = 0
    var operations: [UInt64: Operation] = [:]
    var waiting = FIFO<UInt64>()
    var withDriver: Set<UInt64> = []
    var unanswered: UInt64?

    var sinks: [(number: UInt64, sink: Sink)] = []
    var streams: [(number: UInt64, buffer: StreamBuffer<ReceivedEvent>)] = []
    var subscriptions: [AttributeID: LinkSubscription] = [:]
    var discovery = LinkDiscovery()

    /// A number that nothing else on this link has.
    mutating func newNumber() -> UInt64 {
        lastNumber &+= 1
        return lastNumber
    }

    /// The error with which something ends that the link's end has overtaken.
    func endedError(_ kind: BLEError.Operation, _ uuid: BluetoothUUID?) -> BLEError? {
        guard let reason = end ?? (isClosing ? DisconnectReason(.local) : nil) else { return nil }
        return BLEError(.disconnected, kind, uuid: uuid, reason: reason)
    }

    /// Takes the next thing to call out of the queue.
    mutating func nextStep() -> Step? {
        while let action = outbox.popFirst() {
            switch action {
            case .call(let call):
                return .call(call)
            case .perform(let perform):
                if let driver { return .perform(perform, driver) }
            case .event(let event, let moment, let subscribers):
                let audience = LinkAudience(
                    subscribers: subscribers, sinks: sinks, streams: streams)
                if case .disconnected = event {
                    sinks = []
                    streams = []
                }
                return .tell(event, moment, audience)
            }
        }
        isDraining = false
        return nil
    }

    /// Who is told of an event now.
    func audience(of event: LinkEvent) -> LinkAudience {
        LinkAudience(subscribers: subscribers(to: event), sinks: sinks, streams: streams)
    }

    /// Puts an event behind everything else that is to be told.
    mutating func enqueue(_ event: LinkEvent, at moment: Moment) {
        outbox.append(.event(event, moment, subscribers: subscribers(to: event)))
    }

    /// Who has subscribed to a characteristic.
    func subscribers(to attribute: AttributeID) -> [LinkSubscription.Subscriber] {
        subscriptions[attribute]?.subscribers ?? []
    }

    private func subscribers(to event: LinkEvent) -> [LinkSubscription.Subscriber] {
        guard case .value(let attribute, _) = event else { return [] }
        return subscribers(to: attribute)
    }

    /// Hands waiting operations to the driver, as far as their order and its room allow.
    mutating func handOver() {
        while let number = waiting.first, let operation = operations[number] {
            if operation.isUnanswered {
                guard unanswered == nil else { return }
                unanswered = number
            }
            _ = waiting.popFirst()
            withDriver.insert(number)
            outbox.append(.perform(operation.perform))
        }
    }

    /// Ends everything with the link.
    mutating func finish(_ reason: DisconnectReason, at now: Moment) {
        end = reason
        waiting = FIFO()
        withDriver = []
        unanswered = nil
        for operation in operations.values.sorted(by: { $0.number < $1.number }) {
            let error = BLEError(
                .disconnected, operation.kind, uuid: operation.uuid, reason: reason)
            outbox.append(.call { operation.fail(error) })
        }
        operations = [:]
        endDiscovery(reason)
        endSubscriptions(
            reason.kind == .local ? nil : BLEError(.disconnected, .receive, reason: reason),
            pending: BLEError(.disconnected, .subscribe, reason: reason))
        enqueue(.disconnected(reason), at: now)
        if let closingTimer { outbox.append(.call { closingTimer.cancel() }) }
        closingTimer = nil
        if let driver { outbox.append(.call { withExtendedLifetime(driver) {} }) }
        driver = nil
    }
}

/// Who is told of an event.
struct LinkAudience: Sendable {
    let subscribers: [LinkSubscription.Subscriber]
    let sinks: [(number: UInt64, sink: LinkState.Sink)]
    let streams: [(number: UInt64, buffer: StreamBuffer<ReceivedEvent>)]

    /// Tells them: those who keep order first.
    func tell(_ event: LinkEvent, at moment: Moment) {
        for sink in sinks { sink.sink(event, moment) }
        for stream in streams { stream.buffer.push(ReceivedEvent(event, moment: moment)) }
        switch event {
        case .value(_, let value):
            for subscriber in subscribers {
                subscriber.buffer?.push(LinkNotification(value: value, moment: moment))
            }
        case .disconnected:
            for stream in streams { stream.buffer.end() }
        case .servicesChanged, .maximumLengthChanged:
            break
        }
    }
}
