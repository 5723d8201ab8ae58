#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// What is done about an operation that the daemon refuses.
extension BlueZSession {
    /// How long the daemon may be busy with something else.
    static let busyTimeout: Duration = .seconds(10)
    /// After how long a busy daemon is asked again; after twice as long each next time.
    static let firstRetry: Duration = .milliseconds(10)
    /// What that grows to.
    static let longestRetry: Duration = .milliseconds(640)
    /// How long the link's end is waited for that an error may announce.
    static let explanationTime: Duration = .milliseconds(250)

    mutating func failed(
        _ operation: LinkOperation, _ fault: BlueZFault, on number: LinkNumber
    ) {
        if case .notify(let isOn, _) = operation.work,
            subscriptionFailed(operation, isOn: isOn, fault, on: number)
        {
            return
        }
        switch fault.meaning {
        case .inProgress:
            retry(operation, fault, on: number)
        case .acquired where links[number]?.sockets.wasReleased(now) == true:
            // The daemon has not noticed yet that a socket of ours is closed.
            retry(operation, fault, on: number)
        case .unlikely where now.duration(since: operation.began) >= links.silence:
            // So the daemon says that a device has not answered for half a minute; the link ends
            // two seconds later (5.66, in the virtual machine).
            links[number]?.reason = DisconnectReason(.noResponse, details: fault.details)
            leave(number)
        case .unlikely, .gone:
            // A device's own 0x0E, the loss of the link, and sometimes that the daemon has begun to
            // pair (5.82 and 5.87) are the same word (testbed); a daemon that is gone is told of a
            // moment later.
            hold(fault, on: number) { session, number in
                if fault.meaning == .unlikely, session.mayWantKeys(operation, on: number) {
                    session.pair(becauseOf: fault, on: number)
                } else {
                    session.finish(.failure(fault.error(operation.kind)), on: number)
                }
            }
        case .notConnected:
            hold(fault, on: number) { session, number in
                session.links[number]?.reason = DisconnectReason(.remote, details: fault.details)
                session.leave(number)
            }
        case .timedOut:
            // Neither the device nor the daemon has done what Bluetooth demands of them.
            links[number]?.reason = DisconnectReason(.noResponse, details: fault.details)
            leave(number)
        case .notPaired where options.pairing != nil && operation.refusal == nil:
            pair(becauseOf: fault, on: number)
        default:
            finish(.failure(fault.error(operation.kind)), on: number)
        }
    }

    /// Asks once more after a while, unless that went on for too long (pitfall 6: "In Progress" in
    /// bleak's client).
    mutating func retry(
        _ operation: LinkOperation, _ fault: BlueZFault, on number: LinkNumber
    ) {
        guard now.duration(since: operation.began) < Self.busyTimeout else {
            return finish(.failure(fault.error(operation.kind)), on: number)
        }
        let doublings = min(operation.retries, 10)
        let pause = min(Self.firstRetry * (1 << doublings), Self.longestRetry)
        links[number]?.current?.retries += 1
        again(operation, after: pause, on: number)
    }

    /// Asks once more after a while.
    mutating func again(
        _ operation: LinkOperation, after pause: Duration, on number: LinkNumber
    ) {
        let step = operation.number
        wait(.retry, on: number, for: pause) { session, number in
            guard let current = session.links[number]?.current, current.number == step,
                session.links[number]?.isOpen == true
            else { return }
            session.start(current, on: number)
        }
    }

    /// Waits for a moment whether the link ends: then everything ends with that.
    private mutating func hold(
        _ fault: BlueZFault, on number: LinkNumber,
        then action: @escaping @Sendable (inout BlueZSession, LinkNumber) -> Void
    ) {
        wait(.hold, on: number, for: Self.explanationTime) { session, number in
            guard session.links[number]?.isOpen == true else { return }
            action(&session, number)
        }
    }
}

/// Values that a device sends by itself.
extension BlueZSession {
    /// A characteristic's values were told.
    ///
    /// What a read answers is told as a value too, just before the answer (pitfall 11: bleak,
    /// bluer; seen on 5.66). So values of a characteristic that is being read wait for the answer,
    /// and the last one that equals it is left out. If the device sends that very value by itself
    /// at that moment, one of the two is missing: nobody can tell them apart.
    mutating func valuesCame(_ values: [[UInt8]], from path: DBusObjectPath) {
        guard let source = links.sources[path] else { return }
        let values = withoutEquals(values, of: path)
        let (attribute, receiver) = (source.attribute, source.receiver)
        guard source.isRead else { return tell(values, of: attribute, to: receiver) }
        for value in values {
            guard let due = links[source.link]?.keep(value, of: attribute) else { continue }
            tell([due], of: attribute, to: receiver)
        }
    }

    /// The values without those that the options say to leave out.
    private mutating func withoutEquals(
        _ values: [[UInt8]], of path: DBusObjectPath
    ) -> [[UInt8]] {
        guard let time = options.leavesOutEqualValuesWithin else { return values }
        return values.filter { value in
            let last = links.sources[path]?.last
            links.sources[path]?.last = (value, now)
            guard let last, last.value == value else { return true }
            return now.duration(since: last.moment) > time
        }
    }

    /// Tells the values that waited for a read's answer.
    mutating func tellHeld(
        in operation: LinkOperation, answer: [UInt8]?, on number: LinkNumber
    ) {
        guard let attribute = operation.attribute else { return }
        if case .read = operation.work,
            case .characteristic(let path)? = links[number]?.attributes[attribute]
        {
            links.sources[path]?.isRead = false
        }
        var values = operation.values
        if let answer, let last = values.lastIndex(of: answer) { values.remove(at: last) }
        for value in values { tell(.value(attribute, value), on: number) }
    }

    /// The battery was told of.
    mutating func batteryCame(_ percentage: Int, on number: LinkNumber) {
        guard let course = links[number] else { return }
        if let attribute = course.attributes.battery {
            guard course.subscriptions[attribute] == .battery else { return }
            return tell(.value(attribute, [UInt8(clamping: percentage)]), on: number)
        }
        // A device that shows its battery service itself needs no other.
        if let plan = course.attributes.plan, !mirror.hidesBattery(in: plan) { return }
        if course.hasAwaitedBattery, course.timers[.quiet] != nil {
            endWait(.quiet, on: number)
            links[number]?.isQuiet = true
        }
        attributesReviewed(on: number)
    }
}
#endif
