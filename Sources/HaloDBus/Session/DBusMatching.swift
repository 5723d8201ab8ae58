#if os(Linux)
/// Who wants to hear which signals, what the bus was told of it, and whose names are.
struct DBusMatching: Sendable {
    private struct Match {
        /// How many subscriptions, and watched names, need the rule.
        var count = 0
        /// The call that adds it, while it is not answered.
        var serial: UInt32?
        /// Who is told when it is.
        var waiting: [UInt32] = []
    }

    private struct WatchedName {
        var count = 0
        var owner: String?
        /// The call that asks for the owner, while it is not answered nor overtaken by news.
        var serial: UInt32?
    }

    /// A rule at a place of its own, so that going through them copies none.
    private final class Entry: Sendable {
        let id: UInt32
        let rule: DBusMatchRule

        init(_ id: UInt32, _ rule: DBusMatchRule) {
            self.id = id
            self.rule = rule
        }
    }

    private var rules: [UInt32: DBusMatchRule] = [:]
    /// Subscriptions to one object, and all others, each in the order in which they were made.
    private var byPath: [DBusObjectPath: [Entry]] = [:]
    private var others: [Entry] = []
    private var matches: [String: Match] = [:]
    private var names: [String: WatchedName] = [:]
    private var lastID: UInt32 = 0
    /// The signal that was asked about last, and what came out: mostly the next one is of the
    /// same object. It holds until anything changes.
    private var last: (signal: DBusSignal, found: [UInt32])? {
        didSet { if last == nil, !sources.isEmpty { sources = [] } }
    }
    /// The same for those who tell of a property again and again, each at its place. All of their
    /// signals are alike, and have the same first value.
    private var sources: [(source: DBusPropertySource, found: [UInt32])?] = []

    var count: Int { rules.count }
    var isEmpty: Bool { rules.isEmpty && matches.isEmpty && names.isEmpty }

    mutating func add(_ rule: DBusMatchRule) -> UInt32 {
        repeat { lastID &+= 1 } while rules[lastID] != nil
        last = nil
        rules[lastID] = rule
        if let path = rule.path {
            byPath[path, default: []].append(Entry(lastID, rule))
        } else {
            others.append(Entry(lastID, rule))
        }
        return lastID
    }

    mutating func remove(_ id: UInt32) -> DBusMatchRule? {
        guard let rule = rules.removeValue(forKey: id) else { return nil }
        last = nil
        if let path = rule.path {
            byPath[path]?.removeAll { $0.id == id }
            if byPath[path]?.isEmpty == true { byPath[path] = nil }
        } else {
            others.removeAll { $0.id == id }
        }
        matches[rule.text]?.waiting.removeAll { $0 == id }
        return rule
    }

    mutating func removeAll() { self = DBusMatching() }

    /// Counts one more who needs a rule; whether the bus is to be told.
    mutating func retainMatch(_ text: String) -> Bool {
        matches[text, default: Match()].count += 1
        return matches[text]?.count == 1
    }

    mutating func addingMatch(_ text: String, _ serial: UInt32) {
        matches[text]?.serial = serial
    }

    /// Counts one less; whether the bus is to be told.
    mutating func releaseMatch(_ text: String) -> Bool {
        guard let count = matches[text]?.count else { return false }
        matches[text]?.count = count - 1
        guard count <= 1 else { return false }
        matches[text] = nil
        return true
    }

    /// Whether the bus knows the rule; if not, the subscription is told later.
    mutating func isAdded(_ text: String, tell id: UInt32) -> Bool {
        guard matches[text]?.serial != nil else { return true }
        matches[text]?.waiting.append(id)
        return false
    }

    /// The bus has added a rule, or has not; who is to be told, or nothing if the question was
    /// another one. A rule that was not added is none that it could be told to remove.
    mutating func settleMatch(_ text: String, _ serial: UInt32, succeeded: Bool) -> [UInt32]? {
        guard let match = matches[text], match.serial == serial else { return nil }
        matches[text]?.serial = nil
        matches[text]?.waiting = []
        if !succeeded { matches[text] = nil }
        return match.waiting
    }

    /// Counts one more who needs to know a name's owner; whether the bus is to be asked.
    mutating func retainName(_ name: String) -> Bool {
        names[name, default: WatchedName()].count += 1
        return names[name]?.count == 1
    }

    mutating func askingOwner(of name: String, _ serial: UInt32) {
        names[name]?.serial = serial
    }

    /// Counts one less; whether the bus need not tell any more.
    mutating func releaseName(_ name: String) -> Bool {
        guard let count = names[name]?.count else { return false }
        names[name]?.count = count - 1
        guard count <= 1 else { return false }
        last = nil
        names[name] = nil
        return true
    }

    /// Whose a name is now: as the bus says by itself, or as it answered.
    mutating func setOwner(of name: String, _ owner: String?, askedBy serial: UInt32?) {
        guard let watched = names[name], serial == nil || watched.serial == serial else { return }
        last = nil
        names[name]?.serial = nil
        names[name]?.owner = owner
    }

    /// The subscriptions that mean a signal, in the order in which they were made.
    mutating func subscriptions(for signal: DBusSignal) -> [UInt32] {
        if let last, last.signal.isAlike(signal) { return last.found }
        let found = find(signal)
        // Rules may ask for the first value, in which signals differ that are alike otherwise.
        let looksInside = rules.values.contains {
            $0.firstArgument != nil && ($0.member ?? signal.member) == signal.member
        }
        last = looksInside ? nil : (signal.withoutValues, found)
        return found
    }

    /// The subscriptions that mean what a property's owner tells of it, whose header is kept at
    /// that place.
    mutating func subscriptions(
        for source: DBusPropertySource, at place: Int
    ) -> [UInt32] {
        if sources.isEmpty { sources = Array(repeating: nil, count: DBusHeaderCache.count) }
        if let known = sources[place], known.source === source { return known.found }
        let found = find(source.signal())
        sources[place] = (source, found)
        return found
    }

    private func find(_ signal: DBusSignal) -> [UInt32] {
        let owner = { (name: String) in names[name]?.owner }
        var found: [UInt32] = []
        for entry in others where entry.rule.matches(signal, owner: owner) {
            found.append(entry.id)
        }
        guard !byPath.isEmpty, let atPath = byPath[signal.path] else { return found }
        for entry in atPath where entry.rule.matches(signal, owner: owner) {
            found.append(entry.id)
        }
        return found.sorted()
    }
}

extension DBusSignal {
    /// Whether another one is of the same object, by the same name.
    fileprivate func isAlike(_ other: DBusSignal) -> Bool {
        path == other.path && member == other.member && interface == other.interface
            && sender == other.sender
    }

    fileprivate var withoutValues: DBusSignal {
        DBusSignal(member, of: interface, at: path, sender: sender)
    }
}
#endif
