#if os(Linux)
/// The private bus without sockets: messages of clients in, messages to clients out.
///
/// Rules:
/// - A client has to call `Hello` first; any other message before it disconnects the client.
/// - Every message gets the sender's unique name, whatever the client wrote there.
/// - A call to a name without an owner, or to a client that disconnects, fails. A reply without a
///   pending call is dropped.
/// - A signal without a destination goes once to each client with a rule that matches.
/// - Monitors receive everything, and send nothing.
struct BusRouter: Sendable {
    enum Limits {
        static let rules = 8192
        static let names = 512
        static let pendingCalls = 16384
    }

    enum Effect: Sendable {
        /// Send a message to clients; `from` is the client that sent it.
        case send(DBusMessage, DBusDescriptors, to: [UInt64], from: UInt64?)
        case disconnect(UInt64)
    }

    struct Client: Sendable {
        let uniqueName: String
        let credentials: (process: UInt32, user: UInt32)?
        var passesDescriptors = true
        var hasSaidHello = false
        var isMonitor = false
        var rules: [DBusMatchRule] = []
    }

    /// The beginning of unique names.
    static let namePrefix = ":1."

    struct PendingCall: Hashable, Sendable {
        let callee: UInt64
        let serial: UInt32
    }

    let busID: String
    private(set) var effects: [Effect] = []
    var clients: [UInt64: Client] = [:]
    var clientsByName: [String: UInt64] = [:]
    var names = BusNames()
    /// The calls that wait for an answer, by their callers.
    private var pending: [UInt64: Set<PendingCall>] = [:]
    private var lastSerial: UInt32 = 0
    private(set) var driver: DBusObjectTree

    init(busID: String, machineID: String?) {
        self.busID = busID
        driver = Self.driverObjects
        driver.machineID = machineID
    }

    mutating func drainEffects() -> [Effect] {
        defer { effects = [] }
        return effects
    }

    /// Adds a client, which has no name before `Hello`.
    mutating func add(_ id: UInt64, _ credentials: (process: UInt32, user: UInt32)?) {
        clients[id] = Client(uniqueName: Self.namePrefix + "\(id)", credentials: credentials)
    }

    mutating func remove(_ id: UInt64) {
        for change in names.releaseAll(of: id) { signalOwner(change) }
        guard let client = clients.removeValue(forKey: id) else { return }
        if clientsByName.removeValue(forKey: client.uniqueName) != nil {
            // The client loses its unique name, too; only monitors receive that.
            var loss = signal(DBusMessageBus.nameLost, client.uniqueName)
            loss.destination = client.uniqueName
            copyToMonitors(loss, DBusDescriptors(), nil)
            signalOwner(of: client.uniqueName, client.uniqueName, "")
        }
        pending[id] = nil
        let text = "Message recipient disconnected from message bus without replying"
        for (caller, calls) in pending {
            for call in calls where call.callee == id {
                pending[caller]?.remove(call)
                refuse(call.serial, of: caller, DBusRefusal(DBusErrorName.noReply, text))
            }
        }
    }

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
        guard client.hasSaidHello || isForBus && message.member == DBusMessageBus.hello else {
            return effects.append(.disconnect(id))
        }
        if isForBus {
            copyToMonitors(message, descriptors, id)
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
            copyToMonitors(message, descriptors, id)
            guard wantsReply else { return }
            let text = "The name \(destination) was not provided by any .service files"
            return refuse(message.serial, of: id, DBusRefusal(DBusErrorName.serviceUnknown, text))
        }
        guard message.descriptorCount == 0 || clients[receiver]?.passesDescriptors == true else {
            guard wantsReply else { return }
            return refuse(
                message.serial, of: id, .notSupported("The recipient takes no file descriptors"))
        }
        switch message.kind {
        case .call where wantsReply:
            guard pending[id]?.count ?? 0 < Limits.pendingCalls else {
                return refuse(message.serial, of: id, .limitExceeded)
            }
            let call = PendingCall(callee: receiver, serial: message.serial)
            pending[id, default: []].insert(call)
        case .reply(let serial), .error(_, let serial):
            let call = PendingCall(callee: id, serial: serial)
            guard pending[receiver]?.remove(call) != nil else { return }
        case .call, .signal: break
        }
        copyToMonitors(message, descriptors, id)
        effects.append(.send(message, descriptors, to: [receiver], from: id))
    }

    /// Drops a message to a full client: a call fails, any other message is lost.
    mutating func drop(_ message: DBusMessage, to receiver: UInt64, from id: UInt64) {
        let call = PendingCall(callee: receiver, serial: message.serial)
        guard message.type == .call, pending[id]?.remove(call) != nil else { return }
        let text = "Rejected: destination has a full message queue"
        refuse(message.serial, of: id, DBusRefusal(DBusErrorName.limitsExceeded, text))
    }

    private mutating func broadcast(
        _ message: DBusMessage, _ descriptors: DBusDescriptors, from id: UInt64?
    ) {
        copyToMonitors(message, descriptors, id)
        let receivers = clients.filter { _, client in
            client.hasSaidHello && !client.isMonitor
                && (message.descriptorCount == 0 || client.passesDescriptors)
                && client.rules.contains { matches(message, by: $0, from: id) }
        }
        guard !receivers.isEmpty else { return }
        effects.append(.send(message, descriptors, to: receivers.keys.sorted(), from: id))
    }

    private func matches(
        _ message: DBusMessage, by rule: DBusMatchRule, from id: UInt64?
    ) -> Bool {
        rule.matches(
            message, sender: { id != nil && names.owner(of: $0) == id },
            destination: { name in
                message.destination.flatMap { clientsByName[$0] }.map {
                    names.owner(of: name) == $0
                } ?? false
            })
    }

    private mutating func copyToMonitors(
        _ message: DBusMessage, _ descriptors: DBusDescriptors, _ id: UInt64?
    ) {
        let monitors = clients.filter { _, client in
            client.isMonitor
                && (client.rules.isEmpty
                    || client.rules.contains { matches(message, by: $0, from: id) })
        }
        guard !monitors.isEmpty else { return }
        effects.append(.send(message, descriptors, to: monitors.keys.sorted(), from: id))
    }

    func client(named name: String) -> UInt64? { names.owner(of: name) ?? clientsByName[name] }

    // MARK: Messages of the bus

    mutating func send(
        _ kind: DBusMessage.Kind, _ body: [DBusValue], to id: UInt64
    ) {
        guard let client = clients[id] else { return }
        var message = DBusMessage(kind, serial: nextSerial(), body: body)
        message.sender = DBusName.bus
        message.destination = client.uniqueName
        message.flags = .noReplyExpected
        if !client.isMonitor { copyToMonitors(message, DBusDescriptors(), nil) }
        effects.append(.send(message, DBusDescriptors(), to: [id], from: nil))
    }

    mutating func refuse(_ serial: UInt32, of id: UInt64, _ refusal: DBusRefusal) {
        send(.error(name: refusal.name, to: serial), [.string(refusal.details)], to: id)
    }

    /// Signals the new owner of a name, to both owners and to all subscribers.
    mutating func signalOwner(_ change: BusNames.Change) {
        let old = change.old.flatMap { clients[$0]?.uniqueName } ?? ""
        let new = change.new.flatMap { clients[$0]?.uniqueName } ?? ""
        if let id = change.old { notify(id, DBusMessageBus.nameLost, change.name) }
        signalOwner(of: change.name, old, new)
        if let id = change.new { notify(id, DBusMessageBus.nameAcquired, change.name) }
    }

    mutating func notify(_ id: UInt64, _ member: String, _ name: String) {
        send(
            .signal(path: .bus, interface: DBusName.bus, member: member), [.string(name)], to: id)
    }

    mutating func signalOwner(of name: String, _ old: String, _ new: String) {
        broadcast(
            signal(DBusMessageBus.nameOwnerChanged, name, old, new), DBusDescriptors(), from: nil)
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

    // MARK: The bus itself

    private typealias Argument = DBusInterface.Argument

    /// The object of the bus itself.
    static var driverObjects: DBusObjectTree {
        let name = Argument("name", .string)
        let rule = Argument("rule", .string)
        let flags = Argument("flags", .uint32)
        let result = Argument("result", .uint32)
        let texts = DBusType.array(.string)
        let names = [Argument("names", texts)]
        let bus = DBusInterface(
            DBusName.bus,
            methods: [
                .init(DBusMessageBus.hello, returns: [name]),
                .init(DBusMessageBus.requestName, [name, flags], returns: [result]),
                .init(DBusMessageBus.releaseName, [name], returns: [result]),
                .init(DBusMessageBus.startServiceByName, [name, flags], returns: [result]),
                .init(DBusMessageBus.nameHasOwner, [name], returns: [.init("has", .boolean)]),
                .init(DBusMessageBus.listNames, returns: names),
                .init(DBusMessageBus.listActivatableNames, returns: names),
                .init(DBusMessageBus.addMatch, [rule]),
                .init(DBusMessageBus.removeMatch, [rule]),
                .init(DBusMessageBus.getNameOwner, [name], returns: [.init("owner", .string)]),
                .init(DBusMessageBus.listQueuedOwners, [name], returns: names),
                .init(DBusMessageBus.getConnectionUnixUser, [name], returns: [result]),
                .init(DBusMessageBus.getConnectionUnixProcessID, [name], returns: [result]),
                .init(
                    DBusMessageBus.getConnectionCredentials, [name],
                    returns: [.init("credentials", .options)]),
                .init(DBusMessageBus.getID, returns: [.init("id", .string)]),
            ],
            properties: [.init("Features", texts), .init("Interfaces", texts)],
            signals: [
                .init(
                    DBusMessageBus.nameOwnerChanged,
                    [name, .init("old_owner", .string), .init("new_owner", .string)]),
                .init(DBusMessageBus.nameLost, [name]),
                .init(DBusMessageBus.nameAcquired, [name]),
            ])
        let monitoring = DBusInterface(
            monitoring, methods: [.init("BecomeMonitor", [.init("rules", texts), flags])])
        var objects = DBusObjectTree()
        let values: [String: DBusValue] = [
            "Features": .strings([]), "Interfaces": .strings([monitoring.name]),
        ]
        objects.objects[.bus] = DBusObject([bus, monitoring], values: [bus.name: values])
        return objects
    }

    private static let monitoring = "org.freedesktop.DBus.Monitoring"

    /// Receives a call of the bus itself.
    mutating func receiveOwn(_ message: DBusMessage, from id: UInt64) {
        guard case .call(let path, let interface, let member) = message.kind else { return }
        // Many clients call the bus at any path.
        let place = interface == DBusName.bus || interface == nil && path != .root ? .bus : path
        let result: Result<[DBusValue], DBusRefusal>
        switch driver.answer(member, of: interface, at: place, message.body) {
        case .reply(let values): result = .success(values)
        case .refuse(let refusal): result = .failure(refusal)
        case .request:
            if member == DBusMessageBus.hello { return greet(id, message.serial) }
            do throws(DBusRefusal) {
                if member == "BecomeMonitor" {
                    return try listenOnly(id, message.serial, message.body)
                }
                result = .success(try callDriver(member, message.body, for: id))
            } catch {
                result = .failure(error)
            }
        }
        guard !message.flags.contains(.noReplyExpected) else { return }
        switch result {
        case .success(let values): send(.reply(to: message.serial), values, to: id)
        case .failure(let refusal): refuse(message.serial, of: id, refusal)
        }
    }

    private mutating func greet(_ id: UInt64, _ serial: UInt32) {
        guard let client = clients[id], !client.hasSaidHello else {
            return refuse(serial, of: id, .failed("Already handled an Hello message"))
        }
        clients[id]?.hasSaidHello = true
        clientsByName[client.uniqueName] = id
        send(.reply(to: serial), [.string(client.uniqueName)], to: id)
        signalOwner(of: client.uniqueName, "", client.uniqueName)
        notify(id, DBusMessageBus.nameAcquired, client.uniqueName)
    }

    /// Makes a client a monitor, without names.
    private mutating func listenOnly(
        _ id: UInt64, _ serial: UInt32, _ arguments: [DBusValue]
    ) throws(DBusRefusal) {
        var rules: [DBusMatchRule] = []
        for value in arguments.first?.elements ?? [] {
            rules.append(try rule(value.string ?? ""))
        }
        send(.reply(to: serial), [], to: id)
        for change in names.releaseAll(of: id) { signalOwner(change) }
        if let name = clients[id]?.uniqueName {
            // The last message to itself.
            notify(id, DBusMessageBus.nameLost, name)
            clientsByName[name] = nil
            signalOwner(of: name, name, "")
        }
        clients[id]?.rules = rules
        clients[id]?.isMonitor = true
    }

    private mutating func callDriver(
        _ member: String, _ arguments: [DBusValue], for id: UInt64
    ) throws(DBusRefusal) -> [DBusValue] {
        let text = arguments.first?.string ?? ""
        switch member {
        case DBusMessageBus.requestName:
            guard case .uint32(let bits)? = arguments.last else { break }
            return [.uint32(try requestName(text, bits, for: id))]
        case DBusMessageBus.releaseName:
            try checkName(text)
            let (number, change) = names.release(text, by: id)
            if let change { signalOwner(change) }
            return [.uint32(number)]
        case DBusMessageBus.startServiceByName:
            _ = try self.owner(of: text, DBusErrorName.serviceUnknown)
            return [.uint32(2)]
        case DBusMessageBus.nameHasOwner:
            return [.boolean(text == DBusName.bus || client(named: text) != nil)]
        case DBusMessageBus.listNames:
            return [.strings([DBusName.bus] + names.all + clientsByName.keys.sorted())]
        case DBusMessageBus.listActivatableNames:
            return [.strings([DBusName.bus])]
        case DBusMessageBus.addMatch:
            guard clients[id]?.rules.count ?? 0 < Limits.rules else {
                throw DBusRefusal(DBusErrorName.limitsExceeded, "Too many rules")
            }
            let rule = try rule(text)
            clients[id]?.rules.append(rule)
            return []
        case DBusMessageBus.removeMatch:
            let rule = try rule(text)
            guard let index = clients[id]?.rules.firstIndex(of: rule) else {
                throw DBusRefusal(DBusErrorName.matchRuleNotFound, "There is no such rule")
            }
            clients[id]?.rules.remove(at: index)
            return []
        case DBusMessageBus.getNameOwner:
            if text == DBusName.bus { return [.string(DBusName.bus)] }
            return [.string(try self.owner(of: text).uniqueName)]
        case DBusMessageBus.listQueuedOwners:
            _ = try self.owner(of: text)
            let queue = names.queue(for: text).compactMap { clients[$0]?.uniqueName }
            return [.strings(queue.isEmpty ? [text] : queue)]
        case DBusMessageBus.getConnectionUnixUser, DBusMessageBus.getConnectionUnixProcessID,
            DBusMessageBus.getConnectionCredentials:
            return [try credentials(member, of: text)]
        case DBusMessageBus.getID:
            return [.string(busID)]
        default: break
        }
        throw .notSupported(member)
    }

    private mutating func requestName(
        _ name: String, _ bits: UInt32, for id: UInt64
    ) throws(DBusRefusal) -> UInt32 {
        try checkName(name)
        guard names.count(of: id) < Limits.names else {
            throw DBusRefusal(DBusErrorName.limitsExceeded, "Too many names")
        }
        let (answer, change) = names.request(name, .init(rawValue: bits), by: id)
        if let change { signalOwner(change) }
        return answer.rawValue
    }

    private func checkName(_ name: String) throws(DBusRefusal) {
        guard DBusName.isWellKnown(name), name != DBusName.bus else {
            throw .invalidArguments("Cannot acquire or release the name \"\(name)\"")
        }
    }

    private func rule(_ text: String) throws(DBusRefusal) -> DBusMatchRule {
        guard let rule = DBusMatchRule(text) else {
            throw DBusRefusal(DBusErrorName.matchRuleInvalid, "No valid rule: \(text)")
        }
        return rule
    }

    private func owner(
        of name: String, _ error: String = DBusErrorName.nameHasNoOwner
    ) throws(DBusRefusal) -> Client {
        guard let client = client(named: name).flatMap({ clients[$0] }) else {
            throw DBusRefusal(error, "Could not get owner of name '\(name)': no such name")
        }
        return client
    }

    private func credentials(_ member: String, of name: String) throws(DBusRefusal) -> DBusValue {
        // The bus is a thread of this process, so its credentials are those of the process.
        let found =
            name == DBusName.bus
            ? (SystemSocket.processID, SystemSocket.userID) : try owner(of: name).credentials
        guard let (process, user) = found else { throw .failed("Nothing is known of '\(name)'") }
        switch member {
        case DBusMessageBus.getConnectionUnixUser: return .uint32(user)
        case DBusMessageBus.getConnectionUnixProcessID: return .uint32(process)
        default:
            return .properties(["UnixUserID": .uint32(user), "ProcessID": .uint32(process)])
        }
    }
}
#endif
