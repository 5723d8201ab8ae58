internal import HaloProtocol

/// The state of a ``BLELink``: what is asked of the device goes out through it, and what the
/// device says comes in.
///
/// Rules:
/// - Nothing is called while the state is locked. What is to be called goes into one queue, which
///   a ``Drain`` empties; so everything happens in one order, also when what is called calls back.
/// - The state lets go of nothing that others gave it: the last hold on a function may be the last
///   one on something that asks the link for more when it ends. Such things leave with the queue.
/// - The driver's events and answers come from an owner, what is asked for from guests.
/// - While the queue is being emptied, virtual time does not jump: what waits in it would be late.
/// - The link's end decides: every operation that is not complete ends with it, once, and what a
///   driver says later is ignored. An end that comes after ``BLELink/close()`` has the reason
///   ``DisconnectReason/Kind/local``, whatever the driver says.
/// - At most ``BLELink/maximumOperations`` are waiting, here and in the driver together.
/// - One write without response is with the driver at a time; what is asked for behind it waits
///   its turn, so operations keep their order.
struct LinkState: DrainState {
    typealias Sink = @Sendable (LinkEvent, Moment) -> Void

    /// What is to be called, in order.
    enum Action: Sendable {
        /// Something to tell; a value goes to those who had subscribed when it came.
        case event(LinkEvent, Moment, subscribers: [LinkSubscription.Subscriber])
        /// Values of a characteristic that came together.
        case values(
            AttributeID, ArraySlice<[UInt8]>, Moment, subscribers: [LinkSubscription.Subscriber])
        case call(@Sendable () -> Void)
        case perform(@Sendable (any LinkDriver) -> Void)
    }

    /// What is to be called next, with whom to call.
    enum Step: Sendable {
        case call(@Sendable () -> Void)
        case perform(@Sendable (any LinkDriver) -> Void, any LinkDriver)
        case tell(
            LinkEvent, Moment, [LinkSubscription.Subscriber], [(number: UInt64, sink: Sink)])
        case keep(ArraySlice<[UInt8]>, Moment, [LinkSubscription.Subscriber])
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

    var lastNumber: UInt64 = 0
    var operations: [UInt64: Operation] = [:]
    var waiting = FIFO<UInt64>()
    var withDriver: Set<UInt64> = []
    var unanswered: UInt64?

    /// What is told of every event, in the order of beginning.
    var sinks: [(number: UInt64, sink: Sink)] = []
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

    /// Takes the next thing to call out of the queue; a guest may call everything.
    mutating func nextStep(for role: DrainRole) -> Step? {
        while let action = outbox.popFirst() {
            switch action {
            case .call(let call):
                return .call(call)
            case .perform(let perform):
                if let driver { return .perform(perform, driver) }
            case .event(let event, let moment, let subscribers):
                let told = sinks
                if case .disconnected = event { sinks = [] }
                return .tell(event, moment, subscribers, told)
            case .values(let attribute, let values, let moment, let subscribers):
                guard let first = values.first else { continue }
                if sinks.isEmpty { return .keep(values, moment, subscribers) }
                // A sink that was added meanwhile is told of one value at a time.
                outbox.prepend(
                    .values(attribute, values.dropFirst(), moment, subscribers: subscribers))
                return .tell(.value(attribute, first), moment, subscribers, sinks)
            }
        }
        return nil
    }

    /// Puts an event behind everything else that is to be told.
    mutating func enqueue(_ event: LinkEvent, at moment: Moment) {
        outbox.append(.event(event, moment, subscribers: subscribers(to: event)))
    }

    /// The subscribers to a characteristic.
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

/// The functions by which a backend tells what happens on a link: values that came together are
/// told together.
package struct LinkReceiver: Sendable {
    /// Something has happened.
    package let event: @Sendable (LinkEvent) -> Void
    /// A characteristic has had values, one after the other.
    package let values: @Sendable (AttributeID, [[UInt8]]) -> Void

    /// A function that is told of one thing at a time.
    package init(_ event: @escaping @Sendable (LinkEvent) -> Void) {
        self.event = event
        values = { attribute, values in
            for value in values { event(.value(attribute, value)) }
        }
    }

    /// A link, which is not held by this.
    init(_ link: BLELink) {
        event = { [weak link] event in link?.receive(event) }
        values = { [weak link] attribute, values in link?.receive(values, of: attribute) }
    }
}
