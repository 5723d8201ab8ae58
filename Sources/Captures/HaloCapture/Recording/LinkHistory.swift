import HaloTransport

/// The kept lines of one connection, with the state of the connection before them.
struct LinkHistory {
    /// A line, with its time and its number among all the recorder's lines.
    struct Entry {
        let offset: UInt64
        let number: UInt64
        let line: CaptureLine
    }

    var conditions = LinkConditions()
    private var entries = Queue<Entry>()
    /// The number of entries that begin an exchange.
    private var beginningCount = 0

    var first: Entry? { entries.first }

    /// All entries, the oldest first, except for refusals of requests that were dropped: they would
    /// refuse something else.
    var all: [Entry] {
        var conditions = conditions
        return entries.all.filter { entry in
            guard let channel = entry.line.answered, conditions.answer(channel),
                case .event(.refused, _) = entry.line
            else { return true }
            return false
        }
    }

    mutating func append(_ entry: Entry) {
        entries.append(entry)
        if entry.line.beginsExchange { beginningCount += 1 }
    }

    /// Drops the oldest exchange: a request of the app with all lines up to the next request.
    /// Without further requests, it drops one value.
    ///
    /// - Returns: The number of dropped lines, and the length of their text.
    mutating func dropExchange() -> (count: Int, cost: Int) {
        var dropped = (count: 0, cost: 0)
        var isFirst = true
        while let entry = entries.first {
            let mustStop = entry.line.beginsExchange || beginningCount == 0
            if !isFirst, mustStop, !entry.line.isResponse { break }
            _ = entries.popFirst()
            isFirst = false
            if entry.line.beginsExchange { beginningCount -= 1 }
            conditions.apply(entry.line)
            dropped.count += 1
            dropped.cost += entry.line.cost
        }
        return dropped
    }
}
