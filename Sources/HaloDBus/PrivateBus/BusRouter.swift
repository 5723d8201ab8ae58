#if os(Linux)
/// A small bus without sockets: messages of its clients in, messages to them out.
///
/// Rules:
/// - A client has to say `Hello` first. What else it says before ends its connection.
/// - Every message gets the sender's name; what a client says of itself does not count.
/// - A call to a name that nobody owns, or whose owner goes away, is answered with an error.
///   An answer that nobody waits for is dropped.
/// - A signal without a destination goes to every client one of whose rules means it, once.
/// - Monitors hear everything, and say nothing.
struct BusRouter: Sendable {
    /// What one client may have at most.
    enum Limits {
        static let rules = 8192
        static let names = 512
        static let pendingCalls = 16384
    }

    /// What is to be done.
    enum Effect: Sendable {
        /// The same bytes for some clients; who said it, if that was a client.
        case send(DBusMessage, DBusDescriptors, to: [UInt64], from: UInt64?)
        /// The client is not to be listened to any more.
        case disconnect(UInt64)
    }

    struct Client: Sendable {
        let uniqueName: String
        let credentials: (process: UInt32, user: UInt32)?
        var passesDescriptors = true
        var hasSaidHello = false
        var isMonitor = false
        var rules: [BusMatchRule] = []
    }

    /// A call that waits for an answer.
    struct PendingCall: Hashable, Sendable {
        let caller: UInt64
        let callee: UInt64
        let serial: UInt32
    }

    let busID: String
    private(set) var effects: [Effect] = []
    var clients: [UInt64: Client] = [:]
    var clientsByName: [String: UInt64] = [:]
    var names = BusNames()
    private var pending: Set<PendingCall> = []
    private var pendingCounts: [UInt64: Int] = [:]
    private var lastSerial: UInt32 = 0
    private var monitorCount = 0
    private(set) var driver: DBusObjectTree

    init(busID: String, machineID: String?) {
        self.busID = busID
        driver = Self.driverObjects
        driver.machineID = machineID
    }

    mutating func takeEffects() -> [Effect] {
        defer { effects = [] }
        return effects
    }

    /// Somebody has come; it has no name for others before it has said `Hello`.
    mutating func add(_ id: UInt64, _ credentials: (process: UInt32, user: UInt32)?) {
        clients[id] = Client(uniqueName: ":1.\(id)", credentials: credentials)
    }

    mutating func setPassesDescriptors(_ id: UInt64, _ passes: Bool) {
        clients[id]?.passesDescriptors = passes
    }

    /// Somebody is gone.
    mutating func remove(_ id: UInt64) {
        for change in names.releaseAll(of: id) { announce(change) }
        guard let client = clients.removeValue(forKey: id) else { return }
        if client.isMonitor { monitorCount -= 1 }
        if clientsByName.removeValue(forKey: client.uniqueName) != nil {
            // It loses its name, too, which only monitors still hear.
            var loss = signal("NameLost", client.uniqueName)
            loss.destination = client.uniqueName
            tellMonitors(loss, DBusDescriptors(), nil)
            announceOwner(of: client.uniqueName, client.uniqueName, "")
        }
        pendingCounts[id] = nil
        for call in pending where call.caller == id || call.callee == id {
            pending.remove(call)
            guard call.caller != id else { continue }
            pendingCounts[call.caller]? -= 1
            refuse(
                call.serial, of: call.caller,
                .standard(
                    "NoReply", "Message recipient disconnected from message bus without replying"))
        }
    }

    /// Takes in a message.
    mutating func receive(
        _ message: DBusMessage, _ descriptors: DBusDescriptors, from id: UInt64
    ) {
        guard let client = clients[id], !client.isMonitor else {
            return effects.append(.disconnect(id))
        }
        var message = message
        message.sender = client.uniqueName
        let isForBus =
            message.destination == DBusName.bus
            || message.destination == nil && message.type == .call
        guard client.hasSaidHello || isForBus && message.member == "Hello" else {
            return effects.append(.disconnect(id))
        }
        if isForBus {
            tellMonitors(message, descriptors, id)
            receiveOwn(message, from: id)
        } else if let destination = message.destination {
            forward(message, descriptors, from: id, to: destination)
        } else if message.type == .signal {
            broadcast(message, descriptors, from: id)
        }
    }

    private mutating func forward(
        _ message: DBusMessage, _ descriptors: DBusDescriptors, from id: UInt64,
        to destination: String
    ) {
        let wantsReply = message.type == .call && !message.flags.contains(.noReplyExpected)
        guard let receiver = client(named: destination) else {
            tellMonitors(message, descriptors, id)
            guard wantsReply else { return }
            return refuse(
                message.serial, of: id,
                .standard(
                    "ServiceUnknown",
                    "The name \(destination) was not provided by any .service files"))
        }
        guard message.descriptorCount == 0 || clients[receiver]?.passesDescriptors == true else {
            guard wantsReply else { return }
            return refuse(
                message.serial, of: id, .notSupported("The recipient takes no file descriptors"))
        }
        switch message.kind {
        case .call where wantsReply:
            guard pendingCounts[id, default: 0] < Limits.pendingCalls else {
                return refuse(
                    message.serial, of: id,
                    .standard("LimitsExceeded", "Too many calls are waiting for an answer"))
            }
            let call = PendingCall(caller: id, callee: receiver, serial: message.serial)
            if pending.insert(call).inserted { pendingCounts[id, default: 0] += 1 }
        case .answer(let serial), .error(_, let serial):
            let call = PendingCall(caller: receiver, callee: id, serial: serial)
            guard pending.remove(call) != nil else { return }
            pendingCounts[receiver]? -= 1
        case .call, .signal: break
        }
        tellMonitors(message, descriptors, id)
        effects.append(.send(message, descriptors, to: [receiver], from: id))
    }

    /// There is no room for a message: a call is refused, anything else is lost.
    mutating func lose(_ message: DBusMessage, to receiver: UInt64, from id: UInt64?) {
        guard let id else { return }
        let call = PendingCall(caller: id, callee: receiver, serial: message.serial)
        guard message.type == .call, pending.remove(call) != nil else { return }
        pendingCounts[id]? -= 1
        refuse(
            message.serial, of: id,
            .standard("LimitsExceeded", "Rejected: destination has a full message queue"))
    }

    private mutating func broadcast(
        _ message: DBusMessage, _ descriptors: DBusDescriptors, from id: UInt64?
    ) {
        tellMonitors(message, descriptors, id)
        let receivers = clients.filter { _, client in
            client.hasSaidHello && !client.isMonitor
                && (message.descriptorCount == 0 || client.passesDescriptors)
                && client.rules.contains { isMeant(message, by: $0, from: id) }
        }
        guard !receivers.isEmpty else { return }
        effects.append(.send(message, descriptors, to: receivers.keys.sorted(), from: id))
    }

    private func isMeant(
        _ message: DBusMessage, by rule: BusMatchRule, from id: UInt64?
    ) -> Bool {
        rule.matches(
            message, sender: { id != nil && names.owner(of: $0) == id },
            destination: { name in
                message.destination.flatMap { clientsByName[$0] }.map {
                    names.owner(of: name) == $0
                } ?? false
            })
    }

    private mutating func tellMonitors(
        _ message: DBusMessage, _ descriptors: DBusDescriptors, _ id: UInt64?
    ) {
        guard monitorCount > 0 else { return }
        let monitors = clients.filter { _, client in
            client.isMonitor
                && (client.rules.isEmpty
                    || client.rules.contains { isMeant(message, by: $0, from: id) })
        }
        guard !monitors.isEmpty else { return }
        effects.append(.send(message, descriptors, to: monitors.keys.sorted(), from: id))
    }

    /// From now on somebody only listens, and has no name; what comes before the loss of its name
    /// was for itself.
    mutating func becomeMonitor(_ id: UInt64, _ rules: [BusMatchRule]) {
        for change in names.releaseAll(of: id) { announce(change) }
        if let name = clients[id]?.uniqueName {
            tell(id, "NameLost", name)
            clientsByName[name] = nil
            announceOwner(of: name, name, "")
        }
        clients[id]?.rules = rules
        clients[id]?.isMonitor = true
        monitorCount += 1
    }

    func client(named name: String) -> UInt64? { names.owner(of: name) ?? clientsByName[name] }

    // MARK: What the bus says itself

    /// Sends a message of the bus's own to one client.
    mutating func say(
        _ kind: DBusMessage.Kind, _ body: [DBusValue], to id: UInt64
    ) {
        guard let client = clients[id] else { return }
        var message = DBusMessage(kind, serial: nextSerial(), body: body)
        message.sender = DBusName.bus
        message.destination = client.uniqueName
        message.flags = .noReplyExpected
        if !client.isMonitor { tellMonitors(message, DBusDescriptors(), nil) }
        effects.append(.send(message, DBusDescriptors(), to: [id], from: nil))
    }

    mutating func refuse(_ serial: UInt32, of id: UInt64, _ refusal: DBusRefusal) {
        say(.error(name: refusal.name, to: serial), [.string(refusal.details)], to: id)
    }

    /// A well-known name has another owner: tells both, and everybody.
    mutating func announce(_ change: BusNames.Change) {
        let old = change.old.flatMap { clients[$0]?.uniqueName } ?? ""
        let new = change.new.flatMap { clients[$0]?.uniqueName } ?? ""
        if let id = change.old { tell(id, "NameLost", change.name) }
        announceOwner(of: change.name, old, new)
        if let id = change.new { tell(id, "NameAcquired", change.name) }
    }

    mutating func tell(_ id: UInt64, _ member: String, _ name: String) {
        say(
            .signal(path: .bus, interface: DBusName.bus, member: member), [.string(name)], to: id)
    }

    mutating func announceOwner(of name: String, _ old: String, _ new: String) {
        broadcast(signal(DBusName.ownerChanged, name, old, new), DBusDescriptors(), from: nil)
    }

    private mutating func signal(_ member: String, _ names: String...) -> DBusMessage {
        var message = DBusMessage(
            .signal(path: .bus, interface: DBusName.bus, member: member),
            serial: nextSerial(), body: names.map { .string($0) })
        message.sender = DBusName.bus
        message.flags = .noReplyExpected
        return message
    }

    private mutating func nextSerial() -> UInt32 {
        repeat { lastSerial &+= 1 } while lastSerial == 0
        return lastSerial
    }
}
#endif
