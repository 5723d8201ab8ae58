#if os(Linux)
extension BusRouter {
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

    private mutating func listenOnly(
        _ id: UInt64, _ serial: UInt32, _ arguments: [DBusValue]
    ) throws(DBusRefusal) {
        var rules: [DBusMatchRule] = []
        for value in arguments.first?.elements ?? [] {
            rules.append(try rule(value.string ?? ""))
        }
        send(.reply(to: serial), [], to: id)
        becomeMonitor(id, rules)
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
        let (answer, change) = names.request(name, BusNames.Options(rawValue: bits), by: id)
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
