#if os(Linux)
extension DBusSession {
    /// Wants to hear the signals that a rule means; the effect ``Effect/subscribed(_:_:)`` with
    /// the number given here follows, unless the subscription is ended before.
    mutating func subscribe(
        _ rule: DBusMatchRule, until deadline: Int64
    ) throws(DBusError) -> UInt32 {
        try checkRoom()
        guard matching.count < limits.subscriptions else {
            throw DBusError(.tooMuch, details: "subscriptions")
        }
        let id = matching.add(rule)
        do throws(DBusError) {
            if let name = rule.watchedName, matching.retainName(name) {
                try addMatch(DBusMatchRule.ownerChange(of: name).text, until: deadline)
                let serial = try begin(
                    .bus("GetNameOwner", .string(name)), .owner(name), until: deadline)
                matching.askingOwner(of: name, serial)
            }
            try addMatch(rule.text, until: deadline)
        } catch {
            drop(id)
            throw error
        }
        if matching.isAdded(rule.text, tell: id) { addAnswer(.subscribed(id, nil)) }
        return id
    }

    /// A subscription ends.
    mutating func unsubscribe(_ id: UInt32) { drop(id) }

    private mutating func drop(_ id: UInt32) {
        guard let rule = matching.remove(id) else { return }
        removeMatch(rule.text)
        if let name = rule.watchedName, matching.releaseName(name) {
            removeMatch(DBusMatchRule.ownerChange(of: name).text)
        }
    }

    /// The bus has added a rule, or has not: tells who waits for it.
    mutating func settleMatch(_ text: String, _ serial: UInt32, _ error: DBusError?) {
        guard
            let subscriptions = matching.settleMatch(text, serial, succeeded: error == nil)
        else { return }
        // A bus that is slow may add it yet; one that has refused it would refuse this, too.
        if let error, error.kind != .remote { withdrawMatch(text) }
        for subscription in subscriptions {
            if error != nil { unsubscribe(subscription) }
            addAnswer(.subscribed(subscription, error))
        }
    }

    private mutating func addMatch(_ text: String, until deadline: Int64) throws(DBusError) {
        guard matching.retainMatch(text) else { return }
        let serial = try begin(.bus("AddMatch", .string(text)), .match(text), until: deadline)
        matching.addingMatch(text, serial)
    }

    private mutating func removeMatch(_ text: String) {
        if matching.releaseMatch(text) { withdrawMatch(text) }
    }

    /// The bus is to forget a rule that it has, or may still add.
    private mutating func withdrawMatch(_ text: String) {
        guard endError == nil else { return }
        var call = DBusCall.bus("RemoveMatch", .string(text))
        // If it cannot be said, the bus lets through what nobody wants here: no harm.
        call.flags = .noReplyExpected
        try? enqueue(call.message(serial: nextSerial()))
    }
}

extension DBusMatchRule {
    /// The name whose owner has to be known to tell whether a signal is meant.
    var watchedName: String? {
        guard let sender, sender != DBusName.bus, DBusName.isWellKnown(sender) else { return nil }
        return sender
    }
}

extension DBusCall {
    /// Asks the bus itself.
    static func bus(_ member: String, _ arguments: DBusValue...) -> DBusCall {
        DBusCall(member, of: DBusName.bus, at: .bus, on: DBusName.bus, arguments)
    }
}
#endif
