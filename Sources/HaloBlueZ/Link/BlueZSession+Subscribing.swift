#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// Switching a device's values on and off.
///
/// - Who wants values is put down before the daemon is asked: a value that comes before its answer
///   is told (pitfall 12: bleak#374).
/// - A characteristic is switched on once, whoever wants its values: the layer above shares them
///   (pitfall 13: bleak#484).
/// - It is switched off in the way in which it was switched on (bleak#1973).
/// - What is left at a link's end is switched off then: the daemon would go on with it on the next
///   link (pitfall 10: testbed; tinygo#260).
extension BlueZSession {
    /// Switches values on or off.
    mutating func setNotify(
        _ isOn: Bool, at path: DBusObjectPath, _ operation: LinkOperation, on number: LinkNumber
    ) {
        guard let attribute = operation.attribute else { return }
        let mode = links[number]?.subscriptions[attribute]
        switch (isOn, mode) {
        case (true, nil), (true, .broken):
            if takesSocket(operation, at: path) {
                ask(
                    GattCharacteristic1.acquireNotify, at: path, Self.noOptions, for: operation,
                    on: number)
            } else {
                guard let receiver = links[number]?.shell.receiver else { return }
                links.sources[path] = LinkTable.Source(
                    link: number, attribute: attribute, receiver: receiver)
                ask(GattCharacteristic1.startNotify, at: path, for: operation, on: number)
            }
        case (true, .some), (false, nil), (false, .broken):
            finish(.success([]), on: number)
        case (false, .socket(let socket)):
            closeSocket(socket, on: number)
            finish(.success([]), on: number)
        case (false, _):
            ask(GattCharacteristic1.stopNotify, at: path, for: operation, on: number)
        }
    }

    /// Whether values are to come through a socket: if the daemon has such, which it says by a
    /// property, and has not refused it.
    private func takesSocket(_ operation: LinkOperation, at path: DBusObjectPath) -> Bool {
        options.notifyMode == .sockets && !operation.doesWithoutSocket
            && mirror.characteristics[path]?.notifyAcquired != nil
    }

    /// The daemon has switched values on.
    mutating func subscribed(
        _ operation: LinkOperation, _ reply: DBusReply, on number: LinkNumber
    ) {
        guard let attribute = operation.attribute,
            case .characteristic(let path)? = links[number]?.attributes[attribute]
        else { return finish(.failure(BLEError(.noSuchAttribute, .subscribe)), on: number) }
        guard takesSocket(operation, at: path) else {
            links[number]?.subscriptions[attribute] = .signals
            return finish(.success([]), on: number)
        }
        guard let socket = keepSocket(reply, .values(attribute), path, on: number) else {
            return doWithoutSocket(operation, on: number)
        }
        links[number]?.subscriptions[attribute] = .socket(socket)
        finish(.success([]), on: number)
    }

    /// The daemon does not switch values on or off; whether something else is done about it.
    mutating func subscriptionFailed(
        _ operation: LinkOperation, isOn: Bool, _ fault: BlueZFault, on number: LinkNumber
    ) -> Bool {
        guard isOn else {
            // There was nothing to switch off.
            guard fault.meaning == .notBegun || fault.meaning == .unknownObject else {
                return false
            }
            finish(.success([]), on: number)
            return true
        }
        guard let attribute = operation.attribute,
            case .characteristic(let path)? = links[number]?.attributes[attribute]
        else { return false }
        if takesSocket(operation, at: path) {
            switch fault.meaning {
            case .notSupported, .acquired, .inProgress, .unknownObject, .other:
                // No sockets here (bleak#1945), or not now: signals come in any case.
                doWithoutSocket(operation, on: number)
                return true
            default:
                return false
            }
        }
        // It is on from a link before (testbed): as it should be.
        guard fault.meaning == .inProgress else { return false }
        links[number]?.subscriptions[attribute] = .signals
        finish(.success([]), on: number)
        return true
    }

    private mutating func doWithoutSocket(_ operation: LinkOperation, on number: LinkNumber) {
        links[number]?.current?.doesWithoutSocket = true
        guard let current = links[number]?.current else { return }
        start(current, on: number)
    }

    /// What is known of a subscription after it was switched, or was not.
    mutating func settleSubscription(
        _ operation: LinkOperation, _ result: Result<[UInt8], BLEError>, on number: LinkNumber
    ) {
        guard case .notify(let isOn, _) = operation.work, let attribute = operation.attribute,
            case .characteristic(let path)? = links[number]?.attributes[attribute]
        else { return }
        if case .success = result, isOn { return }
        links[number]?.subscriptions[attribute] = nil
        if links.sources[path]?.link == number { links.sources[path] = nil }
    }

    /// Ends all subscriptions of a link: it is over, or its numbers are stale.
    mutating func releaseSubscriptions(of number: LinkNumber) {
        guard let course = links[number] else { return }
        var paths: [DBusObjectPath] = []
        for (path, source) in links.sources where source.link == number { paths.append(path) }
        for path in paths.sorted(by: { $0.comesBefore($1) }) {
            links.sources[path] = nil
            guard mirror.characteristics[path] != nil else { continue }
            if course.isOpen {
                submit(.release(path), for: nil, on: number)
            } else {
                call(
                    GattCharacteristic1.stopNotify, of: GattCharacteristic1.interfaceName,
                    at: path
                ) { _, _ in }
            }
        }
        links[number]?.subscriptions = [:]
        for socket in course.sockets.entries.keys.sorted() { closeSocket(socket, on: number) }
    }
}
#endif
