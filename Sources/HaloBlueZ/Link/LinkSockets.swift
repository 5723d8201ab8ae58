#if os(Linux)
internal import BlueZVocabulary
internal import HaloDBus
internal import HaloProtocol
internal import HaloTransport

/// A file descriptor from the daemon, which becomes a socket. It is closed with its last reference
/// (pitfall 22: bleak#1698).
struct LinkSocketOffer: Hashable, Sendable {
    let number: UInt64
    /// The descriptors of the daemon's reply.
    let descriptors: DBusDescriptors
    let place: DBusValue
    /// The characteristic that sends its values through the socket; `nil` for a socket for writes.
    let source: AttributeID?

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
        /// The length of packets that the daemon gave, in bytes.
        let length: Int
        var isMade = false
    }

    /// The time in which the daemon may not yet have noticed that a socket was closed.
    private static let releaseTime: Duration = .seconds(2)

    var entries: [UInt64: Entry] = [:]
    var releasedAt: Moment?
    /// The number of writes without response in a row, by characteristic; `nil` for a
    /// characteristic that is never written through a socket.
    private var commands: [AttributeID: Int?] = [:]

    /// `true` if no socket delivers values.
    var isEmpty: Bool {
        !entries.values.contains { if case .values = $0.purpose { true } else { false } }
    }

    var lengths: [Int] { entries.values.map(\.length) }

    /// `true` if a socket was closed a moment ago.
    func wasReleased(_ now: Moment) -> Bool {
        releasedAt.map { now.duration(since: $0) < Self.releaseTime } ?? false
    }

    func number(for purpose: Purpose) -> UInt64? {
        entries.first { $0.value.purpose == purpose }?.key
    }

    /// Marks a socket as created; `false` if it is no longer needed.
    mutating func markMade(_ number: UInt64) -> Bool {
        entries[number]?.isMade = true
        return entries[number] != nil
    }

    /// Removes a socket, and returns its purpose.
    mutating func remove(_ number: UInt64) -> Purpose? {
        entries.removeValue(forKey: number)?.purpose
    }

    /// Stops writing a characteristic through sockets.
    mutating func renounce(_ attribute: AttributeID) { commands[attribute] = .some(nil) }

    /// Counts a write; `true` if a socket is worth acquiring for it.
    mutating func isWorthwhile(for attribute: AttributeID, _ mode: WriteMode) -> Bool {
        guard let count = commands[attribute, default: 0] else { return false }
        let row = mode == .withoutResponse ? count + 1 : 0
        commands[attribute] = .some(row)
        return row > LinkLimits.commandsBeforeSocket
    }
}

/// Sockets beside the bus, by `AcquireNotify` and `AcquireWrite`: only if the options enable them,
/// and only where the daemon has them.
///
/// - A value that a device sends at the moment of subscribing may be lost (bleak#1885), and other
///   programs get no values.
/// - A link's end is delivered when its sockets are empty (bleak#1921).
/// - Sockets and the bus keep no order between each other: a characteristic is written through a
///   socket after several writes without response in a row, and never again after one with a
///   response.
extension OpenLink {
    mutating func write(
        _ value: [UInt8], _ mode: WriteMode, to path: DBusObjectPath, _ attribute: AttributeID,
        _ turn: inout Turn
    ) {
        if let socket = sockets.number(for: .writes(attribute)) {
            if mode == .withoutResponse, !value.isEmpty {
                return send(value, through: socket, &turn)
            }
            // The daemon accepts one way of writing at a time ("Write acquired").
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
        turn.put(.start(.operation, LinkLimits.operationTimeout))
        turn.put(.send(value, socket: socket, step: step))
    }

    /// Registers a socket of the daemon, requests its creation, and returns its number.
    mutating func keepSocket(
        _ reply: DBusReply, _ purpose: LinkSockets.Purpose, _ turn: inout Turn
    ) -> UInt64? {
        guard reply.values.count > 1, let place = reply.values.first, place.descriptorIndex != nil,
            let length = reply.values[1].integer.flatMap({ UInt16(exactly: $0) })
        else { return nil }
        let socket = turn.newNumber()
        sockets.entries[socket] = LinkSockets.Entry(purpose: purpose, length: Int(length))
        updateMaximumLength(&turn)
        let source =
            if case .values(let attribute) = purpose { attribute } else { nil as AttributeID? }
        turn.put(
            .openSocket(
                LinkSocketOffer(
                    number: socket, descriptors: reply.descriptors, place: place, source: source)))
        return socket
    }

    mutating func socketMade(_ socket: UInt64, _ turn: inout Turn) {
        guard sockets.markMade(socket) else {
            // The socket was closed before it was created.
            turn.put(.closeSocket(socket))
            return writeAgain(without: socket, &turn)
        }
        if running?.stage == .awaitingSocket(socket) { begin(&turn) }
    }

    /// Handles a socket that has ended, or could not be created.
    mutating func socketEnded(_ socket: UInt64, _ turn: inout Turn) {
        guard let purpose = sockets.remove(socket) else {
            return writeAgain(without: socket, &turn)
        }
        sockets.releasedAt = turn.now
        updateMaximumLength(&turn)
        switch purpose {
        case .values(let attribute):
            // Another program has taken it, if the link has not ended with it. Another socket might
            // end in the same way, again and again.
            guard subscriptions[attribute] == .socket(socket) else { return }
            subscriptions[attribute] = .broken
            turn.put(.start(.resubscribe(attribute), LinkLimits.explanationTime))
        case .writes(let attribute):
            sockets.renounce(attribute)
            writeAgain(without: socket, &turn)
        }
    }

    /// Repeats a write whose socket has ended, without the socket.
    private mutating func writeAgain(without socket: UInt64, _ turn: inout Turn) {
        guard running?.stage == .awaitingSocket(socket) || running?.stage == .sending(socket) else {
            return
        }
        turn.put(.stop(.operation))
        begin(&turn)
    }

    /// Closes and forgets a socket.
    mutating func closeSocket(_ socket: UInt64, _ turn: inout Turn) {
        guard sockets.remove(socket) != nil else { return }
        sockets.releasedAt = turn.now
        turn.put(.closeSocket(socket))
        updateMaximumLength(&turn)
    }

    mutating func closeSockets(_ turn: inout Turn) {
        for socket in sockets.entries.keys.sorted() {
            _ = sockets.remove(socket)
            turn.put(.closeSocket(socket))
        }
    }
}
#endif
