#if os(Linux)
/// Subscriptions, the match rules that the bus knows, and the owners of watched names.
struct DBusMatching: Sendable {
    struct Match {
        /// The number of subscriptions, and watched names, that need the rule.
        var count = 0
        /// `true` from `AddMatch` on, unless the bus has refused it.
        var isOnBus = false
        /// The serial number of the pending `AddMatch`; `nil` if there is none.
        var serial: UInt32?
        /// The subscriptions that wait for the reply to `AddMatch`.
        var waiting: [UInt32] = []
    }

    struct WatchedName {
        var count = 0
        var owner: String?
        /// The serial number of the pending `GetNameOwner`, unless a signal has overtaken it.
        var serial: UInt32?
    }

    /// A subscription. It is a class, so that a search copies no rules.
    private final class Entry: Sendable {
        let id: UInt32
        let rule: DBusMatchRule

        init(_ id: UInt32, _ rule: DBusMatchRule) {
            self.id = id
            self.rule = rule
        }
    }

    private var entries: [Entry] = []
    var matches: [String: Match] = [:]
    var names: [String: WatchedName] = [:]
    private var lastID: UInt32 = 0
    /// The subscriptions for repeated signals of a property, by the slot of the signals' header.
    /// These signals differ in no argument that a rule can match. Valid until anything changes.
    private var sources: [(source: DBusPropertySource, found: [UInt32])?] = []

    var count: Int { entries.count }
    var isEmpty: Bool { entries.isEmpty && matches.isEmpty && names.isEmpty }

    mutating func add(_ rule: DBusMatchRule) -> UInt32 {
        repeat { lastID &+= 1 } while entries.contains(where: { $0.id == lastID })
        sources = []
        entries.append(Entry(lastID, rule))
        return lastID
    }

    mutating func remove(_ id: UInt32) -> DBusMatchRule? {
        guard let index = entries.firstIndex(where: { $0.id == id }) else { return nil }
        sources = []
        let rule = entries.remove(at: index).rule
        matches[rule.text]?.waiting.removeAll { $0 == id }
        return rule
    }

    /// Sets the owner of a name: by a signal, or by the reply to a look-up.
    mutating func setOwner(of name: String, _ owner: String?, askedBy serial: UInt32?) {
        guard let watched = names[name], serial == nil || watched.serial == serial else { return }
        sources = []
        names[name]?.serial = nil
        names[name]?.owner = owner
    }

    /// Returns the subscriptions that match a signal, in order.
    func subscriptions(for signal: DBusSignal) -> [UInt32] {
        let owner = { (name: String) in names[name]?.owner }
        var found: [UInt32] = []
        for entry in entries where entry.rule.matches(signal, owner: owner) {
            found.append(entry.id)
        }
        return found
    }

    /// Returns the subscriptions that match the signals of a property, by the slot of their header.
    mutating func subscriptions(
        for source: DBusPropertySource, at slot: Int
    ) -> [UInt32] {
        if sources.isEmpty { sources = Array(repeating: nil, count: DBusHeaderCache.count) }
        if let known = sources[slot], known.source === source { return known.found }
        let found = subscriptions(for: source.signal())
        sources[slot] = (source, found)
        return found
    }
}

extension DBusSession {
    /// Subscribes to signals; the effect ``Effect/subscribed(_:_:)`` with the returned number
    /// follows, unless the subscription ends before.
    mutating func subscribe(
        _ rule: DBusMatchRule, until deadline: Int64
    ) throws(DBusError) -> UInt32 {
        try checkRoom()
        guard matching.count < limits.subscriptions else {
            throw DBusError(.limitExceeded, details: "subscriptions")
        }
        let id = matching.add(rule)
        matching.matches[rule.text, default: DBusMatching.Match()].count += 1
        do throws(DBusError) {
            if let name = rule.watchedName { try watch(name, until: deadline) }
            try addMatch(rule.text, until: deadline)
        } catch {
            unsubscribe(id)
            throw error
        }
        if matching.matches[rule.text]?.serial == nil {
            addUnbounded(.subscribed(id, nil))
        } else {
            matching.matches[rule.text]?.waiting.append(id)
        }
        return id
    }

    mutating func unsubscribe(_ id: UInt32) {
        guard let rule = matching.remove(id) else { return }
        removeMatch(rule.text)
        guard let name = rule.watchedName else { return }
        matching.names[name]?.count -= 1
        guard matching.names[name]?.count == 0 else { return }
        matching.names[name] = nil
        removeMatch(DBusMatchRule.ownerChange(of: name).text)
    }

    mutating func settleMatch(_ text: String, _ serial: UInt32, _ error: DBusError?) {
        guard let match = matching.matches[text], match.serial == serial else { return }
        matching.matches[text] = DBusMatching.Match(count: match.count, isOnBus: error == nil)
        // After a timeout the bus may still add it; a rule that it refused needs no removal.
        if let error, error.kind != .remote { withdrawMatch(text) }
        for subscription in match.waiting {
            if error != nil { unsubscribe(subscription) }
            addUnbounded(.subscribed(subscription, error))
        }
    }

    /// Counts one more use of a name, whose owner is looked up with the first one. If the bus has
    /// refused to report its changes, the next one asks again.
    private mutating func watch(_ name: String, until deadline: Int64) throws(DBusError) {
        let rule = DBusMatchRule.ownerChange(of: name).text
        matching.names[name, default: DBusMatching.WatchedName()].count += 1
        if matching.names[name]?.count == 1 {
            matching.matches[rule, default: DBusMatching.Match()].count += 1
        } else if matching.matches[rule]?.isOnBus == true {
            return
        }
        try addMatch(rule, until: deadline)
        let serial = try startCall(
            .bus(DBusMessageBus.getNameOwner, .string(name)), .owner(name), until: deadline)
        matching.names[name]?.serial = serial
    }

    /// Adds a rule unless the bus has it.
    private mutating func addMatch(_ text: String, until deadline: Int64) throws(DBusError) {
        guard matching.matches[text]?.isOnBus == false else { return }
        let serial = try startCall(
            .bus(DBusMessageBus.addMatch, .string(text)), .match(text), until: deadline)
        matching.matches[text]?.isOnBus = true
        matching.matches[text]?.serial = serial
    }

    /// Counts one use of a rule less, and removes it with the last one.
    private mutating func removeMatch(_ text: String) {
        guard var match = matching.matches[text] else { return }
        match.count -= 1
        matching.matches[text] = match.count == 0 ? nil : match
        if match.count == 0, match.isOnBus { withdrawMatch(text) }
    }

    /// Removes a rule from the bus, which has it or may still add it.
    private mutating func withdrawMatch(_ text: String) {
        let call = DBusCall.bus(DBusMessageBus.removeMatch, .string(text))
        var message = call.message(serial: nextSerial())
        message.flags = .noReplyExpected
        // If this cannot be sent, the bus delivers signals that no subscription matches: harmless.
        try? enqueue(message)
    }
}
#endif
