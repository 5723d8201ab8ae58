#if os(Linux)
/// The thread of the private bus: reads from clients, routes, and writes.
///
/// A slow client does not delay others: its messages are buffered up to a maximum. One that sends
/// much does not delay the messages of others to the same receiver: senders take turns.
///
/// - What a client has not asked for, calls and signals to its name, fills at most half of its
///   buffer, and what one sender sends it, an eighth: other senders, replies and subscribed signals
///   have room. Beyond that calls are refused, and such signals are lost.
/// - A client that does not read what it has asked for, beyond the maximum, is disconnected.
/// - Incomplete messages of all clients have one maximum together, and so has what clients have
///   asked for and not read. Beyond it, of the process with the most bytes, the client with the
///   most is disconnected.
struct BusLoop {
    private let hub: BusHub
    private var router: BusRouter
    private var listeners: [BusHub.Listener] = []
    private var clients: [UInt64: BusClient] = [:]
    private var lastClient: UInt64 = 0
    /// `true` if a client has so many unread bytes that those of all are to be counted.
    private var isCrowded = false
    private var buffer = SystemSocket.room(1 << 16)
    private var control = SystemSocket.room(
        AncillaryDescriptors.length(SystemSocket.descriptorsAtOnce))
    private var now = SystemSocket.now()
    private var poll = SystemPoll()
    /// The time of the next `accept` after descriptors ran out, in microseconds; `nil` otherwise.
    private var acceptsAgain: Int64?

    /// The pause before that `accept`, in microseconds: without one, the waiting client would wake
    /// the thread again and again.
    private static let rest: Int64 = 100_000

    init(_ hub: BusHub) {
        self.hub = hub
        router = BusRouter(busID: hub.id, machineID: SystemSocket.machineID)
    }

    mutating func run() {
        while true {
            for command in hub.drain() {
                switch command {
                case .client(let socket): add(socket)
                case .listener(let listener): listeners.append(listener)
                case .disconnectAll: disconnectAll()
                case .close:
                    disconnectAll()
                    for listener in listeners { SystemSocket.close(listener.socket) }
                    return
                }
            }
            turn()
        }
    }

    /// Polls once, and serves all sockets that are ready.
    private mutating func turn() {
        poll.removeAll()
        poll.append(hub.wakeUp.reader)
        if let time = acceptsAgain, time <= now { acceptsAgain = nil }
        for listener in listeners { poll.append(acceptsAgain == nil ? listener.socket : -1) }
        let ids = clients.keys.sorted()
        for id in ids {
            guard let client = clients[id] else { continue }
            poll.append(client.socket, writes: !client.outgoing.isEmpty)
        }
        poll.wait(for: acceptsAgain.map { $0 - now })
        now = SystemSocket.now()
        if poll.isReadable(0) { hub.wakeUp.clear() }
        for (index, listener) in zip(1..., listeners) where poll.isReadable(index) {
            switch SystemSocket.accept(listener.socket) {
            case .socket(let arrived):
                guard listener.admits(SystemSocket.peer(arrived)?.user) else {
                    SystemSocket.close(arrived)
                    break
                }
                add(arrived)
            case .noRoom: acceptsAgain = now + Self.rest
            case .nobody: break
            }
        }
        for (index, id) in zip((1 + listeners.count)..., ids) {
            if poll.isWritable(index) { clients[id]?.write() }
            if poll.isReadable(index) { read(id) }
        }
    }

    private mutating func add(_ socket: Int32) {
        lastClient += 1
        let credentials = SystemSocket.peer(socket)
        router.add(lastClient, credentials)
        clients[lastClient] = BusClient(
            socket: socket,
            authentication: DBusServerAuthentication(userID: credentials?.user, busID: hub.id))
    }

    /// Disconnects all clients, without signalling it.
    private mutating func disconnectAll() {
        for client in clients.values { SystemSocket.close(client.socket) }
        clients = [:]
        router = BusRouter(busID: hub.id, machineID: SystemSocket.machineID)
    }

    private mutating func remove(_ id: UInt64) {
        guard let client = clients.removeValue(forKey: id) else { return }
        SystemSocket.close(client.socket)
        router.remove(id)
        performEffects()
    }

    /// Disconnects a client that breaks the rules. Its calls are not delivered any more.
    private mutating func expel(_ id: UInt64, for reason: PrivateBus.Expulsion.Reason) {
        guard clients[id] != nil, let client = router.clients[id] else { return }
        for other in clients.keys { clients[other]?.outgoing.removeMessages(from: id) }
        remove(id)
        hub.expelled(
            PrivateBus.Expulsion(
                client: client.uniqueName, process: client.credentials?.process, reason: reason))
    }

    private mutating func read(_ id: UInt64) {
        guard let socket = clients[id]?.socket else { return }
        let (outcome, descriptors) = SystemSocket.receive(socket, into: &buffer, control: &control)
        switch outcome {
        case .later: return
        case .ended: return remove(id)
        case .bytes(let count):
            guard let start = authenticate(id, count) else { return remove(id) }
            // Removed during the change: a second reference would copy all buffered bytes.
            guard var client = clients.removeValue(forKey: id) else { return }
            client.stream.append(buffer.span.extracting(start..<count), descriptors)
            clients[id] = client
        }
        deliver(id)
        limitIncomplete(id)
    }

    /// Disconnects a client if the incomplete messages together are too long; only a message that
    /// has grown can be the reason.
    private mutating func limitIncomplete(_ id: UInt64) {
        guard clients[id]?.stream.isInsideMessage == true else { return }
        let count = clients.values.reduce(0) { $0 + $1.stream.incompleteCount }
        guard count > hub.limits.incompleteBytes else { return }
        expelLargest(for: .incompleteMessage, \.stream.incompleteCount)
    }

    /// Disconnects, of the process with the most bytes, the client with the most.
    private mutating func expelLargest(
        for reason: PrivateBus.Expulsion.Reason, _ count: (BusClient) -> Int
    ) {
        var counts: [UInt32?: Int] = [:]
        for (id, client) in clients {
            counts[router.clients[id]?.credentials?.process, default: 0] += count(client)
        }
        let most = counts.max { $0.value < $1.value }?.key
        let largest = clients.filter { router.clients[$0.key]?.credentials?.process == most }
            .max { count($0.value) < count($1.value) }
        if let largest { expel(largest.key, for: reason) }
    }

    /// Authenticates; returns the offset of the first message, or `nil` after a failure.
    private mutating func authenticate(_ id: UInt64, _ count: Int) -> Int? {
        guard var authentication = clients[id]?.authentication, !authentication.isDone else {
            return 0
        }
        var start = 0
        while start < count, !authentication.isDone {
            do throws(DBusAuthenticationError) {
                let answer = try authentication.receive(buffer[start])
                if !answer.isEmpty { clients[id]?.enqueue(answer) }
            } catch {
                return nil
            }
            start += 1
        }
        clients[id]?.authentication = authentication
        router.clients[id]?.passesDescriptors = authentication.passesDescriptors
        return start
    }

    private mutating func deliver(_ id: UInt64) {
        while clients[id] != nil {
            do throws(DBusWireError) {
                guard let (message, descriptors) = try clients[id]?.stream.next() else { return }
                router.receive(message, descriptors ?? DBusDescriptors(), from: id)
            } catch {
                return expel(id, for: .malformed(error))
            }
            performEffects()
        }
    }

    private mutating func performEffects() {
        var (gone, full): (Set<UInt64>, Set<UInt64>) = ([], [])
        while case let effects = router.drainEffects(), !effects.isEmpty {
            for effect in effects {
                switch effect {
                case .disconnect(let id): gone.insert(id)
                case .send(let message, let descriptors, let receivers, let sender):
                    full.formUnion(enqueue(message, descriptors, for: receivers, from: sender))
                    for id in receivers { clients[id]?.write() }
                }
            }
        }
        for id in full.subtracting(gone) { expel(id, for: .doesNotRead) }
        for id in gone { remove(id) }
        limitUnread()
    }

    /// Disconnects clients as long as what all have asked for and not read is too much.
    private mutating func limitUnread() {
        while isCrowded {
            isCrowded = false
            let count = clients.count
            let unreadCount = clients.values.reduce(0) { $0 + $1.unreadCount }
            guard unreadCount > hub.limits.unreadBytes else { return }
            expelLargest(for: .doesNotRead, \.unreadCount)
            isCrowded = clients.count < count
        }
    }

    /// Queues a message for its receivers; returns those that do not read what they have asked for.
    private mutating func enqueue(
        _ message: DBusMessage, _ descriptors: DBusDescriptors, for receivers: [UInt64],
        from sender: UInt64?
    ) -> [UInt64] {
        guard let bytes = try? message.encoded() else { return [] }
        return receivers.filter { id in
            let isUnasked = message.isUnasked && router.clients[id]?.isMonitor == false
            let intruder = isUnasked ? sender : nil
            if clients[id]?.hasRoom(in: hub.limits.bufferBytes, for: intruder) == true {
                clients[id]?.enqueue(
                    bytes, descriptors, from: sender, isUnasked: isUnasked,
                    after: message.formerOwner)
                // If no client has more than its share, all are within the limit.
                let share = hub.limits.unreadBytes / max(clients.count, 1)
                if clients[id]?.unreadCount ?? 0 > share { isCrowded = true }
                return false
            }
            guard let intruder else { return true }
            router.drop(message, to: id, from: intruder)
            return false
        }
    }
}

extension DBusMessage {
    /// `true` for a message that its receiver has not asked for: no reply, and not for subscribers.
    fileprivate var isUnasked: Bool { type == .call || type == .signal && destination != nil }

    /// The client that loses a name by this signal of the bus, which comes after its messages.
    fileprivate var formerOwner: UInt64? {
        guard sender == DBusName.bus, member == DBusMessageBus.nameOwnerChanged, body.count == 3,
            let name = body[1].string
        else { return nil }
        return UInt64(name.dropFirst(BusRouter.namePrefix.count))
    }
}

private struct BusClient {
    let socket: Int32
    var authentication: DBusServerAuthentication
    var stream = DBusMessageStream()
    var outgoing = DBusSendQueue()
    /// `false` once the client's end is closed for reading. What it has sent before is delivered.
    private(set) var canReceive = true

    /// The number of bytes that the client has asked for and not read.
    var unreadCount: Int { outgoing.byteCount - outgoing.foreignByteCount }

    /// `true` if one message more fits, of any length: of a sender that was not asked, or, for
    /// `nil`, one that the client has asked for. Messages of the first kind take no room from those
    /// of the second.
    func hasRoom(in limit: Int, for sender: UInt64?) -> Bool {
        guard let sender else { return unreadCount <= limit }
        return outgoing.foreignByteCount <= limit / 2
            && outgoing.byteCounts[sender, default: 0] <= limit / 8
    }

    mutating func enqueue(
        _ bytes: [UInt8], _ descriptors: DBusDescriptors? = nil, from sender: UInt64? = nil,
        isUnasked: Bool = false, after other: UInt64? = nil
    ) {
        guard canReceive else { return }
        outgoing.append(bytes, descriptors, from: sender, isUnasked: isUnasked, after: other)
    }

    /// Writes as many bytes as the socket accepts. If it is closed, the rest is dropped.
    mutating func write() {
        var isOpen = true
        outgoing.send { [socket] bytes, descriptors in
            switch SystemSocket.send(socket, bytes, passing: descriptors) {
            case .bytes(let count): return count
            case .later: return nil
            case .ended:
                isOpen = false
                return nil
            }
        }
        if !isOpen { (canReceive, outgoing) = (false, DBusSendQueue()) }
    }
}
#endif
