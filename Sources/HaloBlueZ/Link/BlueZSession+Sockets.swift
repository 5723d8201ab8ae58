#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// Sockets beside the bus, by `AcquireNotify` and `AcquireWrite`: only if the options ask for
/// them, and only where the daemon has them.
///
/// - What a device sends at the moment of subscribing may be lost with them (bleak#1885), and
///   nobody else gets the values.
/// - A link's end is told when its sockets are empty (bleak#1921).
/// - Between a socket and the bus there is no order: a characteristic is written through a socket
///   when it was written without a response several times in a row, and never again when it is
///   written with one.
extension BlueZSession {
    /// How many writes without response in a row are worth a socket.
    static let commandsBeforeSocket = 8

    // MARK: Sockets in general

    /// Keeps a socket that the daemon gave, and has it made; gives its number.
    mutating func keepSocket(
        _ reply: DBusReply, _ purpose: LinkSockets.Purpose, _ path: DBusObjectPath,
        on number: LinkNumber
    ) -> UInt64? {
        guard reply.values.count > 1, let place = reply.values.first,
            place.descriptorIndex != nil,
            let length = reply.values[1].integer.flatMap({ UInt16(exactly: $0) }),
            let shell = links[number]?.shell
        else { return nil }
        let socket = links.newNumber()
        links[number]?.sockets.entries[socket] = LinkSockets.Entry(
            purpose: purpose, path: path, length: Int(length))
        measure(number)
        let offer = LinkSocketOffer(
            link: number, number: socket, descriptors: reply.descriptors, place: place)
        perform { shell.openSocket(offer) }
        return socket
    }

    /// A socket was made, or could not be.
    mutating func socketMade(
        _ socket: (any LinkSocket)?, _ key: UInt64, on number: LinkNumber
    ) {
        guard let socket else { return socketEnded(key, on: number) }
        guard links[number]?.sockets.entries[key] != nil else {
            // It was closed before it was there.
            perform { socket.close() }
            return writeAgain(without: key, on: number)
        }
        links[number]?.sockets.entries[key]?.socket = socket
        if let current = links[number]?.current, current.socket == key {
            start(current, on: number)
        }
    }

    /// Values came through a socket.
    mutating func socketReceived(_ values: [[UInt8]], _ key: UInt64, on number: LinkNumber) {
        guard case .values(let attribute)? = links[number]?.sockets.entries[key]?.purpose,
            links[number]?.isTold == true, let receiver = links[number]?.shell.receiver
        else { return }
        guard effectCount < Self.maximumEffects else {
            return busEnded(daemon.connection, DBusError(.tooMuch, details: "values"))
        }
        tell(values, of: attribute, to: receiver)
    }

    /// A socket has ended: with its link, or because somebody took it away.
    mutating func socketEnded(_ key: UInt64, on number: LinkNumber) {
        guard let entry = links[number]?.sockets.entries.removeValue(forKey: key) else { return }
        perform { withExtendedLifetime(entry) {} }
        guard let course = links[number] else { return }
        if course.isOver {
            if course.sockets.isEmpty, case .values = entry.purpose { emptied(number) }
            return
        }
        links[number]?.sockets.releasedAt = now
        measure(number)
        switch entry.purpose {
        case .values(let attribute):
            guard course.subscriptions[attribute] == .socket(key) else { return }
            links[number]?.subscriptions[attribute] = .broken
            goOn(attribute, on: number)
        case .writes(let attribute):
            links[number]?.sockets.commands[attribute] = .some(nil)
            writeAgain(without: key, on: number)
        }
    }

    /// What was to go through a socket that is no more is written in another way, if there is one.
    private mutating func writeAgain(without key: UInt64, on number: LinkNumber) {
        guard let course = links[number], course.isOpen, var current = course.current,
            current.socket == key
        else { return }
        endWait(.hold, on: number)
        current.socket = nil
        links[number]?.current = current
        start(current, on: number)
    }

    /// Somebody has taken a socket away, if the link has not ended with it, or it never was one:
    /// values go on as signals. Another socket might end the same way, again and again.
    private mutating func goOn(_ attribute: AttributeID, on number: LinkNumber) {
        _ = after(Self.explanationTime) { session in
            guard let course = session.links[number], course.isOpen,
                course.subscriptions[attribute] == .broken
            else { return }
            session.submit(
                .notify(true) { _ in }, for: attribute, on: number, isWithoutSocket: true)
        }
    }

    /// All that was in the sockets of a link that is over has been told.
    private mutating func emptied(_ number: LinkNumber) {
        guard let course = links[number], let device = course.device,
            mirror.devices[device]?.isConnected != true
        else { return }
        if course.phase == .leaving { return end(number, nil, orElse: .cancelled) }
        wait(.step, on: number, for: Self.reasonTimeout) { session, number in
            session.end(number, nil, orElse: .disconnected)
        }
    }

    /// Closes a socket, which switches off what it was for.
    mutating func closeSocket(_ key: UInt64, on number: LinkNumber) {
        guard let entry = links[number]?.sockets.entries.removeValue(forKey: key) else { return }
        links[number]?.sockets.releasedAt = now
        perform { entry.socket?.close() }
        measure(number)
    }

    // MARK: Writing

    /// Writes a value, through a socket if there is one.
    mutating func write(
        _ value: [UInt8], _ mode: WriteMode, to path: DBusObjectPath,
        _ operation: LinkOperation, on number: LinkNumber
    ) {
        guard let attribute = operation.attribute else { return }
        let socket = links[number]?.sockets.number(for: .writes(attribute))
        if let socket, mode == .withoutResponse, !value.isEmpty {
            return send(value, through: socket, operation, on: number)
        }
        if let socket {
            // The daemon takes writes in one way at a time ("Write acquired").
            closeSocket(socket, on: number)
            links[number]?.sockets.commands[attribute] = .some(nil)
        }
        if takesSocket(mode, attribute, operation, at: path, on: number) {
            return acquireWrite(path, operation, on: number)
        }
        let type =
            switch mode {
            case .withResponse: AttributeOption.request
            case .withoutResponse: AttributeOption.command
            }
        ask(
            GattCharacteristic1.writeValue, at: path,
            [.bytes(value), .properties([AttributeOption.type: .string(type)])],
            for: operation, on: number)
    }

    private mutating func takesSocket(
        _ mode: WriteMode, _ attribute: AttributeID, _ operation: LinkOperation,
        at path: DBusObjectPath, on number: LinkNumber
    ) -> Bool {
        guard options.acquiresWrites, operation.retries == 0, !operation.doesWithoutSocket,
            mirror.characteristics[path]?.writeAcquired != nil,
            let count = links[number]?.sockets.commands[attribute, default: 0]
        else { return false }
        let row = mode == .withoutResponse ? count + 1 : 0
        links[number]?.sockets.commands[attribute] = .some(row)
        return row > Self.commandsBeforeSocket
    }

    private mutating func acquireWrite(
        _ path: DBusObjectPath, _ operation: LinkOperation, on number: LinkNumber
    ) {
        let step = operation.number
        call(
            GattCharacteristic1.acquireWrite, of: GattCharacteristic1.interfaceName, at: path,
            Self.noOptions, timeout: Self.operationTimeout
        ) { session, answer in
            guard let current = session.links[number]?.current, current.number == step,
                let attribute = current.attribute
            else { return }
            if case .success(let reply) = answer,
                let socket = session.keepSocket(reply, .writes(attribute), path, on: number)
            {
                session.links[number]?.current?.socket = socket
                return
            }
            // None is to be had: the bus is used from now on.
            session.links[number]?.sockets.commands[attribute] = .some(nil)
            session.start(current, on: number)
        }
    }

    private mutating func send(
        _ value: [UInt8], through key: UInt64, _ operation: LinkOperation,
        on number: LinkNumber
    ) {
        links[number]?.current?.socket = key
        guard let socket = links[number]?.sockets.entries[key]?.socket,
            let shell = links[number]?.shell
        else { return }
        wait(.hold, on: number, for: Self.operationTimeout) { session, number in
            guard session.links[number]?.isOpen == true else { return }
            let text = "the daemon does not take what is written"
            session.links[number]?.reason = DisconnectReason(.noResponse, details: text)
            session.leave(number)
        }
        let step = operation.number
        perform {
            socket.send(value) { isTaken in
                shell.update { session in
                    session.sent(isTaken, step, through: key, on: number)
                }
            }
        }
    }

    private mutating func sent(
        _ isTaken: Bool, _ step: UInt64, through key: UInt64, on number: LinkNumber
    ) {
        guard let current = links[number]?.current, current.number == step,
            current.socket == key
        else { return }
        guard isTaken else {
            // The other end is closed, because the link is over or the socket was taken away; or
            // this one is, because what was given out is stale.
            socketEnded(key, on: number)
            return writeAgain(without: key, on: number)
        }
        finish(.success([]), on: number)
    }
}
#endif
