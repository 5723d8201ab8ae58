/// The effects of a session that wait to be fetched.
///
/// Events and reports are bounded: beyond the limit, one effect counts the dropped ones. All other
/// effects are kept: there are no more of them than calls of the session.
struct EffectQueue<Effect: SessionEffect>: Sendable {
    private var effects: [Effect?] = []
    private var first = 0
    private var droppableCount = 0
    private let limit: Int

    init(limit: Int) {
        self.limit = max(limit, 1)
    }

    var count: Int { effects.count - first }

    mutating func append(_ effect: Effect) {
        if !effect.mayBeDropped || droppableCount < limit {
            keep(effect)
        } else if !replaceLast({ $0.droppedCount.map { .dropped($0 &+ 1) } }) {
            keep(.dropped(1))
        }
    }

    private mutating func keep(_ effect: Effect) {
        if effect.mayBeDropped { droppableCount += 1 }
        effects.append(effect)
    }

    /// Replaces the last effect with one of its kind, unless there is none.
    mutating func replaceLast(_ replacement: (Effect) -> Effect?) -> Bool {
        guard let last = effects.last ?? nil, let next = replacement(last) else { return false }
        effects[effects.count - 1] = next
        return true
    }

    mutating func next() -> Effect? {
        guard first < effects.count else { return nil }
        let effect = effects[first].take()
        first += 1
        if effect?.mayBeDropped == true { droppableCount -= 1 }
        if first == effects.count {
            effects.removeAll(keepingCapacity: true)
            first = 0
        } else if first > 64, first > effects.count / 2 {
            effects.removeFirst(first)
            first = 0
        }
        return effect
    }

    /// Removes matching effects, which must be of a kind that is never dropped.
    ///
    /// Returns `true` if no effect matched.
    mutating func removeAll(where predicate: (Effect) -> Bool) -> Bool {
        effects.removeFirst(first)
        first = 0
        let count = count
        effects.removeAll { $0.map(predicate) ?? true }
        return self.count == count
    }
}
