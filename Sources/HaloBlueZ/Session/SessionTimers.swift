#if os(Linux)
internal import HaloProtocol

/// What is to happen later: the earliest is found at once, however many there are.
struct SessionTimers: Sendable {
    private struct Entry: Comparable {
        let due: Moment
        let number: BlueZSession.TimerNumber

        static func < (one: Entry, other: Entry) -> Bool {
            (one.due, one.number.rawValue) < (other.due, other.number.rawValue)
        }
    }

    /// A heap: nobody is later than those below, which are at 2i + 1 and 2i + 2. What was
    /// cancelled stays in it until it is at the top, or until most of it was.
    private var heap: [Entry] = []
    private var actions: [BlueZSession.TimerNumber: BlueZSession.Action] = [:]

    /// When something is to happen next.
    var next: Moment? { heap.first?.due }

    mutating func add(
        _ number: BlueZSession.TimerNumber, at due: Moment, _ action: @escaping BlueZSession.Action
    ) {
        actions[number] = action
        heap.append(Entry(due: due, number: number))
        rise(from: heap.count - 1)
    }

    /// Takes out what is not to happen, if it has not.
    mutating func remove(_ number: BlueZSession.TimerNumber) -> BlueZSession.Action? {
        guard let action = actions.removeValue(forKey: number) else { return nil }
        if heap.count > 2 * actions.count + Self.room {
            heap = heap.filter { actions[$0.number] != nil }.sorted()
        }
        dropCancelled()
        return action
    }

    /// Takes out what is due first, if it is and was asked for before that number.
    mutating func popDue(
        at now: Moment, before limit: UInt64
    ) -> BlueZSession.Action? {
        guard let first = heap.first, first.due <= now, first.number.rawValue <= limit else {
            return nil
        }
        popFirst()
        defer { dropCancelled() }
        return actions.removeValue(forKey: first.number)
    }

    /// Takes out everything.
    mutating func removeAll() -> [BlueZSession.Action] {
        defer { self = SessionTimers() }
        return Array(actions.values)
    }

    private mutating func dropCancelled() {
        while let first = heap.first, actions[first.number] == nil { popFirst() }
    }

    private mutating func popFirst() {
        guard let last = heap.popLast() else { return }
        guard !heap.isEmpty else { return }
        heap[0] = last
        sink()
    }

    private mutating func rise(from start: Int) {
        var index = start
        while index > 0 {
            let parent = (index - 1) / 2
            guard heap[index] < heap[parent] else { return }
            heap.swapAt(index, parent)
            index = parent
        }
    }

    private mutating func sink() {
        var index = 0
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2] where child < heap.count {
                if heap[child] < heap[least] { least = child }
            }
            guard least != index else { return }
            heap.swapAt(index, least)
            index = least
        }
    }

    private static let room = 64
}
#endif
