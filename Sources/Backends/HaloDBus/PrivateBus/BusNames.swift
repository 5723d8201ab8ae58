#if os(Linux)
struct BusNames: Sendable {
    struct Change: Hashable, Sendable {
        let name: String
        let old: UInt64?
        let new: UInt64?
    }

    private struct Claim: Sendable {
        let client: UInt64
        var options: DBusConnection.NameOptions
    }

    /// The claims to each name: first the owner's, then those of the queue in order.
    private var claims: [String: [Claim]] = [:]

    var all: [String] { claims.keys.sorted() }

    func owner(of name: String) -> UInt64? { claims[name]?.first?.client }

    func queue(for name: String) -> [UInt64] { (claims[name] ?? []).map(\.client) }

    func count(of client: UInt64) -> Int {
        claims.values.reduce(0) { $0 + ($1.contains { $0.client == client } ? 1 : 0) }
    }

    mutating func request(
        _ name: String, _ options: DBusConnection.NameOptions, by client: UInt64
    ) -> (DBusConnection.NameRequest, Change?) {
        let claim = Claim(client: client, options: options)
        guard var queue = claims[name], let owner = queue.first else {
            claims[name] = [claim]
            return (.owner, Change(name: name, old: nil, new: client))
        }
        if owner.client == client {
            queue[0].options = options
            claims[name] = queue
            return (.alreadyOwner, nil)
        }
        queue.removeAll { $0.client == client }
        defer { claims[name] = queue }
        if options.contains(.replacesOwner), owner.options.contains(.allowsReplacement) {
            if owner.options.contains(.doesNotQueue) { queue.removeFirst() }
            queue.insert(claim, at: 0)
            return (.owner, Change(name: name, old: owner.client, new: client))
        }
        guard !options.contains(.doesNotQueue) else { return (.taken, nil) }
        queue.append(claim)
        return (.queued, nil)
    }

    /// Releases a name: 1 if the client owned it or waited, 2 without an owner, 3 otherwise.
    mutating func release(_ name: String, by client: UInt64) -> (UInt32, Change?) {
        guard var queue = claims[name] else { return (2, nil) }
        guard queue.contains(where: { $0.client == client }) else { return (3, nil) }
        let wasOwner = queue.first?.client == client
        queue.removeAll { $0.client == client }
        claims[name] = queue.isEmpty ? nil : queue
        return (1, wasOwner ? Change(name: name, old: client, new: queue.first?.client) : nil)
    }

    mutating func releaseAll(of client: UInt64) -> [Change] {
        all.compactMap { release($0, by: client).1 }
    }
}
#endif
