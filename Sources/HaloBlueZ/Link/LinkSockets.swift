#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// A descriptor that the daemon gave, to be made a socket of. Nobody has to close it: when nobody
/// holds it, it is closed (pitfall 22: bleak#1698).
struct LinkSocketOffer: Hashable, Sendable {
    let number: UInt64
    /// What came with the daemon's answer.
    let descriptors: DBusDescriptors
    let place: DBusValue

    static func == (one: LinkSocketOffer, other: LinkSocketOffer) -> Bool {
        one.number == other.number && one.place == other.place
    }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

struct LinkSockets: Hashable, Sendable {
    enum Purpose: Hashable, Sendable {
        case values(AttributeID)
        case writes(AttributeID)
    }

    struct Entry: Hashable, Sendable {
        let purpose: Purpose
        /// The length of packets, as the daemon gave it.
        let length: Int
        var isMade = false
    }

    /// For how long a daemon may not have noticed that a socket was closed.
    private static let releaseTime: Duration = .seconds(2)

    var entries: [UInt64: Entry] = [:]
    var releasedAt: Moment?
    /// How many writes without response each characteristic had, one after the other; nothing for
    /// those that are never written through a socket.
    private var commands: [AttributeID: Int?] = [:]

    /// Whether there is none from which values may come.
    var isEmpty: Bool {
        !entries.values.contains { if case .values = $0.purpose { true } else { false } }
    }

    var lengths: [Int] { entries.values.map(\.length) }

    /// Whether one was closed a moment ago.
    func wasReleased(_ now: Moment) -> Bool {
        releasedAt.map { now.duration(since: $0) < Self.releaseTime } ?? false
    }

    func number(for purpose: Purpose) -> UInt64? {
        entries.first { $0.value.purpose == purpose }?.key
    }

    /// The characteristic whose values come through a socket.
    func source(_ number: UInt64) -> AttributeID? {
        if case .values(let attribute)? = entries[number]?.purpose { attribute } else { nil }
    }

    /// A socket was made; whether it is wanted.
    mutating func made(_ number: UInt64) -> Bool {
        entries[number]?.isMade = true
        return entries[number] != nil
    }

    /// A socket is no more; what it was for.
    mutating func remove(_ number: UInt64) -> Purpose? {
        entries.removeValue(forKey: number)?.purpose
    }

    /// A characteristic is not written through a socket any more.
    mutating func renounce(_ attribute: AttributeID) { commands[attribute] = .some(nil) }

    /// Whether a socket is worth asking for, with this write.
    mutating func isWorthwhile(for attribute: AttributeID, _ mode: WriteMode) -> Bool {
        guard let count = commands[attribute, default: 0] else { return false }
        let row = mode == .withoutResponse ? count + 1 : 0
        commands[attribute] = .some(row)
        return row > LinkLimits.commandsBeforeSocket
    }
}

/// Sockets beside the bus, by `AcquireNotify` and `AcquireWrite`: only if the options ask for
/// them, and only where the daemon has them.
///
/// - What a device sends at the moment of subscribing may be lost with them (bleak#1885), and
///   nobody else gets the values.
/// - A link's end is told when its sockets are empty (bleak#1921).
/// - Between a socket and the bus there is no order: a characteristic is written through a socket
///   when it was written without a response several times in a row, and never again when it is
///   written with one.
extension OpenLink {
    mutating func write(
        _ value: [UInt8], _ mode: WriteMode, to path: DBusObjectPath, _ attribute: AttributeID,
        _ turn: inout Turn
    ) {
        if let socket = sockets.number(for: .writes(attribute)) {
            if mode == .withoutResponse, !value.isEmpty {
                return send(value, through: socket, &turn)
            }
            // The daemon takes writes in one way at a time ("Write acquired").
            closeSocket(socket, &turn)
            sockets.renounce(attribute)
        }
        if turn.options.acquiresWrites, running?.retries == 0,
            running?.operation.doesWithoutSocket == false,
            turn.mirror.characteristics[path]?.writeAcquired != nil,
            sockets.isWorthwhile(for: attribute, mode)
        {
            return ask(
                GattCharacteristic1.acquireWrite, at: path, with: Self.noOptions, stage: .acquiring,
                &turn)
        }
        let type =
            switch mode {
            case .withResponse: AttributeOption.request
            case .withoutResponse: AttributeOption.command
            }
        ask(
            GattCharacteristic1.writeValue, at: path,
            with: [.bytes(value), .properties([AttributeOption.type: .string(type)])], &turn)
    }

    mutating func acquired(_ running: RunningOperation, _ reply: DBusReply, _ turn: inout Turn) {
        guard let attribute = running.operation.attribute else { return }
        guard let socket = keepSocket(reply, .writes(attribute), &turn) else {
            sockets.renounce(attribute)
            return begin(&turn)
        }
        self.running?.stage = .awaitingSocket(socket)
    }

    private mutating func send(_ value: [UInt8], through socket: UInt64, _ turn: inout Turn) {
        guard let step = running?.operation.number else { return }
        guard sockets.entries[socket]?.isMade == true else {
            running?.stage = .awaitingSocket(socket)
            return
        }
        running?.stage = .sending(socket)
        turn.put(.start(.hold, LinkLimits.operationTimeout))
        turn.put(.send(value, socket: socket, step: step))
    }

    /// Keeps a socket that the daemon gave, and has it made; gives its number.
    mutating func keepSocket(
        _ reply: DBusReply, _ purpose: LinkSockets.Purpose, _ turn: inout Turn
    ) -> UInt64? {
        guard reply.values.count > 1, let place = reply.values.first, place.descriptorIndex != nil,
            let length = reply.values[1].integer.flatMap({ UInt16(exactly: $0) })
        else { return nil }
        let socket = turn.newNumber()
        sockets.entries[socket] = LinkSockets.Entry(purpose: purpose, length: Int(length))
        measure(&turn)
        turn.put(
            .openSocket(
                LinkSocketOffer(number: socket, descriptors: reply.descriptors, place: place)))
        return socket
    }

    mutating func socketMade(_ socket: UInt64, _ turn: inout Turn) {
        guard sockets.made(socket) else {
            // It was closed before it was there.
            turn.put(.closeSocket(socket))
            return writeAgain(without: socket, &turn)
        }
        if running?.stage == .awaitingSocket(socket) { begin(&turn) }
    }

    /// A socket has ended, or could not be made.
    mutating func socketEnded(_ socket: UInt64, _ turn: inout Turn) {
        guard let purpose = sockets.remove(socket) else {
            return writeAgain(without: socket, &turn)
        }
        sockets.releasedAt = turn.now
        measure(&turn)
        switch purpose {
        case .values(let attribute):
            // Somebody has taken it away, if the link has not ended with it, or it never was one.
            // Another socket might end the same way, again and again.
            guard subscriptions[attribute] == .socket(socket) else { return }
            subscriptions[attribute] = .broken
            turn.put(.start(.resubscribe(attribute), LinkLimits.explanationTime))
        case .writes(let attribute):
            sockets.renounce(attribute)
            writeAgain(without: socket, &turn)
        }
    }

    /// What was to go through a socket that is no more is written in another way, if there is one.
    private mutating func writeAgain(without socket: UInt64, _ turn: inout Turn) {
        guard running?.stage == .awaitingSocket(socket) || running?.stage == .sending(socket) else {
            return
        }
        turn.put(.stop(.hold))
        begin(&turn)
    }

    /// Closes a socket, which switches off what it was for.
    mutating func closeSocket(_ socket: UInt64, _ turn: inout Turn) {
        guard sockets.remove(socket) != nil else { return }
        sockets.releasedAt = turn.now
        turn.put(.closeSocket(socket))
        measure(&turn)
    }

    mutating func closeSockets(_ turn: inout Turn) {
        for socket in sockets.entries.keys.sorted() {
            _ = sockets.remove(socket)
            turn.put(.closeSocket(socket))
        }
    }
}
#endif
