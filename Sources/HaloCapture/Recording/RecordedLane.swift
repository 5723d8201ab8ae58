import HaloTransport

/// What is kept of one connection, and how things stood where that begins.
struct RecordedLane {
    /// A line, when it happened, and which of all the recorder's lines it is.
    struct Entry {
        let offset: UInt64
        let number: UInt64
        let line: RecordedLine
    }

    private(set) var conditions = LinkConditions()
    private var entries = FIFO<Entry>()
    /// How many entries begin an exchange.
    private var beginningCount = 0

    /// The oldest entry.
    var first: Entry? { entries.first }

    /// All entries, the oldest first.
    var all: [Entry] {
        var copy = entries
        return copy.removeAll()
    }

    mutating func append(_ entry: Entry) {
        entries.append(entry)
        if entry.line.beginsExchange { beginningCount += 1 }
    }

    /// Forgets the oldest exchange: what the app has asked for and all that came of it, up to
    /// what it asked for next. Where nothing follows that it has asked for, it is one value.
    ///
    /// - Returns: How many lines that was, and how long they were.
    mutating func dropExchange() -> (count: Int, cost: Int) {
        var dropped = (count: 0, cost: 0)
        var isFirst = true
        while let entry = entries.first {
            let mustStop = entry.line.beginsExchange || beginningCount == 0
            if !isFirst, mustStop, !entry.line.isRemark { break }
            _ = entries.popFirst()
            isFirst = false
            if entry.line.beginsExchange { beginningCount -= 1 }
            conditions.apply(entry.line)
            dropped.count += 1
            dropped.cost += entry.line.cost
        }
        return dropped
    }

    /// Takes in a line that is not kept.
    mutating func pass(_ line: RecordedLine) { conditions.apply(line) }
}
